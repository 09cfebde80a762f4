import Squall

// The database that a file is copied into.
extension DatabaseCopy {
    /// Drops all tables and views; throws an error if there are some and this is not allowed.
    nonisolated(nonsending) func clear(isAllowed: Bool) async throws {
        // The tables of extensions first: they drop their shadow tables, which cannot be dropped before.
        let objects = try await rows(
            #"""
            SELECT name, type FROM pragma_table_list
            WHERE schema = 'main' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
            ORDER BY type = 'virtual' DESC, type = 'view' DESC, name
            """#)
        if objects.isEmpty { return }
        guard isAllowed else { throw TransferError.notEmpty(objects: objects.map { Self.text($0[0]) }) }
        try await write("PRAGMA foreign_keys = 0")
        for object in objects {
            let type = object[1] == .text("view") ? "VIEW" : "TABLE"
            try await write("DROP \(type) IF EXISTS \(Self.text(object[0]).quoted)")
        }
    }

    /// Compares the schema and all rows with those of the file.
    nonisolated(nonsending) func verify() async throws -> TransferReport {
        try await verifySchema()
        var counts: [String: Int] = [:]
        for table in tables { counts[table.name] = try await verify(table) }
        return TransferReport(rows: counts)
    }

    private nonisolated(nonsending) func verifySchema() async throws {
        let sql =
            #"SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\_stat%' ESCAPE '\' ORDER BY 1, 2"#
        var originals = try file.rows(SQL(raw: sql))
        for copy in try await rows(sql) {
            guard try originals.next()?.values == copy else {
                throw TransferError.difference(table: Self.text(copy[1]), row: nil)
            }
        }
        if let rest = try originals.next()?.values {
            throw TransferError.difference(table: Self.text(rest[1]), row: nil)
        }
    }

    /// Compares the rows of a table and returns their number.
    private nonisolated(nonsending) func verify(_ table: CopiedTable) async throws -> Int {
        var originals = try file.rows(SQL(raw: table.selection))
        let copies = try await connection.query(table.selection)
        var count = 0
        while true {
            let copy = try await copies.next()
            guard try originals.next()?.values == copy else {
                throw TransferError.difference(table: table.name, row: count)
            }
            if copy == nil { return count }
            count += 1
        }
    }

    private nonisolated(nonsending) func rows(_ sql: String) async throws -> [[BindingValue]] {
        try await connection.query(sql).all()
    }

    private static func text(_ value: BindingValue) -> String {
        if case .text(let text) = value { text } else { "" }
    }
}
