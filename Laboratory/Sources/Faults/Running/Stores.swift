import Squall

// How connections and databases are opened, used and closed, unless a scenario does it in another way.

extension Scenario where Store == Connection {
    func open(_ folder: String) async throws -> Connection {
        try Connection("\(folder)/main.db", configuration: .laboratory())
    }

    func use(_ connection: Connection, after fault: Fault) async throws {
        try Probe.write(connection)
    }

    func close(_ connection: Connection) async throws {
        connection.close()
    }
}

extension Scenario where Store == Database {
    func open(_ folder: String) async throws -> Database {
        try Database("\(folder)/main.db", configuration: .laboratory())
    }

    func use(_ database: Database, after fault: Fault) async throws {
        try await Probe.write(database)
    }

    func close(_ database: Database) async throws {
        try await database.close()
    }
}

/// A row that is written when a fault has ended.
enum Probe {
    static func write(_ connection: Connection) throws {
        let count: Int = try connection.transaction(transactionType: .immediate) {
            try connection.run("INSERT INTO probe(n) VALUES(1)")
            return try connection.query("SELECT count(*) FROM probe")
        }
        try expect(count, 1, "count of the probe")
    }

    static func write(_ database: Database) async throws {
        // First a read: a journal that a failed write has left must not stand in its way.
        let before: Int = try await database.read { try $0.query("SELECT count(*) FROM probe") }
        try expect(before, 0, "count of the probe before")
        try await database.write { try $0.run("INSERT INTO probe(n) VALUES(1)") }
        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM probe") }
        try expect(count, 1, "count of the probe")
    }
}
