extension Connection {
    /// Inserts many records, all or none of them, and updates the rows that they would break a unique constraint with:
    /// `INSERT INTO … VALUES(…), (…), … ON CONFLICT("email") DO UPDATE SET "name" = excluded."name", …`.
    ///
    ///     try connection.insert(contentsOf: users, onConflict: \.email)
    ///     try connection.insert(contentsOf: users, onConflict: \.email, doNothing: true)
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - column: The column of the unique constraint. Neither it nor the primary key is updated.
    ///   - others: The further columns of a constraint of several.
    ///   - doNothing: Whether such a record is left out instead: `DO NOTHING`.
    /// - Returns: The number of rows that were inserted or updated.
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    @discardableResult
    public func insert<Record: TableRecord>(
        contentsOf records: some Sequence<Record>, onConflict column: PartialKeyPath<Record>,
        _ others: PartialKeyPath<Record>..., doNothing: Bool = false
    ) throws -> Int {
        try table(Record.table).insert(records, onConflict: [column] + others, doNothing: doNothing)
    }

    /// Inserts many records, all or none of them, and sets columns of the rows that they would break a unique constraint with:
    /// `INSERT INTO … VALUES(…), (…), … ON CONFLICT("email") DO UPDATE SET … WHERE …`.
    ///
    ///     try connection.insert(contentsOf: pages, onConflict: \.path) {
    ///         $0.hits.set(to: $0.hits + $0.excluded.hits)
    ///     } where: {
    ///         $0.visited < $0.excluded.visited
    ///     }
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - column: The column of the unique constraint.
    ///   - others: The further columns of a constraint of several.
    ///   - assignments: The columns to set. `$0` is the row that is there, `$0.excluded` the one that was to be inserted.
    ///   - condition: The condition on which a row is updated. Other rows stay as they are.
    /// - Returns: The number of rows that were inserted or updated.
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    @discardableResult
    public func insert<Record: TableRecord>(
        contentsOf records: some Sequence<Record>, onConflict column: PartialKeyPath<Record>,
        _ others: PartialKeyPath<Record>...,
        @ListBuilder<Assignment> set assignments: (UpsertColumns<Record>) -> [Assignment],
        where condition: ((UpsertColumns<Record>) -> Condition)? = nil
    ) throws -> Int {
        try table(Record.table).insert(records, onConflict: [column] + others, assignments, condition)
    }

    /// Inserts many records, sets columns of the rows that they would break a unique constraint with, and returns a value of each
    /// row: `INSERT INTO … VALUES(…) ON CONFLICT("email") DO UPDATE SET … RETURNING "users"."id"`.
    ///
    ///     let ids = try connection.insert(contentsOf: users, onConflict: \.email) {
    ///         $0.name.set(to: $0.excluded.name)
    ///     } returning: {
    ///         $0.id
    ///     }
    ///
    /// Each record is a separate statement, so that the values are in the order of the records. A row that is not updated
    /// returns no value.
    ///
    /// - Returns: The values of the rows that were inserted or updated.
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    public func insert<Record: TableRecord, Value: ColumnStorable>(
        contentsOf records: some Sequence<Record>, onConflict column: PartialKeyPath<Record>,
        _ others: PartialKeyPath<Record>...,
        @ListBuilder<Assignment> set assignments: (UpsertColumns<Record>) -> [Assignment],
        where condition: ((UpsertColumns<Record>) -> Condition)? = nil,
        @ReturningBuilder returning expression: (Columns<Record>) -> Expr<Value>
    ) throws -> [Value] {
        try table(Record.table).insert(
            records, onConflict: [column] + others, assignments, condition, returning: expression)
    }
}

extension Connection.TableAccess {
    /// Inserts many records, all or none of them, and updates the rows that they would break a unique constraint with:
    /// `INSERT INTO … VALUES(…), (…), … ON CONFLICT("x") DO UPDATE SET "label" = excluded."label", …`.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - column: The column of the unique constraint. Neither it nor the primary key is updated.
    ///   - others: The further columns of a constraint of several.
    ///   - doNothing: Whether such a record is left out instead: `DO NOTHING`.
    /// - Returns: The number of rows that were inserted or updated.
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    @discardableResult
    public func insert(
        contentsOf records: some Sequence<Record>, onConflict column: PartialKeyPath<Record>,
        _ others: PartialKeyPath<Record>..., doNothing: Bool = false
    ) throws -> Int {
        try insert(records, onConflict: [column] + others, doNothing: doNothing)
    }

