extension Connection {
    /// Inserts a record, or updates the row that it would break a unique constraint with:
    /// `INSERT INTO … ON CONFLICT("email") DO UPDATE SET "name" = excluded."name"`.
    ///
    ///     try connection.upsert(user, onConflict: \.email)
    ///     // ON CONFLICT("email") WHERE "users"."deleted" IS NULL DO UPDATE SET …
    ///     try connection.upsert(user, onConflict: \.email, indexWhere: { $0.deleted == nil })
    ///     // ON CONFLICT(lower(email)) DO UPDATE SET …
    ///     try connection.upsert(user, onExpression: "lower(email)")
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - columns: The columns of the unique constraint; by default the primary key. Neither they nor the primary key are
    ///     updated.
    ///   - expression: An expression of a unique index, after its columns.
    ///   - trailing: Nothing: a closure without a label does not compile.
    ///   - condition: The condition of a partial unique index, as the index has it. Its values are written as literals.
    /// - Throws: ``SQLiteError``, also where no constraint or index is on the columns, with the condition. A record whose key is `nil` is
    ///   refused where the key is among `columns`, because it would be inserted each time.
    public func upsert<Record: TableRecord>(
        _ record: Record, onConflict columns: PartialKeyPath<Record>..., onExpression expression: SQL? = nil,
        trailing: ((UnlabelledColumns<Record>) -> Condition)? = nil,
        indexWhere condition: ((Columns<Record>) -> Condition)? = nil
    ) throws {
        let target = ConflictTarget(columns: columns, expression: expression, condition: condition)
        try table(Record.table).upsert(record, target)
    }
}

extension Connection.TableAccess {
    /// Inserts a record, or updates the row that it would break a unique constraint with:
    /// `INSERT INTO … ON CONFLICT("x", "y") DO UPDATE SET "label" = excluded."label"`.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - columns: The columns of the unique constraint; by default the primary key. Neither they nor the primary key are
    ///     updated.
    ///   - expression: An expression of a unique index, after its columns.
    ///   - trailing: Nothing: a closure without a label does not compile.
    ///   - condition: The condition of a partial unique index, as the index has it. Its values are written as literals.
    /// - Throws: ``SQLiteError``, also where no constraint or index is on the columns, with the condition. A record whose key is `nil` is
    ///   refused where the key is among `columns`, because it would be inserted each time.
    public func upsert(
        _ record: Record, onConflict columns: PartialKeyPath<Record>..., onExpression expression: SQL? = nil,
        trailing: ((UnlabelledColumns<Record>) -> Condition)? = nil,
        indexWhere condition: ((Columns<Record>) -> Condition)? = nil
    ) throws {
        try upsert(record, ConflictTarget(columns: columns, expression: expression, condition: condition))
    }

    func upsert(_ record: Record, _ target: ConflictTarget<Record>) throws {
        let sql = try core.insertion(onConflict: target) { core.updateOfConflict($0) }
        if sql.requiresKey { try core.requireKeyValue(of: record) }
        try connection.run(sql.single, with: record, core.binders)
    }
}
