import Squall
import SquallChanges
import SquallTestSupport
import Testing

/// A followed log of a database that many tasks write.
@Suite(.enabled(if: SQLiteFeatures.sessions), .timeLimit(.minutes(1)))
struct FollowedLogThreadTests {
    @Test(arguments: [true, false]) func everyCommitIsInAnEntry(_ groupsCommits: Bool) async throws {
        var configuration = Configuration.recommended
        configuration.groupCommit = groupsCommits
        let folder = try TemporaryDirectory()
        let database = try Database(folder.file("app.db"), configuration: configuration)
        try await database.write { try $0.run("CREATE TABLE cars(id TEXT PRIMARY KEY, n INTEGER)") }
        let followed = try await SyncLog.follow(database, origin: "a", role: .replica, tables: ["cars": .hubWins])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    if number % 10 == 9 {
                        return try await database.writeWithoutTransaction {
                            try $0.run("INSERT INTO cars VALUES(\(number), 1)")
                        }
                    }
                    try? await database.write { connection in
                        try connection.run("INSERT INTO cars VALUES(\(number), 1)")
                        if number % 10 == 0 { throw CancellationError() }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await followed.flush()
        let (rows, inserted) = try await database.read { connection in
            let changes = try followed.log.changes(on: connection).changesets.flatMap { try $0.elements }
            return (
                try Set(connection.query("SELECT id FROM cars") as [String]),
                changes.map { "\($0.new[0] ?? .null)" }
            )
        }
        #expect(rows.count == 54 && inserted.count == 54)
        #expect(Set(inserted) == Set(rows.map { "\(BindingValue.text($0))" }))
    }
}
