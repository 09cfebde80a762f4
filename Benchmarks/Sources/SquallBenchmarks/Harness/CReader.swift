import SquallSQLite

/// A connection of the C side that reads in transactions.
final class CReader: @unchecked Sendable {
    // Each is used by one thread.
    let database: CDatabase
    let begin: CStatement
    let commit: CStatement
    let select: CStatement

    init(_ path: String) throws {
        database = try CDatabase(path)
        begin = try database.prepare("BEGIN")
        commit = try database.prepare("COMMIT")
        select = try database.prepare("SELECT price FROM cars WHERE id = ?")
    }

    deinit {
        for statement in [begin, commit, select] { sqlite3_finalize(statement.handle) }
    }

    @inline(__always)
    func price(_ key: Int) throws -> Int {
        try begin.run()
        let price = try select(key)
        try commit.run()
        return price
    }

    @inline(__always)
    func select(_ key: Int) throws -> Int {
        sqlite3_bind_int64(select.handle, 1, Int64(key))
        guard sqlite3_step(select.handle) == SQLITE_ROW else { throw database.failure }
        let price = select.integer(0)
        sqlite3_reset(select.handle)
        return price
    }
}
