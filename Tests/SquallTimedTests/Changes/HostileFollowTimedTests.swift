import Squall
import SquallChanges
import SquallTestSupport
import Testing

/// A followed log of a database whose task is cancelled while SQLite commits.
@Suite(.enabled(if: SQLiteFeatures.sessions), .timeLimit(.minutes(1)))
struct HostileFollowTimedTests {
    @Test(arguments: [true, false])
    func aCancellationThatComesTooLate(_ isTransaction: Bool) async throws {
        let database = try Database(":memory:")
        try await database.write { try $0.run("CREATE TABLE cars(id TEXT PRIMARY KEY)") }
        let followed = try await SyncLog.follow(database, origin: "a", role: .replica, tables: ["cars": .hubWins])
        let (hasBegun, isCancelled) = (Shared(false), Shared(false))
        let token = database.addCommitObserver {
            hasBegun.update { $0 = true }
            while !isCancelled.value {}
            return false
        }
        let task = Task {
            try await database.writeWithoutTransaction { connection in
                if !isTransaction { return try connection.run("INSERT INTO cars VALUES('a')") }
                try connection.transaction { try connection.run("INSERT INTO cars VALUES('a')") }
            }
        }
        while !hasBegun.value { await Task.yield() }
        task.cancel()
        isCancelled.update { $0 = true }
        // It is too late: the row is there.
        try await task.value
        token.cancel()
        for id in ["b", "c"] { try await database.write { try $0.run("INSERT INTO cars VALUES(\(id))") } }
        // A statement that commits by itself could not be recorded any more.
        guard isTransaction else { await #expect(throws: SQLiteError.self) { try await followed.flush() }; return }
        try await followed.flush()
        let changes = try await database.read { try followed.log.changes(on: $0) }.changesets
        #expect(try changes.flatMap { try $0.elements.map { $0.new[0] } } == [.text("a"), .text("b"), .text("c")])
    }
}
