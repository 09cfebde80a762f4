import Squall

/// Runs the files of a schema on a database in memory, in the order of their versions, and reads the tables that they make.
///
/// Files are not trusted: statements that reach outside the database are denied, and the time and the size of the
/// database are limited.
struct SchemaRun {
    let connection: Connection
    private(set) var catalog = Catalog()
    private(set) var changes = SchemaChangeLog()
    /// The messages, in the order of their places. With an error among them, the catalog may be empty.
    private(set) var diagnostics: [Diagnostic] = []

    private let limit: Duration
    private let deadline: ContinuousClock.Instant
    private let guardian = SchemaGuard()
    private var declarations = SchemaDeclarations()
    /// The declarations that name a table and whose columns have not been found yet.
    private var pending: [SchemaComment] = []
    /// The columns of the tables that the current file has dropped.
    private var droppedColumns: [Identifier: [Identifier]] = [:]
    /// The statement that created each view.
    private var viewPlaces: [Identifier: SourceLocation] = [:]

    /// Runs the files of a schema.
    ///
    /// - Parameters:
    ///   - history: The files, in any order.
    ///   - functions: The functions that other files declare.
    ///   - collations: The collations that other files declare.
    ///   - extensions: The paths of extensions to load.
    ///   - deadline: The maximum duration of all files.
    /// - Throws: ``SQLiteError`` if the database cannot be opened.
    init(
        _ history: [SQLFolder.Version], functions: [FunctionDeclaration] = [], collations: [String] = [],
        extensions: [String] = [], deadline: Duration = .seconds(10)
    ) throws {
        connection = try SchemaLimits.connection()
        limit = deadline
        self.deadline = .now + deadline
        let files = history.sorted { $0.number < $1.number }.map { SchemaFile($0.number, $0.source) }
        diagnostics = files.flatMap(\.diagnostics)
        do {
            let stubs = SchemaStubs(connection: connection)
            try stubs.load(extensions)
            let functions = try stubs.add(functions + files.flatMap(\.functions))
            try stubs.add(collations: collations + files.flatMap(\.collations))
            try run(files)
            try readCatalog(functions)
        } catch let diagnostic as Diagnostic {
            diagnostics.append(diagnostic)
        }
        diagnostics.sort { $0.location < $1.location }
    }

    private mutating func run(_ files: [SchemaFile]) throws {
        let token = connection.addAuthorizer { [guardian] action, first, second, _, _ in
            guardian.answer(action, first, second)
        }
        defer { token.cancel() }
        for file in files { try run(file) }
    }

    private mutating func readCatalog(_ functions: [FunctionDeclaration]) throws {
        let reader = CatalogReader(connection, declarations, functions)
        let broken = try reader.brokenViews()
        diagnostics += broken.compactMap { view, error in
            viewPlaces[view].map { Diagnostic(.error, "\(view): \(explained(error))", at: $0) }
        }
        if broken.isEmpty { catalog = try reader.catalog() }
    }
}

// MARK: - Files

extension SchemaRun {
    private mutating func run(_ file: SchemaFile) throws {
        declarations.startFile()
        droppedColumns = [:]
        // `DROP TABLE` would delete the rows of other tables that refer to the table.
        if file.dropsTable { try connection.execute("PRAGMA foreign_keys = OFF") }
        defer { if file.dropsTable { try? connection.execute("PRAGMA foreign_keys = ON") } }
        do {
            try connection.transaction {
                for statement in file.statements { try run(statement, of: file) }
                pending += file.lastComments
                declarePending()
                if file.dropsTable { try checkForeignKeys(of: file) }
            }
        } catch let error as SQLiteError {
            throw Diagnostic(.error, explained(error), at: .start(of: file.source.path))
        }
        diagnostics += pending.map { comment in
            let message = "\(comment.table?.spelling ?? "the table") has no column \(comment.column)"
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
        let views = statement.renames && !viewPlaces.isEmpty ? viewColumns() : [:]
        try execute(statement.source, in: file.source)
        let change = SchemaChange(guardian.subject, statement.source)
        if let change {
            if case .createdView(let name)? = guardian.subject { viewPlaces[name] = place }
            declarations.follow(change, columns: columns)
            note(change, by: file)
            if case .renamedColumn = change { followViews(views, file) }
        }
        for comment in statement.comments {
            guard comment.table == nil else {
                pending.append(comment)
                continue
            }
            declare(comment, in: change?.declaredTable)
        }
        if !pending.isEmpty { declarePending() }
    }

    /// Compiles and runs a statement.
    private mutating func execute(_ statement: SourceText.Excerpt, in source: SourceText) throws {
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
                if case .droppedTable(let name)? = subject { droppedColumns[name] = columns(of: name) }
                try prepared.run()
                // Modules create shadow tables while their table is created.
                guardian.keep(subject)
            }
        } catch let error as SQLiteError {
            let offset = isCompiled ? 0 : error.offset ?? 0
            throw Diagnostic(.error, explained(error), at: source.location(at: statement.offset + offset))
        }
    }

    /// The message of an error, with the reason where it is known.
    private func explained(_ error: SQLiteError) -> String {
        if let refusal = guardian.refusal { return refusal }
        if error.resultCode == .interrupt { return "the schema files take longer than \(limit)" }
        if error.resultCode == .outOfMemory { return "the schema files use too much memory" }
        let hint = SchemaHint.hint(for: error, changes)
        return hint.map { "\(error.message): \($0)" } ?? error.message
    }
}

