import Squall

/// Runs the files of a schema on a database in memory, in the order of their versions, and reads the tables that they make.
///
/// Files are not trusted: statements that reach outside the database are denied, and the time and the size of the database
/// are limited.
struct SchemaRun {
    private let files: [SchemaFile]
    private let deadline: ContinuousClock.Instant
    private let limit: Duration
    private let connection: Connection
    private let guardian = SchemaGuard()
    private var functions: [FunctionDeclaration]
    private var types = SchemaDeclarations()
    private var changes = SchemaChangeLog()
    /// The declarations whose columns have not been found yet.
    private var pending: [SchemaComment] = []
    /// The statement that created each view.
    private var viewPlaces: [Name: SourceLocation] = [:]
    private var diagnostics: [Diagnostic] = []

    /// Runs schema files.
    ///
    /// - Parameters:
    ///   - files: The files with the numbers of their versions, in any order.
    ///   - functions: The functions of the app's that other files declare.
    ///   - collations: The collations that other files declare.
    ///   - extensions: The paths of extensions to load.
    ///   - deadline: The time that all files together may take.
    /// - Returns: The schema, or `nil` if a statement failed; and the messages.
    static func run(
        _ files: [(version: Int, source: SourceText)], functions: [FunctionDeclaration] = [], collations: [String] = [],
        extensions: [String] = [], deadline: Duration = .seconds(10)
    ) throws -> (schema: CheckedSchema?, diagnostics: [Diagnostic]) {
        let files = files.sorted { $0.version < $1.version }.map { SchemaFile($0.version, $0.source) }
        var run = SchemaRun(files, functions + files.flatMap(\.functions), deadline, try SchemaLimits.connection())
        do {
            let stubs = SchemaStubs(connection: run.connection)
            try stubs.load(extensions)
            run.functions = try stubs.add(run.functions)
            try stubs.add(collations: collations + files.flatMap(\.collations))
            let schema = try run.schema()
            return (schema, run.diagnostics.sorted { $0.location < $1.location })
        } catch let diagnostic as Diagnostic {
            return (nil, run.diagnostics + [diagnostic])
        }
    }

    private init(
        _ files: [SchemaFile], _ functions: [FunctionDeclaration], _ limit: Duration, _ connection: Connection
    ) {
        (self.files, self.functions, self.limit, self.connection) = (files, functions, limit, connection)
        deadline = .now + limit
        diagnostics = files.flatMap(\.diagnostics)
    }

    private mutating func schema() throws -> CheckedSchema {
        let token = connection.addAuthorizer { [guardian] action, first, second, _, _ in
            guardian.answer(action, first, second)
        }
        for file in files { try run(file) }
        token.cancel()
        var catalog = try CatalogReader(connection, types: types.types).catalog()
        catalog.functions = Dictionary(grouping: functions, by: \.name)
        diagnostics += try CatalogReader.brokenViews(connection).map { view in
            let place = viewPlaces[view.name] ?? .start(of: files.last?.source.path ?? "")
            return Diagnostic(.error, "view \(view.name): \(explained(view.error))", at: place)
        }
        return CheckedSchema(connection: connection, catalog: catalog, changes: changes)
    }
}

// MARK: - Files

extension SchemaRun {
    private mutating func run(_ file: SchemaFile) throws {
        types.startFile()
        // `DROP TABLE` would delete the rows of other tables that refer to the table.
        if file.dropsTable { try connection.execute("PRAGMA foreign_keys = OFF") }
        defer { if file.dropsTable { try? connection.execute("PRAGMA foreign_keys = ON") } }
        do {
            try connection.transaction {
                for statement in file.statements { try run(statement, of: file) }
                pending += file.lastComments
                try declarePending()
                if file.dropsTable { try checkForeignKeys(of: file) }
            }
        } catch let error as SQLiteError {
            throw Diagnostic(.error, explained(error), at: .start(of: file.source.path))
        }
        diagnostics += pending.map { comment in
            let message = "\(comment.table ?? "the statement") has no column \(comment.column)"
            return Diagnostic(.error, message, at: comment.declaration.location)
        }
        pending = []
    }

    private func checkForeignKeys(of file: SchemaFile) throws {
        let row: (String, String)? = try connection.query("PRAGMA foreign_key_check") { row in
            (try row.get(0), try row.get(2))
        }
        guard let (table, parent) = row else { return }
        throw Diagnostic(
            .error, "rows of \(table) refer to rows of \(parent) that do not exist after this file",
            at: .start(of: file.source.path))
    }

