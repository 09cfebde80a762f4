import SquallSQLite
import Foundation
import GRDB
import Squall
import SquallEncryption

// Encrypted files, on a library with a cipher: `make bench-sqlcipher`. The key is raw, so that nothing is derived from a passphrase. The
// rows that end with `-plain` do the same with a file that is not encrypted, so that the two times can be compared.

/// A file of cars that has a key, or has none.
private struct SealedFile: Sendable {
    let isSealed: Bool

    /// The key as each library takes it.
    static let bytes = [UInt8](repeating: 7, count: 32)
    static let literal = "x'" + String(repeating: "07", count: 32) + "'"

    var name: String { isSealed ? "" : "-plain" }

    var configuration: Squall.Configuration {
        var configuration = Squall.Configuration.recommended
        configuration.encryption = isSealed ? .rawKey(Self.bytes) : nil
        return configuration
    }

    /// The path of a file that all sides read.
    func cars(_ fixtures: Fixtures) throws -> String {
        let path = fixtures.folder.appending(path: "sealed-cars\(name)").path
        if FileManager.default.fileExists(atPath: path) { return path }
        try Squall.Database(fixtures.cars()).blocking.copy(to: path, encryption: configuration.encryption)
        try Connection(path, configuration: configuration).close()
        return path
    }

    func c(_ path: String, pages: Int? = nil) throws -> CDatabase {
        let database = try CDatabase(path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX)
        if isSealed { squall_key(database.handle, "main", Self.literal, Int32(Self.literal.utf8.count)) }
        try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        if let pages { try database.execute("PRAGMA cache_size = \(pages)") }
        return database
    }

    func squall(_ path: String, pages: Int? = nil) throws -> Connection {
        let connection = try Connection(path, configuration: configuration)
        if let pages { try connection.run("PRAGMA cache_size = \(raw: "\(pages)")") }
        return connection
    }

    func grdb(_ path: String, pages: Int? = nil) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { [isSealed] database in
            if isSealed { try database.execute(sql: "PRAGMA key = \"\(Self.literal)\"") }
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            if let pages { try database.execute(sql: "PRAGMA cache_size = \(pages)") }
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}

extension Benchmark {
    static let sealed: [Benchmark] =
        SQLiteLibrary.cipher == nil
        ? []
        : [true, false].map { SealedFile(isSealed: $0) }.flatMap {
            [
                opening($0), lookup($0), scan("sealed-scan", $0), scan("sealed-scan-uncached", $0, pages: 10),
                insertion($0),
            ]
        }

    /// Opens the file, reads a price, and closes it.
    private static func opening(_ file: SealedFile) -> Benchmark {
        Benchmark(name: "sealed-open" + file.name, toC: file.isSealed ? 1.10 : nil) { fixtures in
            let path = try file.cars(fixtures)
            func sum(_ price: () throws -> Int) throws -> Int {
                try (1...scaled(100)).reduce(0) { sum, _ in try sum &+ price() }
            }
            return [
                .c: Cell {
                    try sum {
                        let statement = try file.c(path).prepare("SELECT price FROM cars WHERE id = 97")
                        defer { sqlite3_finalize(statement.handle) }
                        guard sqlite3_step(statement.handle) == SQLITE_ROW else { throw statement.database.failure }
                        return statement.integer(0)
                    }
                },
                .squall: Cell {
                    try sum {
                        let connection = try file.squall(path)
                        defer { connection.close() }
                        return try connection.query("SELECT price FROM cars WHERE id = 97")
                    }
                },
                .grdb: Cell {
                    try sum {
                        let queue = try file.grdb(path)
                        let price = try queue.read { try Int.fetchOne($0, sql: "SELECT price FROM cars WHERE id = 97") }
                        try queue.close()
                        return price ?? 0
                    }
                },
            ]
        }
    }

