import Squall

/// A version that runs in the transaction of a connection of a store.
struct StoreVersion {
    private let version: Version
    private let connection: StoreConnection
    private let isOff: Bool
    /// The editor of a copy of the schema as it is now.
    private(set) var editor: SchemaEditor

    init(_ version: Version, of connection: StoreConnection, on copy: SchemaCopy, withForeignKeysOff isOff: Bool) {
        self.version = version
        self.connection = connection
        self.isOff = isOff
        editor = SchemaEditor(copy.connection)
        editor.begin(version.number)
    }

    /// Performs the steps, and checks what they have done.
    nonisolated(nonsending) mutating func perform() async throws {
        let before = try await foreignKeys()
        let run = try VersionRun(version, with: editor) { before }
        // 3 to 8 of a rebuild: see `SchemaEditor.rebuild(_:)`. The store does 1, 2, 11 and 12.
        for action in version.actions {
            do { try await perform(action) } catch { throw run.error(error, in: action) }
        }
        // 9 and 10. Once for all steps.
        let after = try await foreignKeys()
        try run.check(with: editor) { after }
    }

    private nonisolated(nonsending) mutating func perform(_ action: SchemaAction) async throws {
        guard let script = action.sql else { return try await replay { try $0.perform(action) } }
        // Its statements may depend on rows, which the copy does not have.
        try await connection.execute(script.withLiterals)
        if action.needsForeignKeysOff { editor.hasRemoved = true }
        let copy = try await SchemaCopy(of: connection, withForeignKeysOff: isOff)
        editor = SchemaEditor(copy.connection, continuing: editor)
    }

    /// Changes the copy, and runs the same statements on the connection.
    nonisolated(nonsending) func replay(_ body: (SchemaEditor) throws -> Void) async throws {
        let length = editor.log.count
        try body(editor)
        for sql in editor.log.dropFirst(length) { try await connection.execute(sql) }
    }

    /// Returns the foreign keys of the database; `nil` while they are on, because then SQLite checks them.
    private nonisolated(nonsending) func foreignKeys() async throws -> ForeignKeyReport? {
        guard isOff else { return nil }
        var report = ForeignKeyReport()
        for table in try editor.connection.catalog().tablesWithForeignKeys() {
            let answer: Result<[ForeignKeyViolation], any Error>
            do { answer = .success(try await connection.foreignKeyCheck(table)) } catch { answer = .failure(error) }
            try report.add(table, answer)
        }
        return report
    }
}

extension SchemaAction {
    /// The SQL that the user wrote; `nil` for other steps.
    fileprivate var sql: SQL? {
        switch self {
        case .sql(let sql): sql
        case .script(let text, _): SQL(raw: text)
        default: nil
        }
    }
}

extension StoreConnection {
    fileprivate nonisolated(nonsending) func foreignKeyCheck(_ table: String) async throws -> [ForeignKeyViolation] {
        try await query("PRAGMA foreign_key_check(\(name: table))", as: ForeignKeyViolation.self) {
            ForeignKeyViolation(
                table: try $0.get(0), rowID: try $0.get(1), parent: try $0.get(2), constraintIndex: try $0.get(3))
        }
    }
}
