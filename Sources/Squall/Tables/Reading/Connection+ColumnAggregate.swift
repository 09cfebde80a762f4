// Numbers about a table, or about its rows with a condition.

extension Connection {
    /// The number of rows of a query: `SELECT count(*) FROM (…)`.
    ///
    /// - Throws: ``SQLiteError``.
    public func count(_ query: some Selection) throws -> Int {
        try self.query("SELECT count(*) FROM (\(query.sql))")
    }

    /// The number of records: `SELECT count(*) FROM "users" WHERE …`.
    ///
    ///     let n = try connection.count(User.self) { $0.email == nil }
    ///
    /// - Throws: ``SQLiteError``.
    public func count<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Int {
        try count(in: Record.table, where: condition)
    }

    /// The number of records in a table.
    public func count<T: RecordTable>(
        in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Int {
        try query(table.core.aggregate("count(*)", condition))
    }

    /// Whether a query has a row: `SELECT EXISTS (…)`.
    ///
    /// - Throws: ``SQLiteError``.
    public func exists(_ query: some Selection) throws -> Bool {
        try self.query("SELECT EXISTS (\(query.sql))")
    }

    /// Whether there is a record: `SELECT EXISTS (SELECT 1 FROM "users" WHERE …)`.
    ///
    /// - Throws: ``SQLiteError``.
    public func exists<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Bool {
        try exists(in: Record.table, where: condition)
    }

    /// Whether there is a record in a table.
    public func exists<T: RecordTable>(
        in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Bool {
        try query("SELECT EXISTS (\(table.core.aggregate("1", condition)))")
    }

    /// What one expression is for all records: `SELECT max("users"."age") FROM "users" WHERE …`.
    private func value<Record, Value: ColumnValue>(
        _ core: TableCore<Record>, _ expression: (Columns<Record>) -> Expr<Value>,
        _ condition: ((Columns<Record>) -> Condition)?
    ) throws -> Value {
        let expression = expression(core.source)
        let sql = try core.aggregate(expression.sql, condition)
        let forms = [expression.form]
        return try withStatement(sql) { statement in
            guard let row = try statement.nextRow() else { throw statement.noRowError(expected: Value.self) }
            var reader = ValueReader(row: row, forms: forms)
            return try reader.next(Value.self)
        }
    }
}

extension TableCore {
    /// `SELECT max("users"."age") FROM "users" WHERE …`
    func aggregate(_ expression: SQL, _ condition: ((Columns<Record>) -> Condition)?) throws -> SQL {
        try check()
        let rows: SQL = condition.map { " WHERE \($0(source).sql)" } ?? ""
        return "SELECT \(expression) FROM \(name: definition.name)\(rows)"
    }
}

extension Connection {
    /// The least value of a column, `nil` for none: `SELECT min("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func min<Record: TableRecord, Value: ColumnValue>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try value(Record.table.core, { $0[dynamicMember: column].min() }, condition)
    }

    /// The least value of a column, `nil` for none, of a table.
    public func min<T: RecordTable, Value: ColumnValue>(
        _ column: KeyPath<T.Record, Value>, in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try value(table.core, { $0[dynamicMember: column].min() }, condition)
    }

    /// The greatest value of a column, `nil` for none: `SELECT max("users"."age") FROM "users" WHERE …`.
    ///
    ///     let oldest = try connection.max(\User.age)
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func max<Record: TableRecord, Value: ColumnValue>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try value(Record.table.core, { $0[dynamicMember: column].max() }, condition)
    }

    /// The greatest value of a column, `nil` for none, of a table.
    public func max<T: RecordTable, Value: ColumnValue>(
        _ column: KeyPath<T.Record, Value>, in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try value(table.core, { $0[dynamicMember: column].max() }, condition)
    }

    /// The sum of a column, `nil` for no values: `SELECT sum("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func sum<Record: TableRecord, Value: ColumnValue>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable & Numeric {
        try value(Record.table.core, { $0[dynamicMember: column].sum() }, condition)
    }

    /// The sum of a column, `nil` for no values, of a table.
    public func sum<T: RecordTable, Value: ColumnValue>(
        _ column: KeyPath<T.Record, Value>, in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable & Numeric {
        try value(table.core, { $0[dynamicMember: column].sum() }, condition)
    }

    /// The sum of a column as a `Double`, 0 for no values: `SELECT total("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func total<Record: TableRecord, Value: ColumnValue>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Double where Value.ColumnBase: Numeric {
        try value(Record.table.core, { $0[dynamicMember: column].total() }, condition)
    }

    /// The sum of a column as a `Double`, 0 for no values, of a table.
    public func total<T: RecordTable, Value: ColumnValue>(
        _ column: KeyPath<T.Record, Value>, in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Double where Value.ColumnBase: Numeric {
        try value(table.core, { $0[dynamicMember: column].total() }, condition)
    }

    /// The average of a column, `nil` for no values: `SELECT avg("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func average<Record: TableRecord, Value: ColumnValue>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Double? where Value.ColumnBase: Numeric {
        try value(Record.table.core, { $0[dynamicMember: column].average() }, condition)
    }

    /// The average of a column, `nil` for no values, of a table.
    public func average<T: RecordTable, Value: ColumnValue>(
        _ column: KeyPath<T.Record, Value>, in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Double? where Value.ColumnBase: Numeric {
        try value(table.core, { $0[dynamicMember: column].average() }, condition)
    }

    /// The values of a column in one text, `nil` for none: `SELECT group_concat("users"."name", ?) FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func groupConcat<Record: TableRecord, Value: ColumnValue>(
        _ column: KeyPath<Record, Value>, separator: String = ",",
        where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> String? where Value.ColumnBase: ColumnReadable {
        try value(Record.table.core, { $0[dynamicMember: column].groupConcat(separator: separator) }, condition)
    }

    /// The values of a column in one text, `nil` for none, of a table.
    public func groupConcat<T: RecordTable, Value: ColumnValue>(
        _ column: KeyPath<T.Record, Value>, separator: String = ",", in table: T,
        where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> String? where Value.ColumnBase: ColumnReadable {
        try value(table.core, { $0[dynamicMember: column].groupConcat(separator: separator) }, condition)
    }
}