// MARK: - Names

extension SchemaRun {
    /// The columns of a table or a view; none if it does not exist, or if a view cannot be read, which is reported later.
    private func columns(of table: Identifier) -> [Identifier] {
        let columns = try? connection.catalog().allColumns(ofTable: table.spelling)
        return (columns ?? []).map { Identifier($0.name) }
    }

    /// The columns of all views; none if one of them cannot be read, with which SQLite renames no column.
    private func viewColumns() -> [Identifier: [Identifier]] {
        let catalog = connection.catalog()
        let views = try? catalog.entries(.view, by: .name).map { view in
            (Identifier(view.name), try catalog.allColumns(ofTable: view.name).map { Identifier($0.name) })
        }
        return Dictionary(views ?? []) { first, _ in first }
    }

    /// Follows the columns of views, which have the new name of a renamed column.
    private mutating func followViews(_ views: [Identifier: [Identifier]], _ file: SchemaFile) {
        guard !views.isEmpty else { return }
        for (view, columns) in viewColumns() {
            guard let old = views[view], old.count == columns.count else { continue }
            for (old, new) in zip(old, columns) where old != new {
                let change = SchemaChange.renamedColumn(table: view, old, to: new)
                declarations.follow(change) { _ in [] }
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
            // A rebuild leaves columns out.
            let left = Set(columns(of: new))
            for column in droppedColumns[new] ?? [] where !left.contains(column) {
                changes.add(file.version, table: new, column: column)
            }
        case .renamedColumn(let table, let old, let new):
            changes.add(file.version, table: table, column: old, newName: new)
        case .droppedColumn(let table, let column): changes.add(file.version, table: table, column: column)
        case .droppedTable(let name), .droppedView(let name): changes.add(file.version, table: name)
        }
    }

    /// Declares the type of a column of the table of a statement.
    private mutating func declare(_ comment: SchemaComment, in table: Identifier?) {
        guard let table else {
            let message = "the declaration belongs to no table: write table.\(comment.column)"
            return diagnostics.append(Diagnostic(.error, message, at: comment.declaration.location))
        }
        guard columns(of: table).contains(comment.column) else {
            let message = "\(table) has no column \(comment.column)"
            return diagnostics.append(Diagnostic(.error, message, at: comment.declaration.location))
        }
        declare(comment, ofColumnIn: table)
    }

    /// Declares the type of a column that exists. A column that would convert what the form stores is reported.
    private mutating func declare(_ comment: SchemaComment, ofColumnIn table: Identifier) {
        let columns = try? connection.catalog().allColumns(ofTable: table.spelling)
        let declared = columns?.first { Identifier($0.name) == comment.column }?.type
        if let declared, let found = comment.declaration.type.conversion(inColumn: declared) {
            let message =
                "\(table).\(comment.column) is \(declared), which stores \(comment.declaration.type) as \(found)"
            diagnostics.append(Diagnostic(.error, message, at: comment.declaration.location))
        }
        declarations.declare(comment.declaration, table: table, column: comment.column)
    }

    /// Declares what names its table, if the table and the column exist by now.
    private mutating func declarePending() {
        var unknown: [SchemaComment] = []
        for comment in pending {
            if let table = comment.table, columns(of: table).contains(comment.column) {
                declare(comment, ofColumnIn: table)
            } else {
                unknown.append(comment)
            }
        }
        pending = unknown
    }
}
