import SquallSQLite

/// A record of many that could not be inserted. None of them was.
public struct InsertionError: Error, CustomStringConvertible {
    /// The number of the record, from 0.
    public let index: Int

    /// What was wrong with it: a ``SQLiteError``, or what its type throws.
    public let reason: any Error

    public var description: String { "record \(index): \(reason)" }
}

extension Connection {
    /// Inserts many records, all or none of them, many with a statement: `INSERT INTO "users"("id", "name") VALUES(?, ?),
    /// (?, ?), …`.
    ///
    /// They go into one transaction; within one that is open already, into a savepoint.
    ///
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    @inlinable
    public func insert<Record: TableRecord>(contentsOf records: some Sequence<Record>) throws {
        try insert(contentsOf: records, into: Record.table)
    }

    /// Inserts many records into a table, all or none of them.
    @inlinable
    public func insert<T: RecordTable>(contentsOf records: some Sequence<T.Record>, into table: T) throws {
        let core = table.core
        try core.check()
        try inScope {
            var insertion = try BulkInsertion(self, core)
            defer { insertion.end() }
            let isDone: Void? = try records.withContiguousStorageIfAvailable { try insertion.insert($0) }
            if isDone != nil { return }
            var chunk: [T.Record] = []
            chunk.reserveCapacity(insertion.rowsPerSavepoint)
            for record in records {
                chunk.append(record)
                guard chunk.count == insertion.rowsPerSavepoint else { continue }
                try chunk.withUnsafeBufferPointer { try insertion.insert($0) }
                chunk.removeAll(keepingCapacity: true)
            }
            try chunk.withUnsafeBufferPointer { try insertion.insert($0) }
        }
    }

    /// Runs a closure in a transaction, or in a savepoint of the one that is open.
    @usableFromInline
    func inScope(_ body: () throws -> Void) throws {
        if isInTransaction {
            try savepoint(named: "squall_insert", closure: body)
        } else {
            try transaction(transactionType: .immediate, closure: body)
        }
    }
}

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
