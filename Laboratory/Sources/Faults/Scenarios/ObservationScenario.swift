import Squall

/// Observed values and changes: the value after a commit is the one that an observer gets.
struct ObservationScenario: Scenario {
    var name: String { "observation" }

    func prepare(_ connection: Connection) throws {
        try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); CREATE TABLE other(a INTEGER)")
    }

    var steps: [Step<Database>] {
        [
            Step { database in
                let counts = database.observe("SELECT count(*) FROM t", as: Int.self)
                var iterator = counts.makeAsyncIterator()
                try expect(try await iterator.next(), 0)
            },
            Step { database in try await insertObserved(1, database) },
            Step { database in try await insertObserved(2, database) },
            Step { database in try await insertFollowed(3, database) },
        ]
    }

    /// The error of a commit, or of the read that follows it, ends the step.
    private func insertObserved(_ number: Int, _ database: Database) async throws {
        let observed = database.observe { try $0.query("SELECT a FROM t ORDER BY a") as [Int] }
        var iterator = observed.makeAsyncIterator()
        try expect(try await iterator.next(), number == 1 ? [] : [Int](1..<number))
        try await insert(number, database)
        try expect((try? await iterator.next()) ?? [Int](1...number), [Int](1...number))
    }

    private func insertFollowed(_ number: Int, _ database: Database) async throws {
        var iterator = database.changes(in: .table("t")).makeAsyncIterator()
        try await insert(number, database)
        let change = await iterator.next()
        try expect(change?.tables.contains("t"), true)
    }

    private func insert(_ number: Int, _ database: Database) async throws {
        try await database.write { connection in
            try connection.run("INSERT INTO t VALUES(?, ?)", number, "text \(number)")
            try connection.run("INSERT INTO other VALUES(1)")
        }
    }

    func use(_ database: Database) async throws {
        var iterator = database.observe("SELECT count(*) FROM probe", as: Int.self).makeAsyncIterator()
        try expect(try await iterator.next(), 0)
        try await Probe.write(database)
        try expect(try await iterator.next(), 1, "observed count")
    }
}
