extension Schema {
    /// Migrates the database of a session to the latest version, in the transaction of the session: for a store whose
    /// database is on another machine.
    ///
    /// The SQL is found on a copy of the schema without rows, in memory. All versions that the database lacks are one
    /// transaction. The caller has turned foreign keys off before the transaction, if ``needsForeignKeysOff`` is `true`, and
    /// does not use the connection again after an error.
    ///
    /// - Returns: Whether any version was run.
    /// - Throws: ``SchemaError``: as ``migrate(_:to:options:waiting:progress:)-(Connection,_,_,_,_)``, and for a step with a closure, before
    ///   anything is run; ``SQLiteError``; what the session throws.
    public nonisolated(nonsending) func migrate(_ session: SQLSession) async throws -> Bool {
        try checkHasNoClosures()
        let statements = try await statements(for: session)
        if statements.isEmpty { return false }
        let violations = needsForeignKeysOff ? try await session.foreignKeyViolations() : []
        for sql in statements where !sql.text.hasPrefix("--") { try await session.execute(sql) }
        if needsForeignKeysOff { try Self.check(try await session.foreignKeyViolations(), against: violations) }
        return true
    }

    /// Whether a version rebuilds or drops a table, during which SQLite must not enforce foreign keys.
    public var needsForeignKeysOff: Bool { versions.contains(where: \.needsForeignKeysOff) }

    private func checkHasNoClosures() throws {
        let refused = versions.flatMap { version in
            version.actions.filter(\.isClosure).map {
                "version \(version.number), \($0.title): a closure cannot run where the database is on another machine"
            }
        }
        guard refused.isEmpty else { throw SchemaError.invalid(refused) }
    }

    private nonisolated(nonsending) func statements(for session: SQLSession) async throws -> [SQL] {
        let entries: [SchemaCopy.Entry] = try await session.query(
            "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        let copy = try SchemaCopy(entries)
        for table in try copy.copiedTables {
            try copy.insert(try await session.query("SELECT * FROM \(name: table)", as: Row.self), into: table)
        }
        let version: Int = try await session.query("PRAGMA user_version")
        return try copy.statements(of: self, from: version)
    }

    private static func check(_ violations: [ForeignKeyViolation], against earlier: [ForeignKeyViolation]) throws {
        let known = Set(earlier)
        let found = violations.filter { !known.contains($0) }
        guard let first = found.first else { return }
        let list = found.filter { $0.table == first.table && $0.parent == first.parent }
        throw SchemaError.foreignKeysViolated(list, table: first.table, parent: first.parent)
    }
}

extension SchemaAction {
    fileprivate var isClosure: Bool { if case .closure = self { true } else { false } }
}

extension SQLSession {
    fileprivate nonisolated(nonsending) func foreignKeyViolations() async throws -> [ForeignKeyViolation] {
        try await query("PRAGMA foreign_key_check", as: ForeignKeyViolation.self) {
            ForeignKeyViolation(
                table: try $0.get(0), rowID: try $0.get(1), parent: try $0.get(2), constraintIndex: try $0.get(3))
        }
    }
}

/// The schema of a database elsewhere, in memory, with the rows that the SQL of a migration depends on.
private struct SchemaCopy {
    struct Entry: Decodable, Sendable {
        let type: String
        let name: String
        let sql: String
    }

    private static let tablesWithRows = ["sqlite_sequence", "sqlite_stat1", "squall_versions"]

    private let connection: Connection

    init(_ entries: [Entry]) throws {
        connection = try Connection()
        try connection.run("PRAGMA foreign_keys = ON")
        for type in ["table", "index", "view", "trigger"] {
            for entry in entries where entry.type == type && !entry.name.hasPrefix("sqlite_") {
                // A virtual table has created the tables that store its rows.
                let isThere: Bool = try connection.query(
                    "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = \(type) AND name = \(entry.name))")
                if !isThere { try connection.runSingle(SQL(raw: entry.sql)) }
            }
        }
        if entries.contains(where: { $0.name == "sqlite_stat1" }) { try connection.run("ANALYZE sqlite_master") }
    }

    /// The tables whose rows are copied.
    var copiedTables: [String] {
        get throws {
            try connection.query("SELECT name FROM sqlite_master WHERE name IN \(in: Self.tablesWithRows)")
        }
    }

    func insert(_ rows: [Row], into table: String) throws {
        for row in rows {
            let values = try row.columns.indices.map { "\(try row.get($0) as BindingValue?)" as SQL }.joined(
                separator: ", ")
            try connection.run("INSERT INTO \(name: table) VALUES(\(values))")
        }
    }

    func statements(of schema: Schema, from version: Int) throws -> [SQL] {
        try connection.run("PRAGMA user_version = \(raw: "\(version)")")
        return try schema.dryRun(connection)
    }
}
