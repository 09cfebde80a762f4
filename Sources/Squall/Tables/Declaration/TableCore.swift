/// The columns of a table without their types, and its SQL, for all functions that work on its records.
@_documentation(visibility: internal)
public final class TableCore<Record>: Sendable {
    /// The definition of the table, which is its SQL.
    @_documentation(visibility: internal)
    public var definition: TableDefinition {
        if lazyOptions.isEmpty { return declared }
        return lazyOptions.reduce(into: declared) { definition, option in option.apply(&definition) }
    }

    /// The definition without the foreign keys of relations.
    private let declared: TableDefinition
    /// The foreign keys of relations, whose other table may be declared only later.
    private let lazyOptions: [TableOption]
    /// The name of the table.
    package let name: String
    package let columns: [TableColumn<Record>]
    /// The place of each column's property; `nil` for a property that is not stored in the record.
    let fields: [FieldPlace?]
    /// The columns as expressions of a query that uses the table's own name.
    let ownColumns: [ExprParts]
    /// The columns as a query selects them that uses the table's own name.
    let selectedColumns: SelectedColumns
    /// The table in a query that uses its own name.
    package let entry: TableEntry
    /// The clauses with which a query begins: `FROM "users"`.
    let clauses: QueryClauses
    /// The reason why the table cannot be used.
    package let failure: (any Error)?
    // Stored, so that the functions can read them without a generic call, which costs 60 ns.
    @usableFromInline let isBroken: Bool
    @usableFromInline let hasKey: Bool
    @usableFromInline let layout: RecordLayout
    @usableFromInline let plainMake: @Sendable (inout ColumnReader) throws -> Record
    /// Appends the record of a row. It is specialised where the table is declared: generic code would look up the types of the
    /// array and of the record for each row.
    let plainAppend: @Sendable (inout [Record], inout ColumnReader) throws -> Void
    /// Checks the first records that are read; `nil` where made-up values were enough, as they are for most tables.
    @usableFromInline let pairing: PairingCheck<Record>?

    /// `SELECT "users"."id", "users"."name" FROM "users"`
    let selectSQL: SQL
    /// `SELECT … FROM "users" WHERE `, for a condition to follow.
    let selectWhereSQL: SQL
    /// `SELECT … WHERE "users"."id" = ?`, for the values of the key.
    @usableFromInline let findSQL: SQL
    /// `INSERT INTO "users"("id", "name") VALUES(?, ?)`, for the values of the columns that are written.
    @usableFromInline let insertSQL: SQL
    /// `INSERT INTO "users"("name") VALUES(?)`, where the key is an integer that cannot be `nil`.
    let insertWithoutKeySQL: SQL?
    let replaceSQL: SQL
    /// `"users"."id" = ?`
    let keyCondition: SQL
    @usableFromInline let updateSQL: SQL
    let deleteSQL: SQL

    /// The columns that are not generated.
    @usableFromInline let binders: [FieldBinder]
    package var parameterCount: Int { binders.count }
    @usableFromInline let keyBinders: [FieldBinder]
    @usableFromInline let nonKeyBinders: [FieldBinder]
    let keys: [TableColumn<Record>]
    /// The columns of the key that can be `nil` in a record.
    let optionalKeys: [TableColumn<Record>]
    /// Whether the columns of the key are the first ones, in its order.
    @usableFromInline let isKeyFirst: Bool
    /// Whether the values of the key are bound as they are.
    @usableFromInline let hasPlainKey: Bool

    @inlinable
    convenience init(
        _ name: String, columns: [TableColumn<Record>], options: [TableOption],
        make: @escaping @Sendable (inout ColumnReader) throws -> Record, build: (@Sendable ([Any]) throws -> Record)?,
        failure: (any Error)? = nil
    ) {
        self.init(
            name, columns: columns, options: options, make: make, append: { $0.append(try make(&$1)) }, build: build,
            failure: failure
        )
    }

