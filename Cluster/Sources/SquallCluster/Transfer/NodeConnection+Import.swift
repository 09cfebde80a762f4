import Squall

extension NodeConnection {
    /// Copies a database file into the open database of the connection, and compares all rows afterwards.
    ///
    /// The tables are created first, then come the rows in transactions of about a megabyte, then indexes, triggers and
    /// views. The statistics of ANALYZE are computed again if the file has some. Rowids, the versions of the application and
    /// AUTOINCREMENT's numbers are kept. An import that fails leaves a part of the file; repeat it with `replacing`.
    ///
    /// - Parameter replacing: Whether the tables and views that the database has are dropped.
    @discardableResult
    public nonisolated(nonsending) func importDatabase(
        from path: String, replacing: Bool = false
    ) async throws -> TransferReport {
        let file = try Connection(path, mode: .readOnly, configuration: .sqlite)
        // One snapshot for copying and comparing.
        try file.execute("BEGIN")
        let problems = try file.quickCheck()
        guard problems.isEmpty else { throw TransferError.damaged(problems: problems) }
        let tables = try CopiedTable.all(of: file)
        for table in tables { try table.check(in: file) }
        let copy = DatabaseCopy(file: file, connection: self, tables: tables)
        try await copy.clear(isAllowed: replacing)
        try await copy.run()
        return try await copy.verify()
    }
}

/// The copying of a file into a cluster.
struct DatabaseCopy {
    let file: Connection
    let connection: NodeConnection
    let tables: [CopiedTable]

    /// The number of bytes after which a transaction ends.
    private static let transactionSize = 1 << 20

    nonisolated(nonsending) func run() async throws {
        let checksKeys = try await connection.query("PRAGMA foreign_keys").all()
        try await write("PRAGMA foreign_keys = 0")
        try await copySchema(
            "type = 'table' AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')")
        for table in tables { try await copyRows(of: table) }
        try await copySequences()
        for type in ["index", "trigger", "view"] { try await copySchema("type = '\(type)'") }
        if try has("sqlite_stat1") { try await write("ANALYZE") }
        for pragma in ["user_version", "application_id"] {
            try await write("PRAGMA \(pragma) = \(try file.query(SQL(raw: "PRAGMA \(pragma)")) as Int)")
        }
        if checksKeys == [[.integer(1)]] { try await write("PRAGMA foreign_keys = 1") }
    }

    private nonisolated(nonsending) func copySchema(_ condition: String) async throws {
        let statements: [String] = try file.query(
            SQL(
                raw: #"""
                    SELECT sql FROM sqlite_master
                    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND \#(condition) ORDER BY rowid
                    """#))
        for statement in statements { try await write(statement) }
    }

    private nonisolated(nonsending) func copyRows(of table: CopiedTable) async throws {
        if table.isShadow { try await write("DELETE FROM \(table.name.quoted)") }
        var rows = try file.rows(SQL(raw: table.selection))
        var isAtEnd = false
        while !isAtEnd {
            try await transaction {
                var size = 0
                while size < Self.transactionSize, !isAtEnd {
                    var values: [BindingValue] = []
                    var count = 0
                    while count < table.batchSize, size < Self.transactionSize {
                        guard let row = try rows.next()?.values else {
                            isAtEnd = true
                            break
                        }
                        size += Request.size(of: row)
                        values += row
                        count += 1
                    }
                    if count > 0 { try await write(table.insertion(rows: count), values) }
                }
            }
        }
    }

    /// Copies the last rowids of tables with AUTOINCREMENT.
    private nonisolated(nonsending) func copySequences() async throws {
        guard try has("sqlite_sequence") else { return }
        let rows = try file.query("SELECT name, seq FROM sqlite_sequence", as: (String, Int64).self)
        try await transaction {
            try await write("DELETE FROM sqlite_sequence")
            for (name, sequence) in rows {
                try await write(
                    "INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)", [.text(name), .integer(sequence)])
            }
        }
    }

    private func has(_ table: String) throws -> Bool {
        try file.query("SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = \(table))")
    }

    private nonisolated(nonsending) func transaction(
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        try await write("BEGIN IMMEDIATE")
        do {
            try await body()
            try await write("COMMIT")
        } catch {
            _ = try? await connection.executeScript("ROLLBACK")
            throw error
        }
    }

    /// Runs a statement, again if a checkpoint of the node was in its way.
    nonisolated(nonsending) func write(_ sql: String, _ values: [BindingValue] = []) async throws {
        let end = ContinuousClock.now + connection.settings.requestDeadline
        while true {
            do {
                if values.isEmpty {
                    try await connection.executeScript(sql)
                } else {
                    try await connection.execute(sql, values)
                }
                return
            } catch ClusterError.refused(let failure) where failure.kind == .busy && ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }
}
