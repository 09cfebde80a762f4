@testable import SquallSQLFiles

/// Makes checked queries for tests, without SQLite.
enum SampleQuery {
    /// Makes a query of statements in which each `:name` is a parameter, and each `:name...` a list.
    static func make(
        _ name: String, in file: String = "SQL/cars.sql", _ statements: String..., documentation: [String] = [],
        parameters: [(String, ValueType)] = [], optional: Set<String> = [], result: QueryResultShape,
        readOnly: [Bool]? = nil, uses: [TableUse] = []
    ) -> CheckedQuery {
        let readOnly = readOnly ?? statements.map { $0.hasPrefix("SELECT") }
        let lists = statements.flatMap { $0.matches(of: /:(\w+)\.\.\./).map { String($0.1) } }
        let checked = zip(statements, readOnly).map { sql, isReadOnly in
            CheckedQuery.Statement(pieces: pieces(sql, parameters.map(\.0)), isReadOnly: isReadOnly)
        }
        return CheckedQuery(
            declaration: declaration(name, file, statements, documentation), statements: checked,
            parameters: parameters.map { name, type in
                QueryParameter(
                    name: name, type: type, isOptional: optional.contains(name), isList: lists.contains(name))
            },
            result: result, isReadOnly: readOnly.allSatisfy { $0 }, uses: uses)
    }

    private static func declaration(
        _ name: String, _ file: String, _ statements: [String], _ documentation: [String]
    ) -> QueryDeclaration {
        QueryDeclaration(
            name: name, location: SourceLocation(file: file, line: 1, column: 10), cardinality: nil, row: nil,
            documentation: documentation, types: [:], noScan: nil,
            statements: statements.map { SourceText.Excerpt(text: $0, offset: 0) },
            source: SourceText(path: file, text: ""))
    }

    private static func pieces(_ sql: String, _ names: [String]) -> [CheckedQuery.Statement.Piece] {
        var pieces: [CheckedQuery.Statement.Piece] = []
        var start = sql.startIndex
        for match in sql.matches(of: /:([\w]+)(\.\.\.)?/) {
            guard let index = names.firstIndex(of: String(match.1)) else { continue }
            pieces.append(.text(String(sql[start..<match.range.lowerBound])))
            pieces.append(match.2 == nil ? .parameter(index) : .list(index))
            start = match.range.upperBound
        }
        return start == sql.endIndex ? pieces : pieces + [.text(String(sql[start...]))]
    }

    /// Returns the columns of a record, in order.
    static func columns(_ columns: (String, ValueType, Bool)..., from first: Int = 0) -> [ResultColumn] {
        columns.enumerated().map { index, column in
            ResultColumn(name: column.0, index: first + index, type: column.1, isOptional: column.2)
        }
    }

    /// Returns the shape of one value.
    static func value(_ cardinality: Cardinality, _ type: ValueType, optional: Bool = false) -> QueryResultShape {
        .values(cardinality, ResultColumn(name: "value", index: 0, type: type, isOptional: optional))
    }

    /// Returns the text of the Swift file of one SQL file.
    static func swift(_ queries: CheckedQuery..., access: Access = .internal) throws -> String {
        try sources(queries, access: access).files[0].text
    }

    static func sources(
        _ queries: [CheckedQuery], catalog: Catalog = Catalog(), access: Access = .internal
    ) throws -> GeneratedSources {
        var paths: [String] = []
        for query in queries where !paths.contains(query.declaration.source.path) {
            paths.append(query.declaration.source.path)
        }
        return try GeneratedSources(
            queries, of: paths, below: "SQL", catalog: catalog, sqliteVersion: "3.45.1", access: access)
    }

    /// Returns the messages because of which nothing is generated.
    static func messages(_ queries: CheckedQuery...) -> [String] {
        do {
            _ = try sources(queries)
            return []
        } catch let error as DiagnosticsError {
            return error.diagnostics.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }
}