    @usableFromInline
    init(
        _ name: String, columns: [TableColumn<Record>], options: [TableOption],
        make: @escaping @Sendable (inout ColumnReader) throws -> Record,
        append: @escaping @Sendable (inout [Record], inout ColumnReader) throws -> Void,
        build: (@Sendable ([Any]) throws -> Record)?, failure: (any Error)?
    ) {
        let definition = TableDefinition(name, columns.map(\.definition), options.filter { !$0.isLazy })
        var columns = columns
        let rowID = definition.rowIDColumn.map { Identifier($0) }
        for index in columns.indices {
            let column = columns[index]
            columns[index].reference = ("\(name: name).\(name: column.name)" as SQL).joinedHead
            columns[index].isNeverNull = column.definition.notNull != nil || Identifier(column.name) == rowID
        }
        self.name = name
        declared = definition
        lazyOptions = options.filter(\.isLazy)
        self.columns = columns
        fields = columns.map { column in
            column.offset.map { FieldPlace(offset: $0, type: ObjectIdentifier(column.valueType)) }
        }
        ownColumns = columns.map {
            ExprParts(column: $0.reference, form: $0.form, name: $0.name, isNeverNull: $0.isNeverNull)
        }
        plainMake = make
        plainAppend = append
        layout = RecordLayout(tableName: name, names: columns.map(\.name), codecs: columns.map(\.codec))

        let keyNames = definition.primaryKey.map { Identifier($0) }
        let keys = keyNames.compactMap { key in columns.first { Identifier($0.name) == key } }
        let written = columns.filter { $0.definition.generated == nil }
        let others = written.filter { !keyNames.contains(Identifier($0.name)) }
        self.keys = keys
        optionalKeys = keys.filter { $0.isNil != nil }
        isKeyFirst = zip(keyNames, columns).allSatisfy { $0 == Identifier($1.name) }
        binders = written.map(\.write)
        keyBinders = keys.map(\.write)
        nonKeyBinders = others.map(\.write)
        hasPlainKey = keys.allSatisfy { $0.form == nil }

        let references = columns.map(\.reference)
        let selectList = references.joined(separator: ", ").joinedHead
        selectedColumns = SelectedColumns(
            references, list: selectList,
            forms: columns.map { ColumnForm(form: $0.form, stored: $0.form.map { .named($0.name) } ?? .plain) })
        let select = ("SELECT \(selectList) FROM \(name: name)" as SQL).joinedHead
        let isKey = keys.map { "\($0.reference) = ?" as SQL }.joined(separator: " AND ")
        let values: SQL =
            "(\(names: written.map(\.name))) VALUES(\(written.map { _ in "?" as SQL }.joined(separator: ", ")))"
        let assignments = others.map { "\(name: $0.name) = ?" as SQL }.joined(separator: ", ")
        keyCondition = isKey.joinedHead
        selectSQL = select
        selectWhereSQL = (select + " WHERE ").joinedHead
        findSQL = ("\(select) WHERE \(isKey)" as SQL).joinedHead
        insertSQL = ("INSERT INTO \(name: name)\(values)" as SQL).joinedHead
        let isAssigned = definition.rowIDColumn != nil && keys.allSatisfy { $0.definition.notNull != nil }
        let newValues: SQL =
            "(\(names: others.map(\.name))) VALUES(\(others.map { _ in "?" as SQL }.joined(separator: ", ")))"
        let insertWithoutKey = "INSERT INTO \(name: name)" + (others.isEmpty ? " DEFAULT VALUES" : newValues)
        insertWithoutKeySQL = isAssigned ? insertWithoutKey.joinedHead : nil
        replaceSQL = ("INSERT OR REPLACE INTO \(name: name)\(values)" as SQL).joinedHead
        updateSQL = ("UPDATE \(name: name) SET \(assignments) WHERE \(isKey)" as SQL).joinedHead
        deleteSQL = ("DELETE FROM \(name: name) WHERE \(isKey)" as SQL).joinedHead

        let probe =
            options.allSatisfy(\.isProbed) ? build.map { TableProbe(table: name, columns: columns, build: $0) } : nil
        hasKey = !keys.isEmpty
        do {
            try definition.check()
            if let failure { throw failure }
            pairing = try probe.flatMap { try $0.run() ? nil : PairingCheck($0) }
            self.failure = nil
        } catch {
            pairing = nil
            self.failure = error
        }
        isBroken = self.failure != nil
        entry = TableEntry(name, keys: keys.map { KeyColumn($0) }, failure: self.failure)
        clauses = QueryClauses(entry)
    }

    /// Throws the error of a wrong declaration. Every function on records calls this first.
    @inlinable
    func check() throws {
        if isBroken { try throwFailure() }
    }

    @usableFromInline
    func throwFailure() throws {
        if let failure { throw failure }
    }

    /// Throws when the table has no primary key.
    @inlinable
    func requireKey() throws {
        try check()
        if !hasKey { try throwNoKey() }
    }

    /// Throws when the first columns are not the primary key.
    @inlinable
    package func requireFirstKey() throws {
        try requireKey()
        if !isKeyFirst { try throwKeyNotFirst() }
    }

    @usableFromInline
    func throwKeyNotFirst() throws {
        throw SQLiteError(TableProblem.primaryKeyIsNotFirst, of: .table(name))
    }

    /// Throws when a record has `nil` in its primary key: no row has that key.
    func requireKeyValue(of record: Record) throws {
        try withUnsafePointer(to: record) { try requireKeyValue(at: $0) }
    }

    /// Throws when the record at an address has `nil` in its primary key.
    func requireKeyValue(at record: UnsafePointer<Record>) throws {
        for index in optionalKeys.indices where optionalKeys[index].isNil?(record) == true {
            throw SQLiteError(TableProblem.missingKey(column: optionalKeys[index].name), of: .table(name))
        }
    }

    @usableFromInline
    func throwNoKey() throws {
        throw SQLiteError(TableProblem.noPrimaryKey, of: .table(name))
    }
}
