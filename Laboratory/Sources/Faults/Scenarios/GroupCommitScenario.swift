import Foundation
import Squall
import Synchronization

/// Writes of several tasks that are committed together. Each is written as a whole, or not at all; and those that have
/// returned are written.
struct GroupCommitScenario: Scenario {
    /// The database, and what its calls have reported.
    final class Store: Sendable {
        let database: Database
        let outcomes: Outcomes

        init(_ database: Database, _ outcomes: Outcomes) {
            self.database = database
            self.outcomes = outcomes
        }
    }

    /// The numbers of the writes that have returned, and of those that have thrown.
    final class Outcomes: Sendable {
        let returned = Mutex(Set<Int>())
        let thrown = Mutex(Set<Int>())

        func clear() {
            returned.withLock { $0 = [] }
            thrown.withLock { $0 = [] }
        }
    }

    private let outcomes = Outcomes()
    private static let rowsOfWrite = 3

    var name: String { "group commit" }

    func prepare(_ connection: Connection) throws {
        try connection.execute("CREATE TABLE t(write INTEGER, row INTEGER, text TEXT, UNIQUE(write, row))")
    }

    func open(_ folder: String) async throws -> Store {
        outcomes.clear()
        var configuration = Configuration.laboratory()
        configuration.groupCommit = true
        configuration.synchronous = .full
        return Store(try Database("\(folder)/main.db", configuration: configuration), outcomes)
    }

    var steps: [Step<Store>] {
        [
            Step { try await write(1...1, $0) },
            Step { try await write(2...6, $0) },
            Step { try await write(7...9, $0) },
        ]
    }

    func use(_ store: Store, after fault: Fault) async throws {
        try await Probe.write(store.database)
    }

    func close(_ store: Store) async throws {
        try await store.database.close()
    }

    private func write(_ numbers: ClosedRange<Int>, _ store: Store) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in numbers {
                group.addTask {
                    do {
                        try await store.database.write { connection in
                            for row in 0..<Self.rowsOfWrite {
                                let text = String(repeating: "\(number)", count: 100)
                                try connection.run("INSERT INTO t VALUES(?, ?, ?)", number, row, text)
                            }
                        }
                        store.outcomes.returned.withLock { _ = $0.insert(number) }
                    } catch {
                        store.outcomes.thrown.withLock { _ = $0.insert(number) }
                        throw error
                    }
                }
            }
            var first: (any Error)?
            while let result = await group.nextResult() {
                if case .failure(let error) = result { first = first ?? error }
            }
            if let first { throw first }
        }
    }

    func problem(in content: [String], _ progress: Progress) -> String? {
        let returned = outcomes.returned.withLock { $0 }
        let thrown = outcomes.thrown.withLock { $0 }
        for number in 1...9 {
            let count = content.filter { $0.contains(" write=\(number) ") }.count
            if returned.contains(number), count != Self.rowsOfWrite {
                return "write \(number) has returned, and is lost"
            }
            if thrown.contains(number), count != 0, !progress.mayBeCommitted {
                return "write \(number) has thrown, and \(count) rows are there"
            }
            if count != 0, count != Self.rowsOfWrite { return "of write \(number), \(count) rows are there" }
        }
        return nil
    }
}