    private mutating func run(_ statement: SchemaFile.Statement, of file: SchemaFile) throws {
        let place = file.source.location(at: statement.source.offset)
        let views = try statement.renames ? viewColumns() : [:]
        try execute(statement.source, in: file.source)
        let change = SchemaChange(guardian.subject, statement.source)
        if let change {
            if case .createdView(let name)? = guardian.subject { viewPlaces[name] = place }
            try types.follow(change, columns: columns)
            note(change, by: file)
            if case .renamedColumn = change { try followViews(views, file) }
        }
        for comment in statement.comments {
            guard comment.table == nil else {
                pending.append(comment)
                continue
            }
            try declare(comment, in: change?.declaredTable)
        }
        if !pending.isEmpty { try declarePending() }
    }

    /// Compiles and runs a statement.
    private func execute(_ statement: SourceStatement, in source: SourceText) throws {
        guardian.start()
        guardian.isOn = true
        defer { guardian.isOn = false }
        let rest = deadline - .now
        var isCompiled = false
        do {
            try connection.withDeadline(rest) {
                let prepared = try connection.prepare(SQL(raw: statement.text))
                isCompiled = true
                let subject = guardian.subject
                try prepared.run()
                // Modules create tables of their own while their table is created.
                guardian.keep(subject)
            }
        } catch let error as SQLiteError {
            let offset = isCompiled ? 0 : error.offset ?? 0
            throw Diagnostic(.error, explained(error), at: source.location(at: statement.offset + offset))
        }
    }

    /// The message of an error, with the reason where it is known.
    private func explained(_ error: SQLiteError) -> String {
        if error.resultCode == .authorizationDenied, let refusal = guardian.refusal { return refusal }
        if error.resultCode == .interrupt { return "the schema files take longer than \(limit)" }
        let hint = SchemaHint.hint(for: error, changes)
        return hint.map { "\(error.message): \($0)" } ?? error.message
    }
}

// MARK: - Names

extension SchemaRun {
    private func columns(of table: Name) throws -> [Name] {
        try connection.query("SELECT name FROM pragma_table_xinfo(\(table.spelling))") { (row: Row) in
            Name(try row.get(0) as String)
        }
    }

    /// The columns of all views; none if one of them cannot be read, with which SQLite renames no column.
    private func viewColumns() throws -> [Name: [Name]] {
        let rows: [(Name, Name)]? = try? connection.query(
            """
            SELECT m.name, x.name FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS x WHERE m.type = 'view' \
            ORDER BY m.name, x.cid
            """
        ) { row in
            (Name(try row.get(0) as String), Name(try row.get(1) as String))
        }
        return Dictionary(grouping: rows ?? [], by: \.0).mapValues { $0.map(\.1) }
    }

    /// Follows the columns of views, which have the new name of a renamed column.
    private mutating func followViews(_ views: [Name: [Name]], _ file: SchemaFile) throws {
        guard !views.isEmpty else { return }
        for (view, columns) in try viewColumns() {
            guard let old = views[view], old.count == columns.count else { continue }
            for (old, new) in zip(old, columns) where old != new {
                let change = SchemaChange.renamedColumn(table: view, old, to: new)
                types.follow(change) { _ in [] }
                note(change, by: file)
            }
        }
    }

    private mutating func note(_ change: SchemaChange, by file: SchemaFile) {
        switch change {
        case .created(let name): changes.remove(table: name)
        case .addedColumn: break
        case .renamedTable(let old, let new):
            changes.add(file.version, table: old, newName: new)
            changes.remove(table: new)
        case .renamedColumn(let table, let old, let new):
            changes.add(file.version, table: table, column: old, newName: new)
        case .droppedColumn(let table, let column): changes.add(file.version, table: table, column: column)
        case .droppedTable(let name), .droppedView(let name): changes.add(file.version, table: name)
        }
    }

    /// Declares the type of a column of the table of a statement.
    private mutating func declare(_ comment: SchemaComment, in table: Name?) throws {
        guard let table else {
            let message = "the declaration belongs to no table: write table.\(comment.column)"
            return diagnostics.append(Diagnostic(.error, message, at: comment.declaration.location))
        }
        guard try columns(of: table).contains(comment.column) else {
            let message = "\(table) has no column \(comment.column)"
            return diagnostics.append(Diagnostic(.error, message, at: comment.declaration.location))
        }
        types.declare(comment.declaration, table: table, column: comment.column)
    }

    /// Declares what names its table, if the table and the column exist by now.
    private mutating func declarePending() throws {
        for comment in pending {
            if let table = comment.table, try columns(of: table).contains(comment.column) {
                types.declare(comment.declaration, table: table, column: comment.column)
            }
        }
        try pending.removeAll { comment in
            guard let table = comment.table else { return false }
            return try columns(of: table).contains(comment.column)
        }
    }
}
