// INSERT … SELECT. The values of the query and the columns of the table have equal types, or the call does not compile.

extension Connection {
    /// Inserts the rows of a query into a table: `INSERT INTO "archive"("id", "name") SELECT … FROM "orders" WHERE …`.
    ///
    ///     try connection.insert(into: Archive.self, from: Order.select { ($0.id, $0.name) })
    ///     // Records, if both tables have the same types:
    ///     try connection.insert(into: Archive.self, from: Order.where { $0.placed < cutoff })
    ///
    /// The query selects one value for each column of the table, in the order and of the types of the columns. The value of a
    /// generated column is ignored. Records of a table with columns of the same names and types, in any order, are inserted by name.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func insert<Target: TableRecord, Key, Values>(
        into type: Target.Type, from query: some Selection<Values>
    ) throws -> Int where Target.DeclaredTable == Table<Target, Key, Values> {
        try insert(into: Target.table.core, query.select, "")
    }

    /// Inserts the records of a query into another table whose columns have the same types.
    ///
    /// If the tables have columns of the same names and types, in any order, each value goes into the column with its name. Otherwise it
    /// goes into the column at its position.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``, also for columns that are stored in different forms.
    @_documentation(visibility: internal)
    @discardableResult
    public func insert<Target: TableRecord, Source: TableRecord, Key, Values>(
        into type: Target.Type, from query: some Selection<Source>
    ) throws -> Int
    where Target.DeclaredTable == Table<Target, Key, Values>, Source.DeclaredTable == Table<Source, Key, Values> {
        try insert(into: Target.table.core, query.sql, Source.table.core, "")
    }

    /// Inserts the rows of a query into a table, and updates the rows that they would break a unique constraint with:
    /// `INSERT INTO … SELECT … WHERE TRUE ON CONFLICT("id") DO UPDATE SET "name" = excluded."name"`.
    ///
    /// - Parameters:
    ///   - type: The type of the records of the table.
    ///   - query: The query, with one value for each column, or the records of a table whose columns have the same types.
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
        return try insert(into: core, query.select, conflict.conflict)
    }

    /// Inserts the records of a query into another table, and updates the rows that they would break a unique constraint with.
    ///
    /// If the tables have columns of the same names and types, in any order, each value goes into the column with its name.
    ///
    /// - Returns: The number of rows that were inserted or updated.
    /// - Throws: ``SQLiteError``, also for columns that are stored in different forms.
    @_documentation(visibility: internal)
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
        return try insert(into: core, query.sql, Source.table.core, conflict.conflict)
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
        return try insert(into: core, query.select, conflict.conflict)
    }

    /// Inserts the records of a query into another table, and sets columns of the rows that they would break a unique constraint
    /// with.
    ///
    /// If the tables have columns of the same names and types, in any order, each value goes into the column with its name.
    ///
    /// - Returns: The number of rows that were inserted or updated.
    /// - Throws: ``SQLiteError``, also for columns that are stored in different forms.
    @_documentation(visibility: internal)
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
        return try insert(into: core, query.sql, Source.table.core, conflict.conflict)
    }

    /// Inserts selected values, by their positions.
    private func insert<Record, Output>(
        into core: TableCore<Record>, _ query: Select<Output>, _ conflict: SQL
    ) throws -> Int {
        try core.check()
        return try insert(
            into: core, query.sql, zip(core.columns, query.forms).map { ($0, $1.stored) }, conflict)
    }

    /// Inserts records: by the names of their columns if both tables have the same, and otherwise by their positions.
    private func insert<Record, Source>(
        into core: TableCore<Record>, _ query: SQL, _ source: TableCore<Source>, _ conflict: SQL
    ) throws -> Int {
        try core.check()
        try source.check()
        let columns = core.columns(namedAsIn: source) ?? core.columns
        return try insert(into: core, query, zip(columns, source.columns).map { ($0, $1.storedForm) }, conflict)
    }

    /// - Parameter selected: For each column of the query the column that it is inserted into, and the form of its values.
    private func insert<Record>(
        into core: TableCore<Record>, _ query: SQL, _ selected: [(column: TableColumn<Record>, form: StoredForm)],
        _ conflict: SQL
    ) throws -> Int {
        var sql =
            core.insertSQL(from: query, selected.map(\.column.name), hasConflict: !conflict.text.isEmpty) + conflict
        for (column, form) in selected { sql.check(column.storedForm, fits: form) }
        try run(sql)
        return changes
    }
}

extension TableCore {
    /// Returns the column with the name and the type of each column of another table; `nil` if one has none. Optionals count as their
    /// wrapped type.
    fileprivate func columns<Other>(namedAsIn other: TableCore<Other>) -> [TableColumn<Record>]? {
        let found = other.columns.compactMap { column in
            columns.first { Identifier($0.name) == Identifier(column.name) && $0.baseType == column.baseType }
        }
        return found.count == columns.count ? found : nil
    }

    /// Returns `INSERT INTO "archive"("id", "name") SELECT …`
    ///
    /// The query becomes a common table expression with the names of its columns if they are in another order, and if columns are
    /// generated, which are left out. Before a conflict clause it is a subquery: SQLite would take its `ON` for that of a join.
    fileprivate func insertSQL(from query: SQL, _ selected: [String], hasConflict: Bool) -> SQL {
        let written = columns.filter { $0.definition.generated == nil }.map(\.name)
        let insert: SQL = "INSERT INTO \(name: definition.name)(\(names: written)) "
        if written != selected {
            let with: SQL = "WITH \"squall_selected\"(\(names: selected)) AS (\(query)) "
            return with + insert + "SELECT \(names: written) FROM \"squall_selected\""
                + (hasConflict ? " WHERE TRUE" : "")
        }
        return insert + (hasConflict ? "SELECT * FROM (\(query)) WHERE TRUE" : query)
    }
}
