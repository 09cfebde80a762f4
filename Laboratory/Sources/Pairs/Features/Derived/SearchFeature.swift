import Squall
import SquallSearch

/// A search table that follows `items`.
final class SearchFeature: FeatureParts {
    private let definition: SearchTableDefinition
    /// Whether a row is in the index.
    private let isIndexed: @Sendable (ItemRow) -> Bool

    init(
        _ suffix: String, content: SearchTableDefinition.Content = .external, tokenizer: SearchTokenizer = .unicode61,
        isConditional: Bool = false, hasPrefixes: Bool = false
    ) {
        let condition: SQL? = isConditional ? "stars > 0" : nil
        isIndexed = { !isConditional || $0.stars > 0 }
        definition = SearchTableDefinition(
            "search_\(content.rawValue)_\(tokenizer.words[0])_\(isConditional)_\(hasPrefixes)_\(suffix)",
            of: .init(table: "items", rowID: "id", where: condition), columns: "name", "note", content: content,
            tokenizer: tokenizer, prefixes: hasPrefixes ? [2, 3] : [], detail: hasPrefixes ? .column : .full,
            hasColumnSizes: !hasPrefixes)
    }

    /// The table, if each row of `items` is in it, so that a change of its words is one of the table.
    var tableOfAllRows: String? { definition.source?.condition == nil ? definition.name : nil }

    func shape(_ shape: inout TableShape) {
        if definition.source?.condition != nil, definition.content == .external { shape.hasConditionalIndex = true }
    }

    func configure(_ settings: inout WorldSettings) {
        if definition.tokenizer != .cjk { return }
        settings.preparations.append { try $0.addCJKTokenizer() }
        settings.swift.preparation.append("try c.addCJKTokenizer()")
    }

    func setUp(_ world: World) throws {
        let word = definition.tokenizer.words[0]
        let tokenizer = definition.tokenizer == .cjk ? "cjk" : word == "porter" ? "porter()" : word
        let condition = definition.source?.condition == nil ? "" : ", where: \"stars > 0\""
        world.log(
            """
            let \(definition.name) = SearchTableDefinition("\(definition.name)", of: .init(table: "items", rowID: "id"\(condition)), \
            columns: "name", "note", content: .\(definition.content), tokenizer: .\(tokenizer), prefixes: \(definition.prefixes), detail: .\(definition.detail))
            try db.blocking.write { try $0.create(\(definition.name)) }
            """)
        try world.database.blocking.write { try $0.create(definition) }
    }

    var swift: FeatureSwift {
        FeatureSwift(expectations: ["try c.integrityCheck(\(definition.name))"])
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        let rebuilds = dice.once(in: 2)
        world.log("try db.blocking.write { try $0.\(rebuilds ? "rebuild" : "optimize")(\(definition.name)) }")
        try world.database.blocking.write {
            if rebuilds { try $0.rebuild(definition) } else { try $0.optimize(definition) }
        }
        try world.check()
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {
        do {
            try connection.integrityCheck(definition)
        } catch {
            throw Violation(description: "integrity-check of \(definition.name): \(error)")
        }
        for word in ItemRow.words + ["marked"] {
            let hits: [Int64] = try connection.query(
                "SELECT rowid FROM \(name: definition.name) WHERE \(name: definition.name) MATCH \(SearchPattern.allWords(word)) ORDER BY rowid"
            )
            let expected = model.rows.filter { isIndexed($0) && $0.contains(word) }.map(\.id)
            try require(hits == expected, "\(definition.name) finds \(hits) for \(word), not \(expected)")
        }
        for prefix in definition.prefixes {
            let hits: [Int64] = try connection.query(
                "SELECT rowid FROM \(name: definition.name) WHERE \(name: definition.name) MATCH \(SearchPattern.prefix(String("gamma".prefix(prefix)))) ORDER BY rowid"
            )
            let expected = model.rows.filter { isIndexed($0) && $0.contains("gamma") }.map(\.id)
            try require(hits == expected, "\(definition.name) finds \(hits) for a prefix, not \(expected)")
        }
    }
}
