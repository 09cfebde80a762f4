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
    private let single: Statement
    private var count = 0

    /// The SQL that inserts as many rows as one statement takes.
    private lazy var manySQL: SQL = {
        let row: SQL = "(\(core.binders.map { _ in "?" as SQL }.joined(separator: ", ")))"
        return core.insertSQL + Array(repeating: row, count: rowsPerStatement - 1).map { ", " + $0 }.joined()
    }()

    @usableFromInline
    init(_ connection: Connection, _ core: TableCore<Record>, single: Statement) {
        self.connection = connection
        self.core = core
        self.single = single
        let most = connection.handle.map { Int(sqlite3_limit($0, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) } ?? 0
        rowsPerStatement = max(1, min(64, most / max(1, core.binders.count)))
        rowsPerSavepoint = 8 * rowsPerStatement
    }

    @usableFromInline
    mutating func insert(_ records: UnsafeBufferPointer<Record>) throws {
        guard let start = records.baseAddress else { return }
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
        do {
            try connection.withUnboundStatement(sql) { many in
                try connection.savepoint(named: "squall_rows") {
                    for first in stride(from: 0, to: rows, by: rowsPerStatement) { try runMany(many, records + first) }
                }
            }
            count += rows
        } catch {
            try connection.checkTransactionIsAlive(error)
            // The rows are inserted again one by one, to find the wrong one. With ON CONFLICT FAIL, a failed statement keeps the
            // rows before the wrong one: the savepoint has undone them.
            for row in 0..<rows { try insertOne(records + row) }
        }
    }

    private func runMany(_ statement: Statement, _ records: UnsafePointer<Record>) throws {
        do {
            try statement.beginBinding(count: nil)
            var index: Int32 = 1
            for row in 0..<rowsPerStatement {
                try statement.bindFields(core.binders, of: records + row, from: index)
                index += Int32(core.binders.count)
            }
            try statement.run()
        } catch {
            statement.clear()
            throw error
        }
    }

    private mutating func insertOne(_ record: UnsafePointer<Record>) throws {
        do {
            try single.beginBinding(count: core.binders.count)
            try single.bindFields(core.binders, of: record)
            try single.run()
            count += 1
        } catch {
            throw InsertionError(index: count, reason: error)
        }
    }
}

extension Connection {
    /// Throws an error again that has ended the transaction.
    fileprivate func checkTransactionIsAlive(_ error: any Error) throws {
        if !isInTransaction { throw error }
    }
}
