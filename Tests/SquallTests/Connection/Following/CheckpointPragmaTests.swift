import SquallTestSupport
import Testing

@testable import Squall

/// The followers of a connection are told of `PRAGMA wal_checkpoint` when it runs.
struct CheckpointPragmaTests {
    private final class Follower: ConnectionFollower {
        let events: FollowedEvents = []
        var calls: [String] = []

        func willCheckpoint() { calls.append("will") }
        func didEndCheckpoint() { calls.append("did") }
    }

    private let directory: TemporaryDirectory
    private let connection: Connection
    private let follower = Follower()

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("app.db"))
        connection.follow(follower)
    }

    @Test func eachRunOfAPreparedStatementIsTold() throws {
        let statement = try connection.prepare("PRAGMA wal_checkpoint(PASSIVE)")
        #expect(follower.calls == [])
        try statement.step()
        #expect(follower.calls == ["will", "did"])
        try statement.reset()
        try statement.run()
        #expect(follower.calls == ["will", "did", "will", "did"])
    }

    @Test func eachVerbIsTold() throws {
        let sql: SQL = "PRAGMA wal_checkpoint"
        try connection.run(sql)
        try connection.execute(sql)
        let isBusy: Bool = try connection.query(sql)
        try connection.forEach(sql) { _ in }
        #expect(!isBusy)
        #expect(follower.calls.count == 8)
    }
}