    /// Finds 20,000 rows by their keys.
    private static func lookup(_ file: SealedFile) -> Benchmark {
        Benchmark(name: "sealed-lookup" + file.name, toC: file.isSealed ? 1.10 : nil) { fixtures in
            let path = try file.cars(fixtures)
            let (database, connection, queue) = try (file.c(path), file.squall(path), file.grdb(path))
            let statement = try database.prepare(Car.sql)
            let ids = (1...scaled(20_000)).map { $0 * 7919 % 100_000 + 1 }
            return [
                .c: Cell {
                    var sum = 0
                    for id in ids {
                        sqlite3_bind_int64(statement.handle, 1, Int64(id))
                        try statement.forEachRow { sum &+= statement.car.sum }
                    }
                    return sum
                },
                .squall: Cell {
                    try ids.reduce(0) { sum, id in
                        let car: Car? = try connection.query("SELECT id, name, price FROM cars WHERE id = \(id)")
                        return sum &+ (car?.sum ?? 0)
                    }
                },
                .grdb: Cell {
                    try queue.inDatabase { db in
                        let statement = try db.cachedStatement(sql: Car.sql)
                        return try ids.reduce(0) { sum, id in
                            try sum &+ (Car.fetchOne(statement, arguments: [id])?.sum ?? 0)
                        }
                    }
                },
            ]
        }
    }

    /// Reads all 100,000 rows.
    private static func scan(_ name: String, _ file: SealedFile, pages: Int? = nil) -> Benchmark {
        Benchmark(name: name + file.name, toC: file.isSealed ? 1.10 : nil) { fixtures in
            let path = try file.cars(fixtures)
            // All pages are in the cache, or none.
            let pages = pages ?? 10_000
            let database = try file.c(path, pages: pages)
            let connection = try file.squall(path, pages: pages)
            let queue = try file.grdb(path, pages: pages)
            let sql: Squall.SQL = "SELECT id, name, price FROM cars"
            let statement = try database.prepare(sql.text)
            return [
                .c: Cell {
                    var sum = 0
                    try statement.forEachRow { sum &+= statement.car.sum }
                    return sum
                },
                .squall: Cell {
                    var sum = 0
                    try connection.forEach(sql) { sum &+= try Car(row: $0).sum }
                    return sum
                },
                .grdb: Cell {
                    try queue.inDatabase { db in
                        var sum = 0
                        let cars = try Car.fetchCursor(db.cachedStatement(sql: sql.text))
                        while let car = try cars.next() { sum &+= car.sum }
                        return sum
                    }
                },
            ]
        }
    }

    /// Writes 100,000 rows to a new file, in one transaction.
    private static func insertion(_ file: SealedFile) -> Benchmark {
        let name = "sealed-insert" + file.name
        return Benchmark(name: name, toC: file.isSealed ? 1.10 : nil) { fixtures in
            let create = "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL)"
            let count = scaled(100_000)
            func path(_ side: Side) -> String { fixtures.freshFile(for: name, side) }
            return [
                .c: Cell {
                    let database = try file.c(path(.c))
                    try database.execute("\(create); BEGIN")
                    let statement = try database.prepare("INSERT INTO cars VALUES(?, ?, ?)")
                    defer { sqlite3_finalize(statement.handle) }
                    for id in 1...count {
                        var text = "the car with the number \(id)"
                        sqlite3_bind_int64(statement.handle, 1, Int64(id))
                        try text.withUTF8 { text in
                            statement.bind(text, 2)
                            sqlite3_bind_int64(statement.handle, 3, Int64(id &* 31))
                            try statement.run()
                        }
                    }
                    try database.execute("COMMIT")
                    return count
                },
                .squall: Cell {
                    let connection = try file.squall(path(.squall))
                    defer { connection.close() }
                    try connection.execute(SQL(raw: create))
                    try connection.transaction {
                        let insert = try connection.prepare("INSERT INTO cars VALUES(?, ?, ?)")
                        for id in 1...count { try insert.bind(id, "the car with the number \(id)", id &* 31).run() }
                    }
                    return count
                },
                .grdb: Cell {
                    let queue = try file.grdb(path(.grdb))
                    try queue.write { db in
                        try db.execute(sql: create)
                        let insert = try db.cachedStatement(sql: "INSERT INTO cars VALUES(?, ?, ?)")
                        for id in 1...count {
                            try insert.execute(arguments: [id, "the car with the number \(id)", id &* 31])
                        }
                    }
                    try queue.close()
                    return count
                },
            ]
        }
    }
}

extension CStatement {
    fileprivate var car: Car { Car(id: integer(0), name: text(1), price: integer(2)) }
}
