/// What all of a table's verbs work with: its columns without their types, and its SQL.
public final class TableCore<Record>: Sendable {
    /// What the table is, as SQL.
    public let definition: TableDefinition
    let columns: [TableColumn<Record>]
    /// Why the table cannot be used.
    let failure: (any Error)?
    @usableFromInline let layout: RecordLayout
    @usableFromInline let make: @Sendable (inout RecordCursor) throws -> Record

    /// `SELECT "users"."id", "users"."name" FROM "users"`
    let selectSQL: SQL
    /// The same and `WHERE`, for a condition to follow.
    let selectWhereSQL: SQL
    /// `SELECT … WHERE "users"."id" = ?`, for the values of the key.
    @usableFromInline let findSQL: SQL
    /// `INSERT INTO "users"("id", "name") VALUES(?, ?)`, for the values of the columns that are written.
    @usableFromInline let insertSQL: SQL
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
    /// Whether the values of the key are bound as they are.
    @usableFromInline let hasPlainKey: Bool

    @usableFromInline
    init(
        _ name: String, columns: [TableColumn<Record>], options: [TableOption],
        make: @escaping @Sendable (inout RecordCursor) throws -> Record, build: (([Any]) throws -> Record)?,
        failure: (any Error)? = nil
    ) {
        let definition = TableDefinition(name, columns.map(\.definition), options)
        var columns = columns
        for index in columns.indices { columns[index].reference = "\(name: name).\(name: columns[index].name)" }
        self.definition = definition
        self.columns = columns
        self.make = make
        layout = RecordLayout(tableName: name, names: columns.map(\.name), codecs: columns.map(\.codec))

        let keyNames = definition.primaryKey.map { $0.lowercased() }
        let keys = keyNames.compactMap { key in columns.first { $0.name.lowercased() == key } }
        let written = columns.filter { $0.definition.generated == nil }
        let others = written.filter { !keyNames.contains($0.name.lowercased()) }
        self.keys = keys
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
        replaceSQL = "INSERT OR REPLACE INTO \(name: name)\(values)"
        updateSQL = "UPDATE \(name: name) SET \(assignments) WHERE \(isKey)"
        deleteSQL = "DELETE FROM \(name: name) WHERE \(isKey)"

        do {
            try definition.check()
            if let failure { throw failure }
            let isProbed = options.allSatisfy(\.isProbed)
            if isProbed, let build { try TableProbe(table: name, columns: columns, build: build).run() }
            self.failure = nil
        } catch {
            self.failure = error
        }
    }

    /// Throws what is wrong with the declaration. Every verb asks first.
    @inlinable
    func check() throws {
        if isBroken { try throwFailure() }
    }

    @usableFromInline var isBroken: Bool { failure != nil }

    @usableFromInline
    func throwFailure() throws {
        if let failure { throw failure }
    }

    /// Throws when the table has no primary key.
    @usableFromInline
    func requireKey() throws {
        try check()
        guard keys.isEmpty else { return }
        throw SQLiteError.misuse("the table \"\(definition.name)\" is declared without a primary key")
    }
}
