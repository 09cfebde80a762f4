extension TableCore {
    /// Returns `INSERT INTO "users"("id", "name") VALUES(?, ?)` with the values of a record.
    package func insertion(of record: Record, _ sql: RecordInsertSQL) throws -> SQL {
        try check()
        if sql.requiresKey { try requireKeyValue(of: record) }
        return try sql.insert.giving(values(of: record, binders)) + sql.conflict
    }

    /// Returns `INSERT INTO "users"("id", "name") VALUES(?, ?), (?, ?)` with the values of one or more records.
    package func insertion(of records: some Collection<Record>) throws -> SQL {
        try check()
        let row: SQL = "(\(binders.map { _ in "?" as SQL }.joined(separator: ", ")))"
        // Without a record, `giving` throws, because values are missing.
        let rows = insertSQL + records.dropFirst().map { _ in ", " + row }.joined()
        return try rows.giving(records.flatMap { try values(of: $0, binders) })
    }

    /// Returns `UPDATE "users" SET "name" = ? WHERE "users"."id" = ?` with the values of a record; `nil` if all columns are in the
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

    /// Returns `SELECT EXISTS (SELECT 1 FROM "users" WHERE "users"."id" = ?)` with the key of a record.
    package func existence(of record: Record) throws -> SQL {
        let sql: SQL = "SELECT EXISTS (SELECT 1 FROM \(name: name) WHERE \(keyCondition))"
        return try sql.giving(values(of: record, keyBinders))
    }

    /// Returns `DELETE FROM "users" WHERE "users"."id" = ?` with the key of a record.
    package func deletion(of record: Record) throws -> SQL {
        try requireKey()
        try requireKeyValue(of: record)
        return try deleteSQL.giving(values(of: record, keyBinders))
    }

    /// Returns `SELECT … FROM "users" WHERE "users"."id" = ?` with a key.
    package func selection(ofKey key: [(any Bindable)?]) throws -> SQL {
        try findSQL.giving(ListedValues(content: .inOrder(encodeKey(key))))
    }

    private func values(of record: Record, _ binders: [FieldBinder]) throws -> [BindingValue] {
        try withUnsafePointer(to: record) { try ValueReader.values(of: binders, at: $0) }
    }
}
