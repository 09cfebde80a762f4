/// Writes the queries of a file as Swift source.
struct QueryFileSource {
    let queries: [GeneratedQuery]
    /// The row types that only queries of this file return.
    let rows: [GeneratedRow]
    /// The path below the folder of the SQL files.
    let path: String
    /// The name of the enumeration with the SQL.
    let statements: String
    let access: Access

    /// The lines of each declaration.
    var sections: [[String]] {
        var names = UniqueNames()
        let statementNames = queries.map { query in
            query.query.statements.indices.map { index in
                names.unique(query.query.statements.count == 1 ? query.function : "\(query.function)\(index + 1)")
            }
        }
        let functions = zip(queries, statementNames).map { query, names in
            FunctionSource(
                query: query, statements: names.map { "\(statements).\(SwiftName.escaped($0))" }, access: access)
        }
        return rows.map { RowSource(row: $0, access: access).lines } + [
            statementDeclarations(statementNames),
            Self.extensionLines("nonisolated extension Connection", functions.map(\.connectionFunctions)),
            Self.extensionLines("extension Database", functions.map(\.databaseFunction)),
        ] + helpers
    }

    private func statementDeclarations(_ names: [[String]]) -> [String] {
        let declarations = zip(queries, names).filter { !$0.0.hasLists }.flatMap { query, names in
            names.enumerated().map { index, name in
                let literal = StatementSource(query: query, index: index).literal(indentation: "        ")
                return ["    static let \(SwiftName.escaped(name)): SQL = \(literal)"]
            }
        }
        if declarations.isEmpty { return [] }
        let summary = SwiftText.documentation(["The statements of \(path)."])
        return summary + ["private nonisolated enum \(statements) {"]
            + declarations.joined(separator: [""]) + ["}"]
    }

    private static func extensionLines(_ head: String, _ functions: [[String]]) -> [String] {
        functions.isEmpty ? [] : ["\(head) {"] + functions.joined(separator: [""]) + ["}"]
    }

    /// The types by which single values are read, where they are needed.
    private var helpers: [[String]] {
        let values = queries.compactMap { query -> ResultColumn? in
            switch query.query.result {
            case .values(.one, let column): column
            case .values(.optional, let column) where !column.type.isQueryResult || column.type.form != .direct: column
            default: nil
            }
        }
        var helpers: [[String]] = []
        if values.contains(where: \.isOptional) {
            helpers.append(Self.helper("A value that can be NULL, of a row.", "NullableValue", "Value?"))
        }
        if values.contains(where: { !$0.isOptional && !$0.type.isQueryResult }) {
            helpers.append(Self.helper("A value of a row.", "RequiredValue", "Value"))
        }
        return helpers
    }

    private static func helper(_ summary: String, _ name: String, _ type: String) -> [String] {
        [
            "/// \(summary)",
            "private nonisolated struct \(name)<Value: ColumnReadable>: ExpressibleByRow {",
            "    let value: \(type)",
            "",
            "    init(row: Row) throws {",
            "        value = try row.get(0)",
            "    }",
            "}",
        ]
    }
}
