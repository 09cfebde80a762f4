extension Connection {
    /// Returns the least value of a column, `nil` without values: `SELECT min("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func min<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try table(Record.table).min(column, where: condition)
    }

    /// Returns the greatest value of a column, `nil` without values: `SELECT max("users"."age") FROM "users" WHERE …`.
    ///
    ///     let oldest = try connection.max(\User.age)
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func max<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try table(Record.table).max(column, where: condition)
    }

    /// Returns the sum of a column, `nil` without values: `SELECT sum("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func sum<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable & Numeric {
        try table(Record.table).sum(column, where: condition)
    }

    /// Returns the sum of a column as a `Double`, 0 without values: `SELECT total("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func total<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Double where Value.ColumnBase: Numeric {
        try table(Record.table).total(column, where: condition)
    }

    /// Returns the average of a column, `nil` without values: `SELECT avg("users"."age") FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func average<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Double? where Value.ColumnBase: Numeric {
        try table(Record.table).average(column, where: condition)
    }

    /// Returns the values of a column in one text, `nil` without values:
    /// `SELECT group_concat("users"."name", ?) FROM "users" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func groupConcat<Record: TableRecord, Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, separator: String = ",",
        where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> String? where Value.ColumnBase: ColumnReadable {
        try table(Record.table).groupConcat(column, separator: separator, where: condition)
    }
}

extension Connection.TableAccess {
    /// Returns the least value of a column, `nil` without values: `SELECT min("points"."x") FROM "points" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func min<Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try value(of: { $0[dynamicMember: column].min() }, where: condition)
    }

    /// Returns the greatest value of a column, `nil` without values: `SELECT max("points"."x") FROM "points" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func max<Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable {
        try value(of: { $0[dynamicMember: column].max() }, where: condition)
    }

    /// Returns the sum of a column, `nil` without values: `SELECT sum("points"."x") FROM "points" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func sum<Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Value.ColumnBase? where Value.ColumnBase: ColumnReadable & Numeric {
        try value(of: { $0[dynamicMember: column].sum() }, where: condition)
    }

    /// Returns the sum of a column as a `Double`, 0 without values: `SELECT total("points"."x") FROM "points" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func total<Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Double where Value.ColumnBase: Numeric {
        try value(of: { $0[dynamicMember: column].total() }, where: condition)
    }

    /// Returns the average of a column, `nil` without values: `SELECT avg("points"."x") FROM "points" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func average<Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Double? where Value.ColumnBase: Numeric {
        try value(of: { $0[dynamicMember: column].average() }, where: condition)
    }

    /// Returns the values of a column in one text, `nil` without values:
    /// `SELECT group_concat("points"."label", ?) FROM "points" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    public func groupConcat<Value: ColumnStorable>(
        _ column: KeyPath<Record, Value>, separator: String = ",",
        where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> String? where Value.ColumnBase: ColumnReadable {
        try value(of: { $0[dynamicMember: column].groupConcat(separator: separator) }, where: condition)
    }

    /// Returns the value of one expression for all records: `SELECT max("points"."x") FROM "points" WHERE …`.
    private func value<Value: ColumnStorable>(
        of expression: (Columns<Record>) -> Expr<Value>, where condition: ((Columns<Record>) -> Condition)?
    ) throws -> Value {
        let expression = core.inScope(expression)
        let sql = try core.aggregate(expression.sql, condition)
        return try connection.withStatement(sql) { statement in
            guard let row = try statement.nextRow() else { throw statement.noRowError(expected: Value.self) }
            return try row.value(at: 0, form: expression.form)
        }
    }
}
