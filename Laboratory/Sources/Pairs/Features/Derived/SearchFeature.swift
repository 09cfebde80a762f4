import Squall
import SquallSearch

/// Search tables that follow `items`: one, or several of different forms.
final class SearchFeature: FeatureParts {
    private let definitions: [SearchTableDefinition]

    init(
        _ suffix: String, content: SearchTableDefinition.Content = .external, tokenizer: SearchTokenizer = .unicode61,
        isConditional: Bool = false, hasPrefixes: Bool = false
    ) {
        definitions = [
            SearchTableDefinition(
                "search_\(content.rawValue)_\(tokenizer.words[0])_\(isConditional)_\(hasPrefixes)_\(suffix)",
                of: .init(table: "items", rowID: "id", where: isConditional ? "stars > 0" : nil), columns: "name",
                "note",
                content: content, tokenizer: tokenizer, prefixes: hasPrefixes ? [2, 3] : [],
                detail: hasPrefixes ? .column : .full, hasColumnSizes: !hasPrefixes)
        ]
    }

    private init(_ definitions: [SearchTableDefinition]) { self.definitions = definitions }

    /// Three search tables of one table, with the options that the others do not have.
    static func several(_ suffix: String) -> SearchFeature {
        SearchFeature([
            SearchTableDefinition(
                "search_rows_\(suffix)", of: .init(table: "items", rowID: "id"), columns: "note", "name",
                unindexed: ["stars"], content: .external,
                tokenizer: .unicode61(keepsDiacritics: true, tokenCharacters: "-", separators: "x"), detail: .none),
            SearchTableDefinition(
                "search_copies_\(suffix)", of: .init(table: "items", rowID: "id"), columns: "name",
                unindexed: ["code", "note"], content: .own, tokenizer: .porter(over: .ascii), prefixes: [4]),
            SearchTableDefinition(
                "search_some_\(suffix)", of: .init(table: "items", rowID: "id", where: "stars > 0"),
                columns: "name", "note", content: .none, detail: .column),
        ])
    }

    /// The tables in which each row of `items` is, so that a change of its words is one of the table.
    var tablesOfAllRows: [String] {
        definitions.filter { definition in
            definition.source?.condition == nil
                && ["name", "note"].allSatisfy { name in definition.columns.contains { $0.name == name } }
        }.map(\.name)
    }

    /// Whether an index has the value of a column, or may depend on it.
    func follows(_ column: String) -> Bool {
        definitions.contains { definition in
            definition.source?.condition != nil || column == "id" || definition.columns.contains { $0.name == column }
        }
    }

    func shape(_ shape: inout TableShape) {
        if definitions.contains(where: { $0.source?.condition != nil && $0.content != .own }) {
            shape.hasConditionalIndex = true
        }
    }

    func configure(_ settings: inout WorldSettings) {
        if !definitions.contains(where: { $0.tokenizer == .cjk }) { return }
        settings.preparations.append { try $0.addCJKTokenizer() }
        settings.swift.preparation.append("try c.addCJKTokenizer()")
    }

    func setUp(_ world: World) throws {
        for definition in definitions {
            world.log(
                """
                let \(definition.name) = \(definition.swift)
                try db.blocking.write { try $0.create(\(definition.name)) }
                """)
            try world.database.blocking.write { try $0.create(definition) }
        }
    }

    var swift: FeatureSwift {
        FeatureSwift(expectations: definitions.map { "try c.integrityCheck(\($0.name))" })
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        let rebuilds = dice.once(in: 2)
        for definition in definitions {
            world.log("try db.blocking.write { try $0.\(rebuilds ? "rebuild" : "optimize")(\(definition.name)) }")
            try world.database.blocking.write {
                if rebuilds { try $0.rebuild(definition) } else { try $0.optimize(definition) }
            }
        }
        try world.check()
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {
        for definition in definitions { try check(definition, connection, model) }
    }

    private func check(_ definition: SearchTableDefinition, _ connection: Connection, _ model: Model) throws {
        let name = definition.name
        do {
            try connection.integrityCheck(definition)
        } catch ResultCode.readOnly {
            // The check is an INSERT, which a snapshot refuses.
        } catch {
            throw Violation(description: "integrity-check of \(name): \(error)")
        }
        let texts = definition.columns.filter(\.isIndexed).map(\.name)
        let rows = model.rows.filter { definition.source?.condition == nil || $0.stars > 0 }
        for word in ItemRow.words + ["marked"] {
            let hits: [Int64] = try connection.query(
                "SELECT rowid FROM \(name: name) WHERE \(name: name) MATCH \(SearchPattern.allWords(word)) ORDER BY rowid"
            )
            let expected = rows.filter { $0.contains(word, in: texts) }.map(\.id)
            try require(hits == expected, "\(name) finds \(hits) for \(word), not \(expected)")
        }
        for prefix in definition.prefixes {
            let hits: [Int64] = try connection.query(
                "SELECT rowid FROM \(name: name) WHERE \(name: name) MATCH \(SearchPattern.prefix(String("gamma".prefix(prefix)))) ORDER BY rowid"
            )
            let expected = rows.filter { $0.contains("gamma", in: texts) }.map(\.id)
            try require(hits == expected, "\(name) finds \(hits) for a prefix, not \(expected)")
        }
        try checkTexts(definition, connection)
    }

    /// The columns of a search table that has texts are those of the rows, also those that cannot be searched.
    private func checkTexts(_ definition: SearchTableDefinition, _ connection: Connection) throws {
        if definition.content == .none { return }
        let different = definition.columns.map { column -> SQL in
            "CAST(found.\(name: column.name) AS BLOB) IS NOT CAST(items.\(name: column.name) AS BLOB)"
        }
        let count: Int = try connection.query(
            """
            SELECT count(*) FROM main.\(name: definition.name) AS found LEFT JOIN main.items ON items.id = found.rowid
            WHERE \(different.joined(separator: " OR "))
            """)
        try require(count == 0, "\(count) rows of \(definition.name) have other values than those of the table")
    }
}

extension SearchTableDefinition {
    /// The Swift of the definition, which follows `items`.
    fileprivate var swift: String {
        let texts = columns.filter(\.isIndexed).map { "\"\($0.name)\"" }.joined(separator: ", ")
        let others = columns.filter { !$0.isIndexed }.map(\.name)
        let condition = source?.condition == nil ? "" : ", where: \"stars > 0\""
        let words = tokenizer.words.map { "\"\($0)\"" }
        let arguments = words.count > 1 ? ", arguments: \(words.dropFirst().joined(separator: ", "))" : ""
        return """
            SearchTableDefinition("\(name)", of: .init(table: "items", rowID: "id"\(condition)), columns: \(texts), \
            unindexed: \(others), content: .\(content), tokenizer: .init(\(words[0])\(arguments)), prefixes: \(prefixes), \
            detail: .\(detail), hasColumnSizes: \(hasColumnSizes))
            """
    }
}
