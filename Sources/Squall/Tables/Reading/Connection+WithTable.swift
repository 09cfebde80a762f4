import SquallSQLite

extension Connection {
    /// Calls a closure in which an array of records is a table that SQL reads. The records are not copied.
    ///
    ///     let names: [String] = try connection.withTable("incoming", records) {
    ///         try $0.query("SELECT o.name FROM incoming i JOIN owners o ON o.id = i.owner")
    ///     }
    ///
    /// The table has the columns of the declared table of the records, without its indexes and constraints. The values are those that
    /// Squall binds: SQLite converts a value to the type of its column only where it stores it. Its rowids are the positions of
    /// the records, from 1. Outside the closure a statement that reads it throws.
    ///
    /// - Parameters:
    ///   - name: The name of the table, which no table, view or module of the connection may have.
    ///   - records: The rows.
    ///   - body: The closure that reads the table.
    /// - Throws: ``SQLiteError``: `SQLITE_MISUSE` (21) for a name that is taken; `SQLITE_BUSY` (5) inside a function, a virtual table or a
    ///   collation; the error of the closure.
    @inlinable
    public func withTable<Record: TableRecord, Result>(
        _ name: String, _ records: [Record], _ body: (Connection) throws -> Result
    ) throws -> Result {
        try withTable(name, records, as: Record.table, body)
    }

    /// Calls a closure in which an array of records is a table that SQL reads, with the columns of a declared table.
    ///
    /// - Throws: As ``withTable(_:_:_:)``.
    @inlinable
    public func withTable<T: RecordTable, Result>(
        _ name: String, _ records: [T.Record], as table: T, _ body: (Connection) throws -> Result
    ) throws -> Result {
        let rows = try recordRows(named: name, of: table.core) { $0.reader() }
        rows.begin(records, named: name)
        defer { rows.end() }
        return try body(self)
    }

    /// Returns the records that a name stands for, whose module is added at the first use of the name. The module stays, so that cached
    /// statements need not be prepared again.
    @usableFromInline
    func recordRows<Record>(
        named name: String, of core: TableCore<Record>, _ makeReader: @escaping (RecordRows<Record>) -> RowReader
    ) throws -> RecordRows<Record> {
        try core.check()
        let tables = companion { RecordTables() }
        // Unless another module has taken the place of the one for the records.
        let known = tables.rows[Identifier(name)].flatMap { $0.moduleNumber == moduleNumbers[name] ? $0 : nil }
        let isTaken =
            try hasStoredTable(named: name) || (known == nil && (hasTable(named: name) || hasModule(named: name)))
        if isTaken || known?.isInUse == true {
            throw SQLiteError(code: SQLITE_MISUSE, message: "a table, a view or a module is already named \(name)")
        }
        if let known = known as? RecordRows<Record>, known.core === core { return known }
        let rows = RecordRows(core)
        try addModule(
            name, use: .eponymous, isWritable: false, risk: ModuleRisk(directOnly: true, innocuous: false)
        ) { _ in
            try TableBox(
                columns: core.columns.map {
                    VirtualColumn<Void>(
                        $0.name, type: $0.definition.type, collation: $0.definition.collation, role: .value($0.write))
                },
                plan: { _ in Plan(rows: rows.count) }, drop: {}, writable: nil, makeReader: { makeReader(rows) })
        }
        rows.moduleNumber = moduleNumbers[name]
        tables.rows[Identifier(name)] = rows
        return rows
    }

    /// Whether any database of the connection has a table or a view of a name.
    private func hasStoredTable(named name: String) throws -> Bool {
        guard let handle else { throw closedError() }
        var databases: [String] = []
        _ = forEachRowInternally("PRAGMA database_list", on: handle) { statement in
            if let name = sqlite3_column_text(statement, 1) { databases.append(String(cString: name)) }
        }
        return databases.contains { database in
            let sql: SQL = """
                SELECT 1 FROM \(name: database).sqlite_master \
                WHERE type IN ('table', 'view') AND name = \(name) COLLATE NOCASE
                """
            return hasRow(sql.withLiterals.text, on: handle)
        }
    }

    /// Whether a name is that of a table, a view or an eponymous virtual table.
    private func hasTable(named name: String) throws -> Bool {
        guard let handle else { throw closedError() }
        let sql: SQL = "PRAGMA table_info(\(name: name))"
        if let failure = sql.failure { throw failure }
        return hasRow(sql.text, on: handle)
    }

    /// Whether a name is that of a module.
    private func hasModule(named name: String) throws -> Bool {
        guard let handle else { throw closedError() }
        var isFound = false
        _ = forEachRowInternally("PRAGMA module_list", on: handle) { statement in
            guard let module = sqlite3_column_text(statement, 0) else { return }
            if Identifier(String(cString: module)) == Identifier(name) { isFound = true }
        }
        return isFound
    }

    private func hasRow(_ sql: String, on handle: OpaquePointer) -> Bool {
        var hasRow = false
        _ = forEachRowInternally(sql, on: handle) { _ in hasRow = true }
        return hasRow
    }
}
