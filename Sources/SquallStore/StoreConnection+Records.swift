import Squall

// The verbs for queries, and for the records of a `TableRecord`, which are those of its table; see `StoreConnection+Table.swift`.

extension StoreConnection {
    /// Returns all rows of a query.
    ///
    ///     let adults = try await connection.all(
    ///         User.where { $0.age > 17 }.order { $0.name.ascending })
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func all<Output: Sendable>(_ query: some Selection<Output>) async throws -> [Output]
    {
        let select = query.select
        return try await read(select.sql, rows: .all) { try $0.all(select.reading($1)) }
    }

    /// Returns all records, or those that meet a condition: `SELECT … FROM "users" WHERE …`.
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func all<Record: TableRecord & Sendable>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) async throws -> [Record] {
        try await table(Record.table).all(where: condition)
    }

    /// Returns the first row of a query, or `nil`.
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func first<Output: Sendable>(_ query: some Selection<Output>) async throws -> Output?
    {
        let select = query.select
        return try await read(select.sql, rows: .first) { try $0.first(select.reading($1)) }
    }

    /// Returns the first record, or the first that meets a condition: `SELECT … FROM "users" WHERE … LIMIT 1`.
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func first<Record: TableRecord & Sendable>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) async throws -> Record? {
        try await table(Record.table).first(where: condition)
    }

    /// Returns the record with a key, `nil` when there is none: `SELECT … FROM "users" WHERE "users"."id" = ?`.
    ///
    /// - Throws: `SQLiteError` as `Connection.find(_:_:_:)`, `ConversionError`, `CancellationError`, and the errors of
    ///   the store.
    public nonisolated(nonsending) func find<Record: TableRecord & Sendable, each Other: StatementParameter>(
        _ type: Record.Type, _ key: Record.DeclaredTable.Key, _ others: repeat each Other
    ) async throws -> Record? where Record.DeclaredTable.Key: StatementParameter {
        try await table(Record.table).find(key, repeat each others)
    }

    /// Returns the number of rows of a query: `SELECT count(*) FROM (…)`.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func count(_ query: some Selection) async throws -> Int {
        try await self.query("SELECT count(*) FROM (\(query.sql))")
    }

    /// Returns the number of records, or of those that meet a condition: `SELECT count(*) FROM "users" WHERE …`.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func count<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) async throws -> Int {
        try await table(Record.table).count(where: condition)
    }

    /// Returns whether a query has a row: `SELECT EXISTS (…)`.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func exists(_ query: some Selection) async throws -> Bool {
        try await self.query("SELECT EXISTS (\(query.sql))")
    }

    /// Returns whether there is a record, or one that meets a condition: `SELECT EXISTS (SELECT 1 FROM "users" WHERE …)`.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func exists<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) async throws -> Bool {
        try await table(Record.table).exists(where: condition)
    }
}

extension StoreConnection {
    /// Inserts a record: `INSERT INTO "users"("id", "name") VALUES(?, ?)`.
    ///
    /// - Returns: The rowid.
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    public nonisolated(nonsending) func insert<Record: TableRecord>(_ record: Record) async throws -> Int64 {
        try await table(Record.table).insert(record)
    }

    /// Inserts records, several in a statement: `INSERT INTO "users"("id", "name") VALUES(?, ?), (?, ?), …`.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store. Records of earlier statements are inserted,
    ///   unless the error ends the transaction.
    public nonisolated(nonsending) func insert<Record: TableRecord>(
        contentsOf records: some Sequence<Record>
    ) async throws {
        try await table(Record.table).insert(contentsOf: records)
    }

    /// Inserts a record, or updates the one with the same key: `INSERT INTO … ON CONFLICT("id") DO UPDATE SET …`.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func upsert<Record: TableRecord>(
        _ record: Record, onConflict columns: PartialKeyPath<Record>...
    ) async throws {
        try await table(Record.table).upsert(record, columns)
    }

    /// Updates the row with the key of a record: `UPDATE "users" SET "name" = ? WHERE "users"."id" = ?`.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - columns: The columns that are updated; all if there are none.
    /// - Returns: Whether there is such a row.
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    public nonisolated(nonsending) func update<Record: TableRecord>(
        _ record: Record, _ columns: PartialKeyPath<Record>...
    ) async throws -> Bool {
        try await table(Record.table).update(record, columns)
    }

    /// Updates the rows that meet a condition: `UPDATE "users" SET … WHERE …`.
    ///
    /// - Returns: The number of rows.
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    public nonisolated(nonsending) func update<Record: TableRecord>(
        _ type: Record.Type, @ListBuilder<Assignment> set assignments: (Columns<Record>) -> [Assignment],
        where condition: (Columns<Record>) -> Condition
    ) async throws -> Int {
        try await table(Record.table).update(set: assignments, where: condition)
    }

    /// Deletes the row with the key of a record: `DELETE FROM "users" WHERE "users"."id" = ?`.
    ///
    /// - Returns: Whether there was such a row.
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    public nonisolated(nonsending) func delete<Record: TableRecord>(_ record: Record) async throws -> Bool {
        try await table(Record.table).delete(record)
    }

    /// Deletes the rows that meet a condition: `DELETE FROM "users" WHERE …`.
    ///
    /// - Returns: The number of rows.
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    public nonisolated(nonsending) func delete<Record: TableRecord>(
        _ type: Record.Type, where condition: (Columns<Record>) -> Condition
    ) async throws -> Int {
        try await table(Record.table).delete(where: condition)
    }
}
