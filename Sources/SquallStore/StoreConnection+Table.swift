import Squall

extension StoreConnection {
    /// The records of a declared table, on a connection of a store. It has the verbs of the connection for records.
    ///
    ///     try await connection.table(corners).insert(Point(x: 1, y: 2))
    ///     let right = try await connection.table(corners).all { $0.x > 3 }
    public struct TableAccess<Record, Key>: Sendable {
        let connection: StoreConnection
        let core: TableCore<Record>
    }

    /// Returns access to the records of a declared table, which need not be the table of their type.
    ///
    ///     let corner = try await connection.table(corners).find(1, 2)
    public func table<T: RecordTable>(_ table: T) -> TableAccess<T.Record, T.Key> {
        TableAccess(connection: self, core: table.core)
    }
}

extension StoreConnection.TableAccess where Record: Sendable {
    /// Returns all records, or those that meet a condition: `SELECT … FROM "points" WHERE …`.
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func all(
        where condition: ((Columns<Record>) -> Condition)? = nil
    ) async throws -> [Record] {
        let core = core
        return try await connection.read(core.select(where: condition), rows: .all) { try core.all($1, on: $0) }
    }

    /// Returns the first record, or the first that meets a condition: `SELECT … FROM "points" WHERE … LIMIT 1`.
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func first(
        where condition: ((Columns<Record>) -> Condition)? = nil
    ) async throws -> Record? {
        try await readFirst(core.select(where: condition) + " LIMIT 1")
    }

    private nonisolated(nonsending) func readFirst(_ sql: SQL) async throws -> Record? {
        let core = core
        return try await connection.read(sql, rows: .first) { try core.first($1, on: $0) }
    }
}

extension StoreConnection.TableAccess where Record: Sendable, Key: StatementParameter {
    /// Returns the record with a key, `nil` when there is none: `SELECT … FROM "points" WHERE "points"."x" = ? AND "points"."y" = ?`.
    ///
    /// - Throws: `SQLiteError` as `Connection.find(_:_:_:)`, `ConversionError`, `CancellationError`, and the errors of
    ///   the store.
    public nonisolated(nonsending) func find<each Other: StatementParameter>(
        _ key: Key, _ others: repeat each Other
    ) async throws -> Record? {
        try core.requireFirstKey()
        var index = 1
        var values = [key as? any Bindable]
        repeat try core.checkKey((each Other).ColumnBase.self, &index)
        try core.checkKeyCount(index)
        repeat values.append((each others) as? any Bindable)
        return try await readFirst(core.selection(ofKey: values))
    }
}

extension StoreConnection.TableAccess {
    /// Returns the number of records, or of those that meet a condition: `SELECT count(*) FROM "points" WHERE …`.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func count(
        where condition: ((Columns<Record>) -> Condition)? = nil
    ) async throws -> Int {
        try await connection.query(core.aggregate("count(*)", condition))
    }

    /// Returns whether there is a record, or one that meets a condition: `SELECT EXISTS (SELECT 1 FROM "points" WHERE …)`.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func exists(
        where condition: ((Columns<Record>) -> Condition)? = nil
    ) async throws -> Bool {
        try await connection.query("SELECT EXISTS (\(core.aggregate("1", condition)))")
    }

    /// Inserts a record: `INSERT INTO "points"("x", "y") VALUES(?, ?)`.
    ///
    /// - Returns: The rowid.
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    public nonisolated(nonsending) func insert(_ record: Record) async throws -> Int64 {
        try await connection.runner.run(core.insertion(of: record, core.insertion)).lastInsertRowID
    }

    /// Inserts records, several in a statement: `INSERT INTO "points"("x", "y") VALUES(?, ?), (?, ?), …`.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store. Records of earlier statements are inserted,
    ///   unless the error ends the transaction.
    public nonisolated(nonsending) func insert(contentsOf records: some Sequence<Record>) async throws {
        let records = Array(records)
        let rowsPerStatement = max(1, Self.parametersPerStatement / max(1, core.parameterCount))
        for first in stride(from: 0, to: records.count, by: rowsPerStatement) {
            let rows = records[first..<min(first + rowsPerStatement, records.count)]
            try await connection.runner.run(core.insertion(of: rows))
        }
    }

    /// Stays below the smallest limit of a store, 255.
    private static var parametersPerStatement: Int { 250 }

    /// Inserts a record, or updates the one with the same key: `INSERT INTO … ON CONFLICT("x", "y") DO UPDATE SET …`.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func upsert(
        _ record: Record, onConflict columns: PartialKeyPath<Record>...
    ) async throws {
        try await upsert(record, columns)
    }

    nonisolated(nonsending) func upsert(_ record: Record, _ columns: [PartialKeyPath<Record>]) async throws {
        let sql = try core.insertion(onConflict: columns) { core.updateOfConflict($0) }
        try await connection.runner.run(core.insertion(of: record, sql))
    }

    /// Updates the row with the key of a record: `UPDATE "points" SET "label" = ? WHERE "points"."x" = ? AND "points"."y" = ?`.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - columns: The columns that are updated; all if there are none.
    /// - Returns: Whether there is such a row.
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    public nonisolated(nonsending) func update(
        _ record: Record, _ columns: PartialKeyPath<Record>...
    ) async throws -> Bool {
        try await update(record, columns)
    }

    nonisolated(nonsending) func update(_ record: Record, _ columns: [PartialKeyPath<Record>]) async throws -> Bool {
        guard let sql = try core.update(of: record, columns) else {
            return try await connection.query(core.existence(of: record))
        }
        return try await connection.runner.run(sql).changes > 0
    }

    /// Updates the rows that meet a condition: `UPDATE "points" SET … WHERE …`.
    ///
    /// - Returns: The number of rows.
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    public nonisolated(nonsending) func update(
        @ListBuilder<Assignment> set assignments: (Columns<Record>) -> [Assignment],
        where condition: (Columns<Record>) -> Condition
    ) async throws -> Int {
        try await connection.runner.run(core.update(assignments, condition)).changes
    }

    /// Deletes the row with the key of a record: `DELETE FROM "points" WHERE "points"."x" = ? AND "points"."y" = ?`.
    ///
    /// - Returns: Whether there was such a row.
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    public nonisolated(nonsending) func delete(_ record: Record) async throws -> Bool {
        try await connection.runner.run(core.deletion(of: record)).changes > 0
    }

    /// Deletes the rows that meet a condition: `DELETE FROM "points" WHERE …`.
    ///
    /// - Returns: The number of rows.
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    public nonisolated(nonsending) func delete(where condition: (Columns<Record>) -> Condition) async throws -> Int {
        try await connection.runner.run(core.deleteSQL(where: condition)).changes
    }
}
