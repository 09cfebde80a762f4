import Squall

/// A statement that SQLite has compiled, and what the analysis found in it.
struct CompiledStatement {
    let source: SourceText.Excerpt
    let tokens: [Token]
    let text: RunnableText
    /// The names of the columns, as SQLite reports them.
    let columnNames: [String]
    let isReadOnly: Bool
    /// The statement, if it could be read.
    let syntax: StatementSyntax?
    /// The columns of the result; empty if they could not be analysed.
    let results: [Analysis.Result]
    let uses: [Analysis.ParameterUse]
    /// The columns that the statement uses, directly and through views.
    let tables: [TableUse]
}

/// Compiles statements on a database that has the schema.
final class StatementCompiler {
    let connection: Connection
    let catalog: Catalog
    private let changes: SchemaChangeLog
    private let recorder: UseRecorder

    /// - Parameter changes: The renamed and dropped tables and columns, which errors name.
    init(_ connection: Connection, _ catalog: Catalog, _ changes: SchemaChangeLog = SchemaChangeLog()) throws {
        self.connection = connection
        self.catalog = catalog
        self.changes = changes
        // Adds the module of lists to the connection.
        let _: [Int] = try connection.query("SELECT value FROM \(array: [1])")
        let recorder = UseRecorder(catalog)
        self.recorder = recorder
        connection.addAuthorizer { action, first, second, _, source in
            recorder.record(action, first, second, source)
            return .ok
        }
    }

    /// Compiles a statement.
    ///
    /// - Parameter declared: The declared types of parameters, by name with the prefix.
    /// - Throws: ``Diagnostic`` for SQL that SQLite refuses.
    func compile(
        _ statement: SourceText.Excerpt, in source: SourceText, declared: [String: TypeDeclaration]
    ) throws -> CompiledStatement {
        let tokens = SQLTokenizer.tokens(of: statement.text, readsLists: true)
        if let list = tokens.firstMisplacedList {
            let place = source.location(at: statement.offset + list.range.lowerBound)
            throw Diagnostic(.error, "a list stands alone after IN: IN (\(list.text)...)", at: place)
        }
        recorder.start()
        var text = RunnableText(statement.text, tokens: tokens)
        var prepared = try prepare(text, statement, source)
        let names = prepared.columnNames
        let syntax = try? Parser.statement(tokens)
        let analysis = Analysis(catalog: catalog, declared: declared)
        var results = syntax.map(analysis.infer) ?? []
        // A result whose columns SQLite counts or names differently was not analysed correctly.
        if results.count != names.count || !zip(results, names).allSatisfy({ $0.isNamed($1) }) { results = [] }
        if !analysis.stars.isEmpty, results.count == names.count {
            let expanded = RunnableText(statement.text, tokens: tokens, stars: analysis.stars)
            if let other = try? connection.prepare(SQL(raw: expanded.text)),
                other.columnNames.map(Identifier.init) == names.map(Identifier.init)
            {
                (text, prepared) = (expanded, other)
            }
        }
        return CompiledStatement(
            source: statement, tokens: tokens, text: text, columnNames: names, isReadOnly: prepared.isReadOnly,
            syntax: syntax, results: results, uses: analysis.uses,
            tables: recorder.uses + (syntax?.insertedColumns(of: catalog) ?? []))
    }

    private func prepare(
        _ text: RunnableText, _ statement: SourceText.Excerpt, _ source: SourceText
    ) throws -> Statement {
        do {
            return try connection.prepare(SQL(raw: text.text))
        } catch let error as SQLiteError {
            let offset = error.offset.map(text.originalOffset) ?? 0
            // A token without an end is quoted with all lines after it.
            var message = error.message.split(separator: "\n").first.map(String.init) ?? ""
            if let hint = SchemaHint.hint(for: error, changes) { message += ": \(hint)" }
            throw Diagnostic(.error, message, at: source.location(at: statement.offset + offset))
        }
    }
}

extension StatementSyntax {
    /// The columns that an INSERT writes. SQLite does not report them to an authorizer.
    fileprivate func insertedColumns(of catalog: Catalog) -> [TableUse] {
        guard case .insert(let insert) = self, insert.source != nil, let table = catalog.tables[insert.table] else {
            return []
        }
        let updated = insert.upserts.flatMap(\.assignments).flatMap(\.columns).compactMap(table.column)
        let columns =
            (insert.columns.isEmpty ? table.writtenColumns : insert.columns.compactMap(table.column)) + updated
        return [TableUse(table: table.name, columns: columns.map(\.name))]
    }
}

extension Analysis.Result {
    /// Whether SQLite reports a name for this column. It calls a rowid by the name of its column, and of equal names in a join
    /// in parentheses it calls the second `name:1`.
    fileprivate func isNamed(_ name: String) -> Bool {
        guard let own = self.name, !CatalogTable.rowIDNames.contains(own), own != Identifier(name) else { return true }
        let start = name.prefix { $0 != ":" }
        return own == Identifier(start) && name.utf8.dropFirst(start.utf8.count + 1).allSatisfy(\.isDigit)
    }
}

extension [Token] {
    /// The first list that is not all of what stands after IN.
    fileprivate var firstMisplacedList: Token? {
        for (index, token) in enumerated() where token.kind == .list {
            let isInParentheses = self[safe: index - 1]?.is("(") == true && self[safe: index + 1]?.is(")") == true
            if self[safe: index - (isInParentheses ? 2 : 1)]?.is("IN") != true { return token }
        }
        return nil
    }
}
