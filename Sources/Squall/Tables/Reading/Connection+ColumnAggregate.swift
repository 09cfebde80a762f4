extension Connection {
    /// Returns the least value of a column, `nil` without values: `SELECT min("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func min<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try min(column, in: Record.table, where: condition)
    }

    /// Returns the least value of a column, `nil` without values, in a table.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func min<T: RecordTable, Value: ColumnStorable>(
        _ column: KeyPath<T.Record, Value>, in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try value(of: { $0[dynamicMember: column].min() }, in: table, where: condition)
    }

    /// Returns the greatest value of a column, `nil` without values: `SELECT max("users"."age") FROM "users" WHERE …`.
    ///
    ///     let oldest = try connection.max(\User.age)
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func max<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try max(column, in: Record.table, where: condition)
    }

    /// Returns the greatest value of a column, `nil` without values, in a table.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func max<T: RecordTable, Value: ColumnStorable>(
        _ column: KeyPath<T.Record, Value>, in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try value(of: { $0[dynamicMember: column].max() }, in: table, where: condition)
    }

    /// Returns the sum of a column, `nil` without values: `SELECT sum("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func sum<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable & Numeric {
        try sum(column, in: Record.table, where: condition)
    }

    /// Returns the sum of a column, `nil` without values, in a table.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func sum<T: RecordTable, Value: ColumnStorable>(
        _ column: KeyPath<T.Record, Value>, in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable & Numeric {
        try value(of: { $0[dynamicMember: column].sum() }, in: table, where: condition)
    }

    /// Returns the sum of a column as a `Double`, 0 without values: `SELECT total("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func total<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Double where Value.ColumnBase: Numeric {
        try total(column, in: Record.table, where: condition)
    }

    /// Returns the sum of a column as a `Double`, 0 without values, in a table.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func total<T: RecordTable, Value: ColumnStorable>(
        _ column: KeyPath<T.Record, Value>, in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Double where Value.ColumnBase: Numeric {
        try value(of: { $0[dynamicMember: column].total() }, in: table, where: condition)
    }

    /// Returns the average of a column, `nil` without values: `SELECT avg("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func average<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Double? where Value.ColumnBase: Numeric {
        try average(column, in: Record.table, where: condition)
    }

    /// Returns the average of a column, `nil` without values, in a table.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func average<T: RecordTable, Value: ColumnStorable>(
        _ column: KeyPath<T.Record, Value>, in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> Double? where Value.ColumnBase: Numeric {
        try value(of: { $0[dynamicMember: column].average() }, in: table, where: condition)
    }

    /// Returns the values of a column in one text, `nil` without values:
    /// `SELECT group_concat("users"."name", ?) FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func groupConcat<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, separator: String = ",",
        where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> String? where Value.ColumnBase: ColumnReadable {
        try groupConcat(column, separator: separator, in: Record.table, where: condition)
    }

    /// Returns the values of a column in one text, `nil` without values, in a table.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func groupConcat<T: RecordTable, Value: ColumnStorable>(
        _ column: KeyPath<T.Record, Value>, separator: String = ",", in table: T,
        where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> String? where Value.ColumnBase: ColumnReadable {
        try value(of: { $0[dynamicMember: column].groupConcat(separator: separator) }, in: table, where: condition)
    }

    /// Returns the value of one expression for all records of a table: `SELECT max("users"."age") FROM "users" WHERE …`.
    private func value<T: RecordTable, Value: ColumnStorable>(
        of expression: (Columns<T.Record>) -> Expr<Value>, in table: T,
        where condition: ((Columns<T.Record>) -> Condition)?
    ) throws -> Value {
        let core = table.core
        let expression = core.inScope(expression)
        let sql = try core.aggregate(expression.sql, condition)
        return try withStatement(sql) { statement in
            guard let row = try statement.nextRow() else { throw statement.noRowError(expected: Value.self) }
            return try row.value(at: 0, form: expression.form)
        }
    }
}
