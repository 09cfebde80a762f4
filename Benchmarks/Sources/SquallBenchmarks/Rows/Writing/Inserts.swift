import SquallSQLite
import Foundation
import GRDB
import Squall

// 100,000 mixed rows into a fresh file in one transaction: with a statement that was prepared once, and with the SQL text
// given each time. GRDB's plain `execute(sql:)` prepares the text each time; the row that ends with `-cached` shows its
// `cachedStatement`.

private let insertion = "INSERT INTO mixed VALUES(?, ?, ?, ?, ?, ?)"

extension CStatement {
    /// The buffers live through the step, so nothing is copied.
    @inline(__always)
    func insert(_ row: Mixed) throws {
        sqlite3_bind_int64(handle, 1, Int64(row.id))
        sqlite3_bind_double(handle, 5, row.price)
        var (name, city) = (row.name, row.city)
        try name.withUTF8 { name in
            bind(name, 2)
            try city.withUTF8 { city in
                bind(city, 4)
                try row.data.withUnsafeBytes { data in
                    sqlite3_bind_blob(handle, 6, data.baseAddress, Int32(data.count), nil)
                    guard var note = row.note else {
                        sqlite3_bind_null(handle, 3)
                        return try run()
                    }
                    try note.withUTF8 { note in
                        bind(note, 3)
                        try run()
                    }
                }
            }
        }
    }

    @inline(__always)
    func bind(_ text: UnsafeBufferPointer<UInt8>, _ index: Int32) {
        text.withMemoryRebound(to: CChar.self) {
            _ = sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), nil)
        }
    }
}

extension Benchmark {
    private static func insert(
        _ name: String, toC: Double, toGRDB: Double?, isVariant: Bool = false,
        squall: @escaping @Sendable (Connection, [Mixed]) throws -> Void,
        grdb: @escaping @Sendable (GRDB.Database, [Mixed]) throws -> Void
    ) -> Benchmark {
        Benchmark(name: name, toC: toC, toGRDB: toGRDB, isVariant: isVariant) { fixtures in
            let rows = try CDatabase(fixtures.mixed()).prepare(Mixed.sql).mixed()
            let writing = Writing(row: name, create: "CREATE TABLE mixed(\(Mixed.definition))", check: Mixed.sql)
            return writing.cells(
                fixtures,
                c: { database in
                    let statement = try database.prepare(insertion)
                    try database.execute("BEGIN")
                    for row in rows { try statement.insert(row) }
                    try database.execute("COMMIT")
                    sqlite3_finalize(statement.handle)
                },
                squall: { connection in try connection.transaction { try squall(connection, rows) } },
                grdb: { queue in try queue.write { try grdb($0, rows) } }
            )
        }
    }

    static let inserts = [
        insert(
            "inserts-prepared", toC: 1.10, toGRDB: 0.75,
            squall: { connection, rows in
                let statement = try connection.prepare("INSERT INTO mixed VALUES(?, ?, ?, ?, ?, ?)")
                for row in rows {
                    try statement.bind(row.id, row.name, row.note, row.city, row.price, row.data).run()
                }
            },
            grdb: { database, rows in
                let statement = try database.makeStatement(sql: insertion)
                for row in rows {
                    try statement.execute(arguments: [row.id, row.name, row.note, row.city, row.price, row.data])
                }
            }
        ),
        insert(
            "inserts-run", toC: 1.20, toGRDB: 0.75,
            squall: runEach,
            grdb: { database, rows in
                for row in rows {
                    try database.execute(
                        sql: "INSERT INTO mixed VALUES(?, ?, ?, ?, ?, ?)",
                        arguments: [row.id, row.name, row.note, row.city, row.price, row.data]
                    )
                }
            }
        ),
        insert(
            "inserts-run-cached", toC: 1.20, toGRDB: nil,
            squall: runEach,
            grdb: { database, rows in
                for row in rows {
                    let statement = try database.cachedStatement(sql: "INSERT INTO mixed VALUES(?, ?, ?, ?, ?, ?)")
                    try statement.execute(arguments: [row.id, row.name, row.note, row.city, row.price, row.data])
                }
            }
        ),
        insert(
            "inserts-prepared-unchecked", toC: 1.10, toGRDB: 0.75, isVariant: true,
            squall: { connection, rows in
                let statement = try connection.prepare("INSERT INTO mixed VALUES(?, ?, ?, ?, ?, ?)")
                for row in rows {
                    try statement.bind(row.id, row.name, row.note, row.city, row.price, row.data).run()
                }
            },
            grdb: { database, rows in
                let statement = try database.makeStatement(sql: insertion)
                for row in rows {
                    statement.setUncheckedArguments([row.id, row.name, row.note, row.city, row.price, row.data])
                    try statement.execute()
                }
            }
        ),
    ]

    private static func runEach(_ connection: Connection, _ rows: [Mixed]) throws {
        for row in rows {
            try connection.run(
                "INSERT INTO mixed VALUES(?, ?, ?, ?, ?, ?)",
                row.id, row.name, row.note, row.city, row.price, row.data
            )
        }
    }
}
