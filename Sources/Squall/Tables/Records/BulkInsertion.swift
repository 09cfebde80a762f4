import SquallSQLite

/// Inserts records by two statements: for as many as go into one, and for a single one.
///
/// SQLite takes 421 ns for a row by itself, and 169 ns for one of fifty.
@usableFromInline
struct BulkInsertion<Record> {
    @usableFromInline let connection: Connection
    @usableFromInline let core: TableCore<Record>
    private let rowsPerStatement: Int
    /// The rows of a savepoint, which undoes them when one of them is wrong.
    @usableFromInline let rowsPerSavepoint: Int
    private let single: StatementCache.Entry
    private var many: StatementCache.Entry?
    private var count = 0

    @usableFromInline
    init(_ connection: Connection, _ core: TableCore<Record>) throws {
        self.connection = connection
        self.core = core
        single = try connection.borrow(core.insertSQL)
        let most = connection.handle.map { Int(sqlite3_limit($0, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) } ?? 0
        rowsPerStatement = max(1, min(64, most / max(1, core.writers.count)))
        rowsPerSavepoint = 8 * rowsPerStatement
    }

    @usableFromInline
    func end() {
        connection.return(single)
        if let many { connection.return(many) }
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
        do {
            try connection.savepoint(named: "squall_rows") {
                for first in stride(from: 0, to: rows, by: rowsPerStatement) { try runMany(records + first) }
            }
            count += rows
        } catch {
            try connection.checkTransactionIsAlive(error)
            // One after the other, to find the one that is wrong. A statement that fails may have kept the rows before it
            // (ON CONFLICT FAIL): the savepoint has undone them.
            for row in 0..<rows { try insertOne(records + row) }
        }
    }

    private mutating func runMany(_ records: UnsafePointer<Record>) throws {
        let statement = try statementForMany()
        do {
            try statement.beginBinding(count: nil)
            var index: Int32 = 1
            for row in 0..<rowsPerStatement {
                try statement.bindFields(core.writers, of: records + row, from: index)
                index += Int32(core.writers.count)
            }
            try statement.run()
        } catch {
            statement.clear()
            throw error
        }
    }

    private mutating func insertOne(_ record: UnsafePointer<Record>) throws {
        do {
            try single.statement.beginBinding(count: core.writers.count)
            try single.statement.bindFields(core.writers, of: record)
            try single.statement.run()
            count += 1
        } catch {
            throw InsertionError(index: count, reason: error)
        }
    }

    private mutating func statementForMany() throws -> Statement {
        if let many { return many.statement }
        let row: SQL = "(\(core.writers.map { _ in "?" as SQL }.joined(separator: ", ")))"
        let rows = Array(repeating: row, count: rowsPerStatement - 1).map { ", " + $0 }.joined()
        let entry = try connection.borrow(core.insertSQL + rows)
        many = entry
        return entry.statement
    }
}

extension Connection {
    /// Throws an error on, if it has ended the transaction.
    fileprivate func checkTransactionIsAlive(_ error: any Error) throws {
        if !isInTransaction { throw error }
    }
}
