/// A version that runs in the transaction of a session.
struct SessionVersion {
    private let version: Version
    private let session: SQLSession
    private let isOff: Bool
    /// The editor of a copy of the schema as it is now.
    private(set) var editor: SchemaEditor

    init(_ version: Version, of session: SQLSession, on copy: SchemaCopy, withForeignKeysOff isOff: Bool) {
        self.version = version
        self.session = session
        self.isOff = isOff
        editor = SchemaEditor(copy.connection)
        editor.begin(version.number)
    }

    /// Performs the steps, and checks what they have done.
    nonisolated(nonsending) mutating func perform() async throws {
        let faults = isOff ? try editor.faults(withForeignKeys: false) : SchemaFaults()
        var foreignKeys = ForeignKeyFaults()
        if isOff {
            try await forEachViolation {
                foreignKeys.add($0)
            } mismatch: { table, _ in
                foreignKeys.addMismatch(of: table)
            }
        }
        for action in version.actions {
            let place = "version \(version.number), \(action.title)"
            do {
                try await perform(action)
            } catch let error as SQLiteError {
                throw error.changed { $0.message += " (\(place))" }
            } catch let error as SchemaError {
                throw error.at(place)
            }
        }
        guard isOff else { return }
        do {
            try editor.check(against: faults, withForeignKeys: false)
        } catch let error as SchemaError {
            throw error.at("version \(version.number)")
        }
        var found = NewForeignKeyFaults(against: foreignKeys, originalName: editor.originalName)
        try await forEachViolation {
            found.add($0)
        } mismatch: { table, message in
            try found.checkMismatch(of: table, message)
        }
        try found.check()
    }

    private nonisolated(nonsending) mutating func perform(_ action: SchemaAction) async throws {
        guard let script = action.sql else { return try await replay { try $0.perform(action) } }
        // Its statements may depend on rows, which the copy does not have.
        try await session.execute(script.withLiterals)
        if action.needsForeignKeysOff { editor.hasRemoved = true }
        let copy = try await SchemaCopy(of: session, withForeignKeysOff: isOff)
        editor = SchemaEditor(copy.connection, continuing: editor)
    }

    /// Changes the copy, and runs the same statements in the session.
    nonisolated(nonsending) func replay(_ body: (SchemaEditor) throws -> Void) async throws {
        let length = editor.log.count
        try body(editor)
        for sql in editor.log.dropFirst(length) { try await session.execute(sql) }
    }

    private nonisolated(nonsending) func forEachViolation(
        _ body: (ForeignKeyViolation) -> Void, mismatch: (_ table: String, _ message: String) throws -> Void
    ) async throws {
        for table in try editor.connection.catalog().tablesWithForeignKeys() {
            do {
                try await session.foreignKeyCheck(table).forEach(body)
            } catch let error as SQLiteError where error.resultCode == .error {
                try mismatch(table, error.message)
            }
        }
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

extension SQLSession {
    fileprivate nonisolated(nonsending) func foreignKeyCheck(_ table: String) async throws -> [ForeignKeyViolation] {
        try await query("PRAGMA foreign_key_check(\(name: table))", as: ForeignKeyViolation.self) {
            ForeignKeyViolation(
                table: try $0.get(0), rowID: try $0.get(1), parent: try $0.get(2), constraintIndex: try $0.get(3))
        }
    }
}
