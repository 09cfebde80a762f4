import Foundation
import Squall
import SquallSQLite

/// Lets SQLite allocate nothing from now on, or as much as it wants.
private func limitMemory(_ isLimited: Bool) {
    sqlite3_hard_heap_limit64(isLimited ? max(1, sqlite3_memory_used()) : 0)
}

private struct Stop: Error {}

/// `memory case`: runs a case in which SQLite has no memory for a moment, and prints what comes out.
func limitMemory(in name: String) throws {
    // SQLite counts no memory by itself if it was built with DEFAULT_MEMSTATUS=0, as Apple's is, and then has no limit.
    guard squall_count_memory(1) == SQLITE_OK else { exit(3) }
    let connection = try Connection(":memory:")
    // SQLite converts the text to UTF-8 when it is read. It is longer than the memory that a connection keeps for small values.
    try connection.execute(
        """
        PRAGMA encoding = 'UTF-16'; CREATE TABLE t(a INTEGER, b TEXT);
        INSERT INTO t VALUES(1, printf('%.2000c', 'x'))
        """)
    switch name {
    case "rollback": try rollBackWithoutMemory(connection)
    case "savepoint": try rollBackSavepointWithoutMemory(connection)
    case "blob": try writeAfterUnfinishedRollback(connection)
    case "close": try closeAfterUnfinishedRollback(connection)
    case "text": try readWithoutMemory(connection, "SELECT b FROM t", as: String.self)
    case "copy": try copyRowWithoutMemory(connection)
    default: exit(2)
    }
}

private func numbers(_ connection: Connection) throws -> [Int] {
    try connection.query("SELECT a FROM t ORDER BY a")
}

/// Leaves a transaction open whose ROLLBACK has failed.
private func failToRollBack(_ connection: Connection) {
    try? connection.transaction {
        try connection.run("INSERT INTO t VALUES(2, NULL)")
        limitMemory(true)
        throw Stop()
    }
    limitMemory(false)
}

private func rollBackWithoutMemory(_ connection: Connection) throws {
    failToRollBack(connection)
    try connection.transaction { _ = try connection.run("INSERT INTO t VALUES(3, NULL)") }
    print(try numbers(connection), connection.isInTransaction)
}

private func rollBackSavepointWithoutMemory(_ connection: Connection) throws {
    do {
        try connection.transaction {
            try? connection.savepoint {
                try connection.run("INSERT INTO t VALUES(2, NULL)")
                limitMemory(true)
                throw Stop()
            }
            limitMemory(false)
        }
    } catch ResultCode.transactionLost {
        print("lost")
    }
    print(try numbers(connection), connection.isInTransaction)
}

private func writeAfterUnfinishedRollback(_ connection: Connection) throws {
    try connection.run("INSERT INTO t VALUES(9, zeroblob(4))")
    failToRollBack(connection)
    try connection.withBlob(in: "t", column: "b", row: 2, mode: .readWrite) { try $0.write([1, 2, 3, 4], at: 0) }
    let bytes: Data = try connection.query("SELECT b FROM t WHERE a = 9")
    print([UInt8](bytes), try numbers(connection))
}

private func closeAfterUnfinishedRollback(_ connection: Connection) throws {
    try? connection.transaction {
        limitMemory(true)
        throw Stop()
    }
    connection.close()
    limitMemory(false)
    print(connection.isClosed)
}

private func readWithoutMemory<Value: ColumnReadable>(
    _ connection: Connection, _ sql: SQL, as type: Value.Type
) throws {
    let statement = try connection.prepare(sql)
    try statement.step()
    limitMemory(true)
    defer { limitMemory(false) }
    do {
        let value = try statement.row?.get(0, as: Value.self)
        print("no error", value as Any)
    } catch ResultCode.outOfMemory {
        print("out of memory")
    }
}

/// The row is copied when its statement returns to the cache, and the function of its query has just taken the memory.
private func copyRowWithoutMemory(_ connection: Connection) throws {
    try connection.addFunction("take_memory") { () -> Int in
        limitMemory(true)
        return 1
    }
    defer { limitMemory(false) }
    do {
        let row = try connection.query("SELECT b, take_memory() FROM t")
        print("no error", row as Any)
    } catch ResultCode.outOfMemory {
        print("out of memory")
    }
}
