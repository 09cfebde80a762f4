import SquallSQLite

/// Inserts records with two statements: one for many rows, and one for a single row.
///
/// SQLite takes 421 ns for a row in a statement by itself, and 169 ns for one of fifty in a statement.
@usableFromInline
struct BulkInsertion<Record> {
    @usableFromInline let connection: Connection
    @usableFromInline let core: TableCore<Record>
    private let rowsPerStatement: Int
    /// The number of rows in a savepoint, which undoes all of them when one is wrong.
    @usableFromInline let rowsPerSavepoint: Int
    private let sql: RecordInsertSQL
    private let values: [BindingValue]
    private let single: Statement
    private var count = 0
    /// The number of rows that were inserted or updated.
    @usableFromInline private(set) var changedRows = 0

    /// The SQL that inserts as many rows as one statement takes.
    private lazy var manySQL: SQL = {
        let row: SQL = "(\(core.binders.map { _ in "?" as SQL }.joined(separator: ", ")))"
        return sql.insert + Array(repeating: ", " + row, count: rowsPerStatement - 1).joined() + sql.conflict
    }()

    @usableFromInline
    init(_ connection: Connection, _ core: TableCore<Record>, _ sql: RecordInsertSQL, single: Statement) {
        self.connection = connection
        self.core = core
        self.sql = sql
        self.single = single
        values = sql.conflict.parameters
        let most = connection.handle.map { Int(sqlite3_limit($0, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) } ?? 0
        rowsPerStatement = max(1, min(64, (most - values.count) / max(1, core.binders.count)))
        rowsPerSavepoint = 8 * rowsPerStatement
    }

    @usableFromInline
    mutating func insert(_ records: UnsafeBufferPointer<Record>) throws {
        guard let start = records.baseAddress else { return }
        if sql.requiresKey { try requireKeys(records) }
        var index = 0
        while rowsPerStatement > 1, records.count - index >= rowsPerStatement {
            let rows = min(rowsPerSavepoint, (records.count - index) / rowsPerStatement * rowsPerStatement)
            try insertMany(start + index, rows)
            index += rows
        }
        while index < records.count {
            try insertOne(start + index)
            index += 1
        }
    }

    private mutating func insertMany(_ records: UnsafePointer<Record>, _ rows: Int) throws {
        let sql = manySQL
        let changedBefore = changedRows
        do {
            try connection.withUnboundStatement(sql) { many in
                try connection.savepoint(named: "squall_rows") {
                    for first in stride(from: 0, to: rows, by: rowsPerStatement) { try runMany(many, records + first) }
                }
            }
            count += rows
        } catch {
            try connection.checkTransactionIsAlive(error)
            changedRows = changedBefore
            // The rows are inserted again one by one, to find the wrong one. With ON CONFLICT FAIL, a failed statement keeps the
            // rows before the wrong one: the savepoint has undone them.
            for row in 0..<rows { try insertOne(records + row) }
        }
    }

    private mutating func runMany(_ statement: Statement, _ records: UnsafePointer<Record>) throws {
        do {
            let binders = core.binders
            try statement.beginBinding(count: binders.count * rowsPerStatement + values.count)
            var index: Int32 = 1
            for row in 0..<rowsPerStatement {
                try statement.bindFields(binders, of: records + row, from: index)
                index += Int32(binders.count)
            }
            try statement.bindValues(values, from: index)
            try statement.run()
            changedRows += connection.changes
        } catch {
            statement.clear()
            throw error
        }
    }

    private mutating func insertOne(_ record: UnsafePointer<Record>) throws {
        do {
            try bind(record)
            try single.run()
            changedRows += connection.changes
            count += 1
        } catch {
            throw InsertionError(index: count, reason: error)
        }
    }

    private func bind(_ record: UnsafePointer<Record>) throws {
        try single.beginBinding(count: core.binders.count + values.count)
        try single.bindFields(core.binders, of: record)
        try single.bindValues(values, from: Int32(core.binders.count + 1))
    }

    private func requireKeys(_ records: UnsafeBufferPointer<Record>) throws {
        guard let start = records.baseAddress, !core.optionalKeys.isEmpty else { return }
        // By address: a loop over the elements would copy each record.
        for index in 0..<records.count {
            do { try core.requireKeyValue(at: start + index) } catch {
                throw InsertionError(index: count + index, reason: error)
            }
        }
    }

    /// Inserts one record and calls a function with each row that the statement returns.
    mutating func insert(_ record: Record, returning read: (Row) throws -> Void) throws {
        do {
            if sql.requiresKey { try core.requireKeyValue(of: record) }
            try withUnsafePointer(to: record) { try bind($0) }
            while let row = try single.nextRow() { try read(row) }
            count += 1
        } catch {
            throw InsertionError(index: count, reason: error)
        }
    }
}

/// The SQL of an insert of records: `INSERT INTO … VALUES(?, ?)`, and what follows the rows.
@usableFromInline
package struct RecordInsertSQL {
    let insert: SQL
    /// ` ON CONFLICT(…) DO …`, with the values that are bound to it.
    var conflict: SQL = ""
    /// Whether a record without a key is refused, because it would be inserted each time.
    var requiresKey = false

    /// The SQL for one row.
    @usableFromInline var single: SQL { insert + conflict }
}

extension TableCore {
    @usableFromInline package var insertion: RecordInsertSQL { RecordInsertSQL(insert: insertSQL) }
}

extension Statement {
    /// Binds values to the parameters from `index` on.
    func bindValues(_ values: [BindingValue], from index: Int32) throws {
        var parameter = parameter(index)
        for value in values { try parameter.bindNext(value) }
    }
}

extension Connection {
    /// Throws an error again that has ended the transaction.
    fileprivate func checkTransactionIsAlive(_ error: any Error) throws {
        if !isInTransaction { throw error }
    }
}
