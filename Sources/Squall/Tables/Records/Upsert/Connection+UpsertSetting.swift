extension Connection {
    /// Inserts a record, or sets columns of the row that it would break a unique constraint with:
    /// `INSERT INTO … ON CONFLICT("path") DO UPDATE SET "hits" = "pages"."hits" + "excluded"."hits" WHERE …`.
    ///
    ///     try connection.upsert(page, onConflict: \.path) {
    ///         $0.hits.set(to: $0.hits + $0.excluded.hits)
    ///     }
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - columns: The columns of the unique constraint; by default the primary key.
    ///   - expression: An expression of a unique index, after its columns.
    ///   - trailing: Nothing: a closure without a label is `set`.
    ///   - indexCondition: The condition of a partial unique index, as the index has it. Its values are written as literals.
    ///   - assignments: The columns to set. `$0` is the row that is there, `$0.excluded` the one that was to be inserted.
    ///   - condition: The condition on which the row is updated.
    /// - Returns: Whether a row was inserted or updated.
    /// - Throws: ``SQLiteError``. A record whose key is `nil` is refused where the key is among `columns`, because it would be
    ///   inserted each time.
    @discardableResult
    public func upsert<Record: TableRecord>(
        _ record: Record, onConflict columns: PartialKeyPath<Record>..., onExpression expression: SQL? = nil,
        trailing: ((UnlabelledColumns<Record>) -> Condition)? = nil,
        indexWhere indexCondition: ((Columns<Record>) -> Condition)? = nil,
        @ListBuilder<Assignment> set assignments: (UpsertColumns<Record>) -> [Assignment],
        where condition: ((UpsertColumns<Record>) -> Condition)? = nil
    ) throws -> Bool {
        let target = ConflictTarget(columns: columns, expression: expression, condition: indexCondition)
        return try table(Record.table).upsert(record, target, assignments, condition)
    }

    /// Inserts a record, or sets columns of the row that it would break a unique constraint with, and returns a value of the row:
    /// `INSERT INTO … ON CONFLICT("email") DO UPDATE SET … RETURNING "users"."id"`.
    ///
    ///     let id = try connection.upsert(user, onConflict: \.email) {
    ///         $0.name.set(to: $0.excluded.name)
    ///     } returning: {
    ///         $0.id
    ///     }
    ///
    /// - Returns: The value; `nil` when the row was not updated.
    /// - Throws: As ``upsert(_:onConflict:onExpression:trailing:indexWhere:set:where:)`` does.
    public func upsert<Record: TableRecord, Value: ColumnStorable>(
        _ record: Record, onConflict columns: PartialKeyPath<Record>..., onExpression expression: SQL? = nil,
        trailing: ((UnlabelledColumns<Record>) -> Condition)? = nil,
        indexWhere indexCondition: ((Columns<Record>) -> Condition)? = nil,
        @ListBuilder<Assignment> set assignments: (UpsertColumns<Record>) -> [Assignment],
        where condition: ((UpsertColumns<Record>) -> Condition)? = nil,
        @ReturningBuilder returning value: (Columns<Record>) -> Expr<Value>
    ) throws -> Value? {
        let target = ConflictTarget(columns: columns, expression: expression, condition: indexCondition)
        return try table(Record.table).upsert(record, target, assignments, condition, returning: value)
    }
}

