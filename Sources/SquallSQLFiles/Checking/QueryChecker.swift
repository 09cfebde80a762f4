import Squall

/// Checks the queries of files on a database that has the schema.
struct QueryChecker {
    private let compiler: StatementCompiler

    /// - Parameter changes: The renamed and dropped tables and columns, which errors name.
    init(_ connection: Connection, _ catalog: Catalog, _ changes: SchemaChangeLog = SchemaChangeLog()) throws {
        compiler = try StatementCompiler(connection, catalog, changes)
    }

    /// Checks queries.
    func check(_ declarations: [QueryDeclaration]) throws -> (queries: [CheckedQuery], diagnostics: [Diagnostic]) {
        var (queries, diagnostics) = ([CheckedQuery](), [Diagnostic]())
        for declaration in declarations {
            do {
                let (query, found) = try check(declaration)
                diagnostics += found
                guard let query, found.isEmpty else { continue }
                queries.append(query)
            } catch let diagnostic as Diagnostic {
                diagnostics.append(diagnostic)
            }
        }
        return (queries, diagnostics)
    }

    private func check(_ declaration: QueryDeclaration) throws -> (CheckedQuery?, [Diagnostic]) {
        let statements = try declaration.statements.map { statement in
            try compiler.compile(statement, in: declaration.source, declared: Self.declared(declaration, statement))
        }
        guard let last = statements.last else { return (nil, []) }
        let parameters = ParameterResolution(declaration, statements)
        let result = ResultResolution(declaration, last)
        var diagnostics = parameters.diagnostics + result.diagnostics
        diagnostics += unused(declaration, parameters.names, last.columnNames)
        diagnostics += statements.dropLast().filter { !$0.columnNames.isEmpty }.map { statement in
            Diagnostic(
                .error, "only the last statement of a query returns rows",
                at: declaration.source.location(at: statement.source.offset))
        }
        if let place = declaration.noScan {
            let planner = StatementPlanner(connection: compiler.connection, catalog: compiler.catalog)
            for step in try declaration.statements.flatMap({ try planner.plan(of: $0)?.scans ?? [] }) {
                diagnostics.append(Diagnostic(.error, "the plan reads a whole table: \(step.detail)", at: place))
            }
        }
        let query = CheckedQuery(
            declaration: declaration,
            statements: statements.map {
                CheckedQuery.Statement(pieces: $0.text.pieces(parameters.names), isReadOnly: $0.isReadOnly)
            },
            parameters: parameters.parameters, result: result.shape,
            isReadOnly: statements.allSatisfy(\.isReadOnly), uses: Self.merged(statements.flatMap(\.tables)))
        return (query, diagnostics)
    }

    /// The declared types of the parameters of a statement, by name with the prefix.
    private static func declared(
        _ declaration: QueryDeclaration, _ statement: SourceText.Excerpt
    ) -> [String: TypeDeclaration] {
        guard !declaration.types.isEmpty else { return [:] }
        var result: [String: TypeDeclaration] = [:]
        for token in SQLTokenizer.tokens(of: statement.text, readsLists: true) where token.kind == .parameter {
            result[token.text] = declaration.types.ofParameter(String(token.text.dropFirst()))
        }
        return result
    }

    /// Reports declarations of what the query does not have.
    private func unused(_ declaration: QueryDeclaration, _ parameters: [String], _ columns: [String]) -> [Diagnostic] {
        let known = Set(parameters.flatMap { [Identifier($0), Identifier(":\($0)")] } + columns.map(Identifier.init))
        return declaration.types.filter { !known.contains($0.key) }.map { name, type in
            let message = "the comment declares a type, but the query has neither a column nor a parameter \(name)"
            return Diagnostic(.error, message, at: type.location)
        }.sorted { $0.location < $1.location }
    }

    private static func merged(_ uses: [TableUse]) -> [TableUse] {
        var columns: [Identifier: [Identifier]] = [:]
        for use in uses {
            let known = columns[use.table] ?? []
            columns[use.table] = known + use.columns.filter { !known.contains($0) }
        }
        return columns.map { TableUse(table: $0.key, columns: $0.value.sorted { $0.spelling < $1.spelling }) }
            .sorted { $0.table.spelling < $1.table.spelling }
    }
}
