import Squall

/// Observed values and changes: the value after a commit is the one that an observer gets.
struct ObservationScenario: Scenario {
    /// The database, and the observation that some steps continue.
    final class Store {
        let database: Database
        fileprivate var observed: ObservedValues<[Int]>.AsyncIterator?

        init(_ database: Database) {
            self.database = database
        }
    }

    var name: String { "observation" }

    func prepare(_ connection: Connection) throws {
        try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); CREATE TABLE other(a INTEGER)")
    }

    func open(_ folder: String) async throws -> Store {
        Store(try Database("\(folder)/main.db", configuration: .laboratory()))
    }

    var steps: [Step<Store>] {
        [
            Step { store in
                let counts = store.database.observe("SELECT count(*) FROM t", as: Int.self)
                var iterator = counts.makeAsyncIterator()
                try expect(try await iterator.next(), 0)
            },
            Step(observe),
            Step { try await insert(1, $0) },
            Step { try await expectObserved([1], $0) },
            Step { try await insert(2, $0) },
            Step { try await expectObserved([1, 2], $0) },
            Step { try await insertFollowed(3, $0) },
        ]
    }

    private func observe(_ store: Store) async throws {
        let values = store.database.observe { try $0.query("SELECT a FROM t ORDER BY a") as [Int] }
        store.observed = values.makeAsyncIterator()
        try await expectObserved([], store)
    }

    /// The end of the sequence, `nil`, is not an expected value.
    private func expectObserved(_ expected: [Int], _ store: Store) async throws {
        try expect(try await store.observed?.next(), expected, "observed rows")
    }

    private func insertFollowed(_ number: Int, _ store: Store) async throws {
        var iterator = store.database.changes(in: .table("t")).makeAsyncIterator()
        try await insert(number, store)
        let change = await iterator.next()
        try expect(change?.tables.contains("t"), true)
    }

    private func insert(_ number: Int, _ store: Store) async throws {
        try await store.database.write { connection in
            try connection.run("INSERT INTO t VALUES(?, ?)", number, "text \(number)")
            try connection.run("INSERT INTO other VALUES(1)")
        }
    }

    func use(_ store: Store, after fault: Fault) async throws {
        var iterator = store.database.observe("SELECT count(*) FROM probe", as: Int.self).makeAsyncIterator()
        try expect(try await iterator.next(), 0)
        try await Probe.write(store.database)
        try expect(try await iterator.next(), 1, "observed count")
    }

    func close(_ store: Store) async throws {
        store.observed = nil
        try await store.database.close()
    }
}
