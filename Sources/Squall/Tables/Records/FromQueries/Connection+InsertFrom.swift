// INSERT … SELECT. The values of the query and the columns of the table have equal types, or the call does not compile.

extension Connection {
    /// Inserts the rows of a query into a table: `INSERT INTO "archive"("id", "name") SELECT … FROM "orders" WHERE …`.
    ///
    ///     try connection.insert(into: Archive.self, from: Order.select { ($0.id, $0.name) })
    ///     try connection.insert(into: Archive.self, from: Order.where { $0.placed < cutoff })    // tables of equal types
    ///
    /// The query selects one value for each column of the table, in the order and of the types of the columns. The value of a
    /// generated column is ignored.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func insert<Target: TableRecord, Key, Values>(
        into type: Target.Type, from query: some Selection<Values>
    ) throws -> Int where Target.DeclaredTable == Table<Target, Key, Values> {
        try insert(into: Target.table.core, query.sql, query.select.forms.map(\.stored), "")
    }

    /// Inserts the records of a query into another table whose columns have the same types.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``, also for columns that are stored in different forms.
    @discardableResult
    public func insert<Target: TableRecord, Source: TableRecord, Key, Values>(
        into type: Target.Type, from query: some Selection<Source>
    ) throws -> Int
    where Target.DeclaredTable == Table<Target, Key, Values>, Source.DeclaredTable == Table<Source, Key, Values> {
        try insert(into: Target.table.core, query.sql, Source.table.core.storedForms, "")
    }

    /// Inserts the rows of a query into a table, and updates the rows that they would break a unique constraint with:
    /// `INSERT INTO … SELECT … WHERE TRUE ON CONFLICT("id") DO UPDATE SET "name" = excluded."name"`.
    ///
    /// - Parameters:
    ///   - type: The type of the records of the table.
    ///   - query: The query, with one value for each column.
    ///   - column: The column of the unique constraint. Neither it nor the primary key is updated.
    ///   - others: The further columns of a constraint of several.
    ///   - doNothing: Whether such a row is left out instead: `DO NOTHING`.
    /// - Returns: The number of rows that were inserted or updated.
    /// - Throws: ``SQLiteError``.
    @discardableResult
    public func insert<Target: TableRecord, Key, Values>(
        into type: Target.Type, from query: some Selection<Values>,
        onConflict column: PartialKeyPath<Target>, _ others: PartialKeyPath<Target>..., doNothing: Bool = false
    ) throws -> Int where Target.DeclaredTable == Table<Target, Key, Values> {
        let core = Target.table.core
        let conflict = try core.insertion(onConflict: [column] + others) {
            doNothing ? "NOTHING" : core.updateOfConflict($0)
        }
        return try insert(
            into: core, query.sql, query.select.forms.map(\.stored), conflict.conflict)
    }

    /// Inserts the records of a query into another table, and updates the rows that they would break a unique constraint with.
    ///
    /// - Returns: The number of rows that were inserted or updated.
    /// - Throws: ``SQLiteError``, also for columns that are stored in different forms.
    @discardableResult
    public func insert<Target: TableRecord, Source: TableRecord, Key, Values>(
        into type: Target.Type, from query: some Selection<Source>,
        onConflict column: PartialKeyPath<Target>, _ others: PartialKeyPath<Target>..., doNothing: Bool = false
    ) throws -> Int
    where Target.DeclaredTable == Table<Target, Key, Values>, Source.DeclaredTable == Table<Source, Key, Values> {
        let core = Target.table.core
        let conflict = try core.insertion(onConflict: [column] + others) {
            doNothing ? "NOTHING" : core.updateOfConflict($0)
        }
        return try insert(into: core, query.sql, Source.table.core.storedForms, conflict.conflict)
    }

    /// Inserts the rows of a query into a table, and sets columns of the rows that they would break a unique constraint with.
    ///
    /// - Returns: The number of rows that were inserted or updated.
    /// - Throws: ``SQLiteError``.
    @discardableResult
    public func insert<Target: TableRecord, Key, Values>(
        into type: Target.Type, from query: some Selection<Values>,
        onConflict column: PartialKeyPath<Target>, _ others: PartialKeyPath<Target>...,
        @ListBuilder<Assignment> set assignments: (UpsertColumns<Target>) -> [Assignment],
        where condition: ((UpsertColumns<Target>) -> Condition)? = nil
    ) throws -> Int where Target.DeclaredTable == Table<Target, Key, Values> {
        let core = Target.table.core
        let conflict = try core.insertion(onConflict: [column] + others) { _ in
            try core.updateOfConflict(assignments, condition)
        }
        return try insert(
            into: core, query.sql, query.select.forms.map(\.stored), conflict.conflict)
    }

    /// Inserts the records of a query into another table, and sets columns of the rows that they would break a unique constraint
    /// with.
    ///
    /// - Returns: The number of rows that were inserted or updated.
    /// - Throws: ``SQLiteError``, also for columns that are stored in different forms.
    @discardableResult
    public func insert<Target: TableRecord, Source: TableRecord, Key, Values>(
        into type: Target.Type, from query: some Selection<Source>,
        onConflict column: PartialKeyPath<Target>, _ others: PartialKeyPath<Target>...,
        @ListBuilder<Assignment> set assignments: (UpsertColumns<Target>) -> [Assignment],
        where condition: ((UpsertColumns<Target>) -> Condition)? = nil
    ) throws -> Int
    where Target.DeclaredTable == Table<Target, Key, Values>, Source.DeclaredTable == Table<Source, Key, Values> {
        let core = Target.table.core
        let conflict = try core.insertion(onConflict: [column] + others) { _ in
            try core.updateOfConflict(assignments, condition)
        }
        return try insert(into: core, query.sql, Source.table.core.storedForms, conflict.conflict)
    }

    private func insert<Record>(
        into core: TableCore<Record>, _ query: SQL, _ forms: [StoredForm], _ conflict: SQL
    ) throws -> Int {
        try core.check()
        var sql = core.insertSQL(from: query, hasConflict: !conflict.text.isEmpty) + conflict
        for (form, selected) in zip(core.storedForms, forms) { sql.check(form, fits: selected) }
        try run(sql)
        return changes
    }
}

extension TableCore {
    /// The forms in which the columns store their values.
    var storedForms: [StoredForm] { columns.map { column in column.form.map { .named($0.name) } ?? .plain } }

    /// `INSERT INTO "archive"("id", "name") SELECT …`
    ///
    /// The query is a subquery where columns are generated, which are left out, and before a conflict clause: SQLite would take
    /// its `ON` for that of a join.
    func insertSQL(from query: SQL, hasConflict: Bool) -> SQL {
        let written = columns.filter { $0.definition.generated == nil }.map(\.name)
        let insert: SQL = "INSERT INTO \(name: definition.name)(\(names: written)) "
        if written.count < columns.count {
            let selected: SQL = "WITH \"squall_selected\"(\(names: columns.map(\.name))) AS (\(query)) "
            return selected + insert + "SELECT \(names: written) FROM \"squall_selected\""
                + (hasConflict ? " WHERE TRUE" : "")
        }
        return insert + (hasConflict ? "SELECT * FROM (\(query)) WHERE TRUE" : query)
    }
}
