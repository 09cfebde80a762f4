import Squall

/// A database: asynchronous writes and reads, checkpoints, snapshots, a limit of the log, and closing its connections for a
/// time. The calls follow one another, so that the numbers of the points mean the same in each run.
struct DatabaseScenario: Scenario {
    var name: String { "database with async writes" }

    func prepare(_ connection: Connection) throws {
        try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)")
    }

    func open(_ folder: String) async throws -> Database {
        var configuration = Configuration.laboratory()
        configuration.memoryMapSize = 65_536
        configuration.logLimit = 20_000
        return try Database("\(folder)/main.db", configuration: configuration, maximumReaders: 2) { connection in
            try connection.addFunction("twice") { (number: Int) in number * 2 }
        }
    }

    var steps: [Step<Database>] {
        [
            Step { database in try await write(1...5, database) },
            Step { database in
                let sum: Int = try await database.read { try $0.query("SELECT sum(twice(a)) FROM t") }
                try expect(sum, 30)
            },
            Step { database in
                let snapshot = try await database.snapshot()
                defer { try? snapshot.close() }
                let count: Int = try await snapshot.read { try $0.query("SELECT count(*) FROM t") }
                try expect(count, 5)
            },
            Step { database in try await write(6...12, database) },
            Step { database in try await database.checkpoint(.truncate) },
            Step { database in
                try await database.writeWithoutTransaction { try $0.run("DELETE FROM t WHERE a = 1") }
            },
            Step { database in
                try await database.suspend()
                try await database.resume()
            },
            Step { database in try await write(13...14, database) },
            Step { database in try change(database) },
            Step { database in try read(database) },
        ]
    }

    func use(_ database: Database, after fault: Fault) async throws {
        // The fault may have ended the step between the two. Otherwise this does nothing.
        try await database.resume()
        try await Probe.write(database)
    }

    private func write(_ numbers: ClosedRange<Int>, _ database: Database) async throws {
        try await database.write { connection in
            for number in numbers {
                let text = String(repeating: "text \(number) ", count: 60)
                try connection.run("INSERT INTO t VALUES(?, ?)", number, text)
            }
        }
    }

    private func change(_ database: Database) throws {
        try database.blocking.write { try $0.run("UPDATE t SET b = 'x' WHERE a < 5") }
    }

    private func read(_ database: Database) throws {
        for _ in 0..<3 {
            let count: Int = try database.blocking.read { try $0.query("SELECT count(*) FROM t WHERE b = 'x'") }
            try expect(count, 3)
        }
    }
}
