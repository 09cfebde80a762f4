extension TableCore {
    /// `INSERT INTO "users"("id", "name") VALUES(?, ?)` with the values of a record.
    package func insertion(of record: Record, _ sql: RecordInsertSQL) throws -> SQL {
        try check()
        if sql.requiresKey { try requireKeyValue(of: record) }
        return try sql.insert.giving(values(of: record, binders)) + sql.conflict
    }

    /// `INSERT INTO "users"("id", "name") VALUES(?, ?), (?, ?)` with the values of records.
    package func insertion(of records: some Collection<Record>) throws -> SQL {
        try check()
        let row: SQL = "(\(binders.map { _ in "?" as SQL }.joined(separator: ", ")))"
        let rows = insertSQL + Array(repeating: ", " + row, count: records.count - 1).joined()
        return try rows.giving(records.flatMap { try values(of: $0, binders) })
    }

    /// `UPDATE "users" SET "name" = ? WHERE "users"."id" = ?` with the values of a record; `nil` if all columns are in the
    /// key.
    package func update(of record: Record, _ columns: [PartialKeyPath<Record>]) throws -> SQL? {
        try requireKey()
        try requireKeyValue(of: record)
        if columns.isEmpty, nonKeyBinders.isEmpty { return nil }
        if columns.isEmpty { return try updateSQL.giving(values(of: record, nonKeyBinders + keyBinders)) }
        let chosen = try columns.map { try requireColumn($0) }
        let assignments = chosen.map { "\(name: $0.name) = ?" as SQL }.joined(separator: ", ")
        let sql: SQL = "UPDATE \(name: name) SET \(assignments) WHERE \(keyCondition)"
        return try sql.giving(values(of: record, chosen.map(\.write) + keyBinders))
    }

    /// `SELECT EXISTS (SELECT 1 FROM "users" WHERE "users"."id" = ?)` with the key of a record.
    package func existence(of record: Record) throws -> SQL {
        let sql: SQL = "SELECT EXISTS (SELECT 1 FROM \(name: name) WHERE \(keyCondition))"
        return try sql.giving(values(of: record, keyBinders))
    }

    /// `DELETE FROM "users" WHERE "users"."id" = ?` with the key of a record.
    package func deletion(of record: Record) throws -> SQL {
        try requireKey()
        try requireKeyValue(of: record)
        return try deleteSQL.giving(values(of: record, keyBinders))
    }

    /// `SELECT … FROM "users" WHERE "users"."id" = ?` with a key.
    package func selection(ofKey key: [(any Bindable)?]) throws -> SQL {
        try findSQL.giving(ListedValues(content: .inOrder(encodeKey(key))))
    }

    private func values(of record: Record, _ binders: [FieldBinder]) throws -> [BindingValue] {
        try withUnsafePointer(to: record) { try ValueReader.shared.values(of: binders, at: $0) }
    }
}

/// Reads the values that binders give to SQL, with a statement of a connection of its own: `SELECT ?, ?`.
///
/// Sendable, because the connection is used under the lock only.
private final class ValueReader: @unchecked Sendable {
    static let shared = ValueReader()

    private let lock = Lock()
    private var connection: Connection?

    func values(of binders: [FieldBinder], at record: UnsafeRawPointer) throws -> [BindingValue] {
        try lock.withLock {
            let connection = try self.connection ?? Connection()
            self.connection = connection
            let parameters = binders.map { _ in "?" as SQL }.joined(separator: ", ")
            return try connection.withUnboundStatement("SELECT \(parameters)") { statement in
                try statement.beginBinding(count: binders.count)
                try statement.bindFields(binders, of: record)
                guard let row = try statement.nextRow() else { return [] }
                return try binders.indices.map { try row.get($0) ?? .null }
            }
        }
    }
}