extension Connection.TableAccess {
    /// Inserts a record, or sets columns of the row that it would break a unique constraint with:
    /// `INSERT INTO … ON CONFLICT("x", "y") DO UPDATE SET "label" = "excluded"."label" WHERE …`.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - columns: The columns of the unique constraint; by default the primary key.
    ///   - expression: An expression of a unique index, after its columns.
    ///   - trailing: Nothing: a closure without a label is `set`.
    ///   - indexCondition: The condition of a partial unique index, as the index has it. Its values are written as literals.
    ///   - assignments: The columns to set. `$0` is the row that is there, `$0.excluded` the one that was to be inserted.
    ///   - condition: The condition on which the row is updated.
    /// - Returns: Whether a row was inserted or updated.
    /// - Throws: ``SQLiteError``. A record whose key is `nil` is refused where the key is among `columns`, because it would be
    ///   inserted each time.
    @discardableResult
    public func upsert(
        _ record: Record, onConflict columns: PartialKeyPath<Record>..., onExpression expression: SQL? = nil,
        trailing: ((UnlabelledColumns<Record>) -> Condition)? = nil,
        indexWhere indexCondition: ((Columns<Record>) -> Condition)? = nil,
        @ListBuilder<Assignment> set assignments: (UpsertColumns<Record>) -> [Assignment],
        where condition: ((UpsertColumns<Record>) -> Condition)? = nil
    ) throws -> Bool {
        let target = ConflictTarget(columns: columns, expression: expression, condition: indexCondition)
        return try upsert(record, target, assignments, condition)
    }

    /// Inserts a record, or sets columns of the row that it would break a unique constraint with, and returns a value of the row:
    /// `INSERT INTO … ON CONFLICT("x", "y") DO UPDATE SET … RETURNING "points"."label"`.
    ///
    /// - Returns: The value; `nil` when the row was not updated.
    /// - Throws: ``SQLiteError``. A record whose key is `nil` is refused where the key is among `columns`, because it would be
    ///   inserted each time.
    public func upsert<Value: ColumnStorable>(
        _ record: Record, onConflict columns: PartialKeyPath<Record>..., onExpression expression: SQL? = nil,
        trailing: ((UnlabelledColumns<Record>) -> Condition)? = nil,
        indexWhere indexCondition: ((Columns<Record>) -> Condition)? = nil,
        @ListBuilder<Assignment> set assignments: (UpsertColumns<Record>) -> [Assignment],
        where condition: ((UpsertColumns<Record>) -> Condition)? = nil,
        @ReturningBuilder returning value: (Columns<Record>) -> Expr<Value>
    ) throws -> Value? {
        let target = ConflictTarget(columns: columns, expression: expression, condition: indexCondition)
        return try upsert(record, target, assignments, condition, returning: value)
    }

    func upsert(
        _ record: Record, _ target: ConflictTarget<Record>,
        _ assignments: (UpsertColumns<Record>) -> [Assignment], _ condition: ((UpsertColumns<Record>) -> Condition)?
    ) throws -> Bool {
        let sql = try core.insertion(onConflict: target) { _ in try core.updateOfConflict(assignments, condition) }
        if sql.requiresKey { try core.requireKeyValue(of: record) }
        return try connection.withUnboundStatement(sql.single) { statement in
            try statement.bind(record, core, sql)
            try statement.run()
            return connection.changes > 0
        }
    }

    func upsert<Value: ColumnStorable>(
        _ record: Record, _ target: ConflictTarget<Record>,
        _ assignments: (UpsertColumns<Record>) -> [Assignment], _ condition: ((UpsertColumns<Record>) -> Condition)?,
        @ReturningBuilder returning value: (Columns<Record>) -> Expr<Value>
    ) throws -> Value? {
        var sql = try core.insertion(onConflict: target) { _ in try core.updateOfConflict(assignments, condition) }
        let returning = core.inScope(value)
        if sql.requiresKey { try core.requireKeyValue(of: record) }
        sql.conflict += core.returning(returning)
        return try connection.withUnboundStatement(sql.single) { statement in
            try statement.bind(record, core, sql)
            guard let row = try statement.nextRow() else { return nil }
            return try row.value(at: 0, form: returning.form)
        }
    }
}

extension Statement {
    /// Binds the fields of a record, and then the values of the conflict clause.
    fileprivate func bind<Record>(_ record: Record, _ core: TableCore<Record>, _ sql: RecordInsertSQL) throws {
        let values = sql.conflict.parameters
        try beginBinding(count: core.binders.count + values.count)
        do {
            try withUnsafePointer(to: record) { try bindFields(core.binders, of: $0) }
            try bindValues(values, from: Int32(core.binders.count + 1))
        } catch {
            clear()
            throw error
        }
    }
}
