/// What all of a table's verbs work with: its columns without their types, and its SQL.
public final class TableCore<Record>: Sendable {
    /// What the table is, as SQL.
    public let definition: TableDefinition
    let columns: [TableColumn<Record>]
    /// Why the table cannot be used.
    let failure: (any Error)?
    // Of their own, so that every verb can ask them without a generic call: 60 ns.
    @usableFromInline let isBroken: Bool
    @usableFromInline let hasKey: Bool
    @usableFromInline let layout: RecordLayout
    @usableFromInline let plainMake: @Sendable (inout RecordCursor) throws -> Record
    /// Looks at the first records that are read; `nil` for the many tables where made-up values were enough.
    @usableFromInline let pairing: PairingCheck<Record>?

    /// `SELECT "users"."id", "users"."name" FROM "users"`
    let selectSQL: SQL
    /// The same and `WHERE`, for a condition to follow.
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
    let updateSQL: SQL
    let deleteSQL: SQL

    /// The columns that are not generated.
    @usableFromInline let writers: [FieldWriter<Record>]
    @usableFromInline let keyWriters: [FieldWriter<Record>]
    @usableFromInline let nonKeyWriters: [FieldWriter<Record>]
    let keys: [TableColumn<Record>]
    /// Whether the columns of the key are the first ones, in its order.
    @usableFromInline let isKeyFirst: Bool
    /// Whether the values of the key are bound as they are.
    @usableFromInline let hasPlainKey: Bool

    @usableFromInline
    init(
        _ name: String, columns: [TableColumn<Record>], options: [TableOption],
        make: @escaping @Sendable (inout RecordCursor) throws -> Record, build: (@Sendable ([Any]) throws -> Record)?,
        failure: (any Error)? = nil
    ) {
        let definition = TableDefinition(name, columns.map(\.definition), options)
        var columns = columns
        for index in columns.indices { columns[index].reference = "\(name: name).\(name: columns[index].name)" }
        self.definition = definition
        self.columns = columns
        plainMake = make
        layout = RecordLayout(tableName: name, names: columns.map(\.name), codecs: columns.map(\.codec))

        let keyNames = definition.primaryKey.map { Identifier($0) }
        let keys = keyNames.compactMap { key in columns.first { Identifier($0.name) == key } }
        let written = columns.filter { $0.definition.generated == nil }
        let others = written.filter { !keyNames.contains(Identifier($0.name)) }
        self.keys = keys
        isKeyFirst = zip(keyNames, columns).allSatisfy { $0 == Identifier($1.name) }
        writers = written.map(\.write)
        keyWriters = keys.map(\.write)
        nonKeyWriters = others.map(\.write)
        hasPlainKey = keys.allSatisfy { $0.form == nil }

        let select: SQL =
            "SELECT \(columns.map(\.reference).joined(separator: ", ")) FROM \(name: name)"
        let isKey = keys.map { "\($0.reference) = ?" as SQL }.joined(separator: " AND ")
        let values: SQL =
            "(\(names: written.map(\.name))) VALUES(\(written.map { _ in "?" as SQL }.joined(separator: ", ")))"
        let assignments = others.map { "\(name: $0.name) = ?" as SQL }.joined(separator: ", ")
        keyCondition = isKey
        selectSQL = select
        selectWhereSQL = select + " WHERE "
        findSQL = "\(select) WHERE \(isKey)"
        insertSQL = "INSERT INTO \(name: name)\(values)"
        let isAssigned = definition.rowIDColumn != nil && keys.allSatisfy { $0.definition.notNull != nil }
        let newValues: SQL =
            "(\(names: others.map(\.name))) VALUES(\(others.map { _ in "?" as SQL }.joined(separator: ", ")))"
        insertWithoutKeySQL =
            isAssigned ? "INSERT INTO \(name: name)" + (others.isEmpty ? " DEFAULT VALUES" : newValues) : nil
        replaceSQL = "INSERT OR REPLACE INTO \(name: name)\(values)"
        updateSQL = "UPDATE \(name: name) SET \(assignments) WHERE \(isKey)"
        deleteSQL = "DELETE FROM \(name: name) WHERE \(isKey)"

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
    }

    /// Throws what is wrong with the declaration. Every verb asks first.
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
    func requireFirstKey() throws {
        try requireKey()
        if !isKeyFirst { try throwKeyNotFirst() }
    }

    @usableFromInline
    func throwKeyNotFirst() throws {
        throw SQLiteError.misuse(.table(definition.name, .primaryKeyIsNotFirst))
    }

    /// Throws when a record has `nil` in its primary key: no row has that key.
    func requireKeyValue(of record: Record) throws {
        try withUnsafePointer(to: record) { record in
            for key in keys where key.isNil?(record) == true {
                throw SQLiteError.misuse(.table(definition.name, .missingKey(column: key.name)))
            }
        }
    }

    @usableFromInline
    func throwNoKey() throws {
        throw SQLiteError.misuse(.table(definition.name, .noPrimaryKey))
    }
}
