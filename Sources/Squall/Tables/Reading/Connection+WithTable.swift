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
            try storedTable(named: name) != nil
            || (known == nil && (!hiddenCatalog(of: nil).allColumns(ofTable: name).isEmpty || hasModule(named: name)))
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
                plan: { _ in VirtualTablePlan(rows: rows.count) }, drop: {}, writable: nil,
                makeReader: { makeReader(rows) })
        }
        rows.moduleNumber = moduleNumbers[name]
        tables.rows[Identifier(name)] = rows
        return rows
    }

    /// Whether a name is that of a module.
    private func hasModule(named name: String) throws -> Bool {
        var isFound = false
        try forEachRowInternally("PRAGMA module_list") { row in
            if Identifier(row.text(0)) == Identifier(name) { isFound = true }
        }
        return isFound
    }
}
