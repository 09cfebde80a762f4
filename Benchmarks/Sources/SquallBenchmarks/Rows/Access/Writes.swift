import SquallSQLite
import Foundation
import GRDB
import Squall

extension Cell {
    /// Work that writes a fresh table of log lines.
    static func writingLog<Database>(
        _ row: String, _ side: Benchmark.Side, _ fixtures: Fixtures, open: @escaping (String) throws -> Database,
        work: @escaping (Database) throws -> Void
    ) -> Cell {
        Cell(
            before: {
                let path = fixtures.freshFile(for: row, side)
                try CDatabase(path).execute("CREATE TABLE log(id INTEGER PRIMARY KEY, text TEXT)")
                return (path, try open(path))
            },
            work: { try work($0.1) },
            check: { context, _ in try CDatabase.checksum(of: context.0, "SELECT * FROM log") }
        )
    }
}

private let insertLog = "INSERT INTO log(text) VALUES(?)"

extension Benchmark {
    private static func writes(
        _ name: String, toC: Double,
        c: @escaping @Sendable (CDatabase) throws -> Void,
        squall: @escaping @Sendable (Squall.Database) throws -> Void,
        grdb: @escaping @Sendable (DatabasePool) throws -> Void
    ) -> Benchmark {
        Benchmark(name: name, toC: toC) { fixtures in
            return [
                .c: .writingLog(name, .c, fixtures, open: { try CDatabase($0) }, work: c),
                .squall: .writingLog(name, .squall, fixtures, open: { try Squall.Database($0) }, work: squall),
                .grdb: .writingLog(name, .grdb, fixtures, open: { try DatabasePool(path: $0) }, work: grdb),
            ]
        }
    }

    private static func insert(_ statement: CStatement) throws {
        sqlite3_bind_text(statement.handle, 1, "a line of the log", 17, nil)
        try statement.run()
    }

    static let singleWrites = writes(
        "access-writes", toC: 1.10,
        c: { database in
            let statement = try database.prepare(insertLog)
            for _ in 0..<scaled(10_000) { try insert(statement) }
            sqlite3_finalize(statement.handle)
        },
        squall: { database in
            for _ in 0..<scaled(10_000) {
                try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO log(text) VALUES(?)", "a line of the log") }
            }
        },
        grdb: { pool in
            for _ in 0..<scaled(10_000) {
                try pool.writeWithoutTransaction {
                    try $0.cachedStatement(sql: insertLog).execute(arguments: ["a line of the log"])
                }
            }
        }
    )

    static let transactions = writes(
        "access-transactions", toC: 1.10,
        c: { database in
            let statements = try ["BEGIN IMMEDIATE", insertLog, "COMMIT"].map { try database.prepare($0) }
            for _ in 0..<scaled(10_000) {
                try statements[0].run()
                try insert(statements[1])
                try statements[2].run()
            }
            for statement in statements { sqlite3_finalize(statement.handle) }
        },
        squall: { database in
            for _ in 0..<scaled(10_000) {
                try database.blocking.write { try $0.run("INSERT INTO log(text) VALUES(?)", "a line of the log") }
            }
        },
        grdb: { pool in
            for _ in 0..<scaled(10_000) {
                try pool.write {
                    try $0.cachedStatement(sql: insertLog).execute(arguments: ["a line of the log"])
                }
            }
        }
    )
}
