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
        let violations = isOff ? try await foreignKeyFaults() : ForeignKeyFaults()
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
        try await foreignKeyFaults().check(against: violations, originalName: editor.originalName)
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

    private nonisolated(nonsending) func foreignKeyFaults() async throws -> ForeignKeyFaults {
        var faults = ForeignKeyFaults()
        for table in try editor.connection.catalog().tablesWithForeignKeys() {
            do {
                faults.violations += try await session.foreignKeyCheck(table)
            } catch let error as SQLiteError where error.resultCode == .error {
                faults.mismatches[table] = error.message
            }
        }
        return faults
    }
}

/// The rows that refer to missing rows, and the tables whose foreign keys refer to columns that cannot be referenced.
private struct ForeignKeyFaults {
    private struct KnownViolation: Hashable {
        let table: Identifier
        let rowID: Int64?
        let parent: Identifier
    }

    var violations: [ForeignKeyViolation] = []
    /// The messages of SQLite, by the table.
    var mismatches: [String: String] = [:]

    /// Throws for a fault that was not there before.
    ///
    /// - Parameter originalName: Returns the name that a table had before.
    func check(against earlier: Self, originalName: (String) -> Identifier) throws {
        let knownTables = Set(earlier.mismatches.keys.map { Identifier($0) })
        for (table, message) in mismatches where !knownTables.contains(originalName(table)) {
            throw SchemaError.inUse(message)
        }
        let known = Set(
            earlier.violations.map {
                KnownViolation(table: Identifier($0.table), rowID: $0.rowID, parent: Identifier($0.parent))
            })
        let found = violations.filter {
            !known.contains(
                KnownViolation(table: originalName($0.table), rowID: $0.rowID, parent: originalName($0.parent)))
        }
        guard let first = found.first else { return }
        let list = found.filter { $0.table == first.table && $0.parent == first.parent }
        throw SchemaError.foreignKeysViolated(list, table: first.table, parent: first.parent)
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