    /// Inserts many records, all or none of them, and sets columns of the rows that they would break a unique constraint with:
    /// `INSERT INTO … VALUES(…), (…), … ON CONFLICT("x") DO UPDATE SET … WHERE …`.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - column: The column of the unique constraint.
    ///   - others: The further columns of a constraint of several.
    ///   - assignments: The columns to set. `$0` is the row that is there, `$0.excluded` the one that was to be inserted.
    ///   - condition: The condition on which a row is updated. Other rows stay as they are.
    /// - Returns: The number of rows that were inserted or updated.
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    @discardableResult
    public func insert(
        contentsOf records: some Sequence<Record>, onConflict column: PartialKeyPath<Record>,
        _ others: PartialKeyPath<Record>...,
        @ListBuilder<Assignment> set assignments: (UpsertColumns<Record>) -> [Assignment],
        where condition: ((UpsertColumns<Record>) -> Condition)? = nil
    ) throws -> Int {
        try insert(records, onConflict: [column] + others, assignments, condition)
    }

    /// Inserts many records, sets columns of the rows that they would break a unique constraint with, and returns a value of each
    /// row: `INSERT INTO … VALUES(…) ON CONFLICT("x") DO UPDATE SET … RETURNING "points"."label"`.
    ///
    /// Each record is a separate statement, so that the values are in the order of the records. A row that is not updated
    /// returns no value.
    ///
    /// - Returns: The values of the rows that were inserted or updated.
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    public func insert<Value: ColumnStorable>(
        contentsOf records: some Sequence<Record>, onConflict column: PartialKeyPath<Record>,
        _ others: PartialKeyPath<Record>...,
        @ListBuilder<Assignment> set assignments: (UpsertColumns<Record>) -> [Assignment],
        where condition: ((UpsertColumns<Record>) -> Condition)? = nil,
        @ReturningBuilder returning expression: (Columns<Record>) -> Expr<Value>
    ) throws -> [Value] {
        try insert(records, onConflict: [column] + others, assignments, condition, returning: expression)
    }

    func insert(
        _ records: some Sequence<Record>, onConflict columns: [PartialKeyPath<Record>], doNothing: Bool
    ) throws -> Int {
        let sql = try core.insertion(onConflict: columns) { doNothing ? "NOTHING" : core.updateOfConflict($0) }
        return try insert(records, sql)
    }

    func insert(
        _ records: some Sequence<Record>, onConflict columns: [PartialKeyPath<Record>],
        _ assignments: (UpsertColumns<Record>) -> [Assignment], _ condition: ((UpsertColumns<Record>) -> Condition)?
    ) throws -> Int {
        let sql = try core.insertion(onConflict: columns) { _ in try core.updateOfConflict(assignments, condition) }
        return try insert(records, sql)
    }

    func insert<Value: ColumnStorable>(
        _ records: some Sequence<Record>, onConflict columns: [PartialKeyPath<Record>],
        _ assignments: (UpsertColumns<Record>) -> [Assignment], _ condition: ((UpsertColumns<Record>) -> Condition)?,
        @ReturningBuilder returning expression: (Columns<Record>) -> Expr<Value>
    ) throws -> [Value] {
        var sql = try core.insertion(onConflict: columns) { _ in try core.updateOfConflict(assignments, condition) }
        let returning = core.inScope(expression)
        sql.conflict += core.returning(returning)
        return try connection.inScope(sql.single) { single in
            var insertion = BulkInsertion(connection, core, sql, single: single)
            var values: [Value] = []
            for record in records {
                try insertion.insert(record) { row in
                    values.append(try row.value(at: 0, form: returning.form))
                }
            }
            return values
        }
    }
}

/// The columns of a table in an upsert: those of the row that is there, and in ``excluded`` those of the row that was to be inserted.
///
///     try connection.upsert(page, onConflict: \.path) {
///         $0.hits.set(to: $0.hits + $0.excluded.hits)
///     }
@dynamicMemberLookup
public struct UpsertColumns<Record>: Sendable {
    let core: TableCore<Record>
    /// The columns of the row that is there.
    private var columns: Columns<Record> { Columns(core: core, alias: nil) }

    /// The columns of the row that was to be inserted: `"excluded"."name"`.
    public var excluded: Columns<Record> { Columns(core: core, alias: "excluded") }

    /// The column of a nested property: `$0[\.address.city]`.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value>) -> Expr<Value> { columns[keyPath] }

    @_documentation(visibility: internal)
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Expr<Value> { columns[keyPath] }
}
