import Squall
import SquallSearch

/// Reads from a match what SQL has no function for, and ranks by it.
func useMatchFunctions(_ connection: Connection) throws {
    try connection.create(SearchTableDefinition("essays", columns: "title", "body"))
    for (title, body) in [
        ("On ice", "Ice is cold. Cold ice is hard, and warm ice is water."),
        ("On water", "Water is wet."),
        ("On tea", "Tea is warm water with leaves. Tea without water is dry."),
        ("On cold", "A cold has no ice."),
    ] {
        try connection.run("INSERT INTO essays VALUES(\(title), \(body))")
    }
    try connection.addSearchFunction("places", places)
    try connection.addSearchFunction("coverage", coverage)
    try connection.addSearchFunction("length", relativeLength)
    try connection.addSearchFunction("token_before", tokenBefore)
    try connection.addRankingFunction("rare_first", rarity)

    let pattern = SearchPattern.anyWord("ice water")
    try connection.forEach(
        """
        SELECT title, places(essays), coverage(essays, 1), length(essays), token_before(essays, 1)
        FROM essays WHERE essays MATCH \(pattern) ORDER BY rare_first(essays), rowid
        """
    ) { row in
        let (title, places, coverage, length, before): (String, String, Double, Double, String?) = (
            try row.get(0), try row.get(1), try row.get(2), try row.get(3), try row.get(4)
        )
        print(
            "    \(title): at \(places), \(coverage) of the words in the body, length \(length), after \(before ?? "-")"
        )
    }
}

/// Returns the places of all phrases: `1.0` is the first word of the second column.
private func places(in match: borrowing SearchMatch) throws -> String {
    var places: [SearchInstance] = []
    for index in 0..<(try match.instanceCount) { places.append(try match.instance(index)) }
    return places.map { "\($0.column).\($0.token)" }.joined(separator: " ")
}

/// Returns how many of the phrases a column has.
private func coverage(of match: borrowing SearchMatch, column: Int) throws -> Double {
    var count = 0
    for phrase in 0..<match.phraseCount {
        var columns: Set<Int> = []
        try match.forEachColumn(ofPhrase: phrase) { columns.insert($0) }
        if columns.contains(column) { count += 1 }
    }
    return Double(count) / Double(match.phraseCount)
}

/// Returns the length of the row, where 1 is that of an average one.
private func relativeLength(of match: borrowing SearchMatch) throws -> Double {
    let average = Double(try match.totalTokenCount()) / Double(try match.rowCount)
    return (Double(try match.tokenCount()) / average * 100).rounded() / 100
}

/// Returns the word before the first phrase in a column, as the tokenizer has it.
private func tokenBefore(_ match: borrowing SearchMatch, column: Int) throws -> String? {
    var first = Int.max
    for phrase in 0..<match.phraseCount {
        try match.forEachInstance(ofPhrase: phrase) { if $0 == column { first = min(first, $1) } }
    }
    guard column < match.columnCount, first != .max, first > 0 else { return nil }
    var words: [String] = []
    let text = try match.withText(ofColumn: column) { text in (0..<text.count).map { text[$0] } }
    try match.tokenize(text.span) { token, _, placement in
        // A synonym has the place of the word before it.
        if placement == .next { words.append(String(decoding: (0..<token.count).map { token[$0] }, as: UTF8.self)) }
    }
    return words[first - 1]
}

/// Ranks the rows with the rarest word first. How rare each word is, is counted once in a query.
private func rarity(of match: borrowing SearchMatch) throws -> Double {
    let counts = try match.withQueryState(initial: try rowCounts(of: match)) { $0 }
    var fewest = Int.max
    for phrase in 0..<match.phraseCount {
        try match.forEachInstance(ofPhrase: phrase) { _, _ in fewest = min(fewest, counts[phrase]) }
    }
    return Double(fewest)
}

/// Returns the number of rows with each phrase.
private func rowCounts(of match: borrowing SearchMatch) throws -> [Int] {
    var counts = [Int](repeating: 0, count: match.phraseCount)
    for phrase in 0..<match.phraseCount {
        try match.forEachRow(ofPhrase: phrase) { _ in
            counts[phrase] += 1
            return true
        }
    }
    return counts
}
