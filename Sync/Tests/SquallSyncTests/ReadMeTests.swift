// swift-format-ignore-file
import Foundation
import Squall
import SquallSync
import SquallSyncHub
import Testing

/// The `swift` blocks of the README.
@Suite(.timeLimit(.minutes(1))) struct ReadMeTests {
    private func hub(_ database: Database) async throws -> SyncHub {
        let hub = try await SyncHub(database) {
            SyncTable(
                "lists", visible: "id IN (SELECT list FROM members WHERE user = :user)")
            SyncTable(
                "items", conflicts: .replicaWins,
                visible: "list IN (SELECT list FROM members WHERE user = :user)",
                writable: "author = :user")
        }
        let transport = hub.transport(for: SyncPrincipal(user: "ada"))   // in the same process
        try await hub.compact(keepingBytes: 64_000_000, age: .seconds(30 * 86_400))
        #expect(try await transport.pull(
            SyncPullRequest(origin: "device", version: 0, cursor: nil, byteLimit: 1)).begins)
        return hub
    }

    @Test func aDevice() async throws {
        let server = try await SyncWorld.database()
        try await server.run(
            """
            CREATE TABLE members(list TEXT NOT NULL, user TEXT NOT NULL, PRIMARY KEY(list, user));
            ALTER TABLE items ADD COLUMN author TEXT; INSERT INTO members VALUES('a', 'ada'), ('b', 'ada')
            """)
        let hub = try await hub(server)
        let transport = hub.transport(for: SyncPrincipal(user: "ada"))
        let database = try await SyncWorld.database()
        try await database.run("ALTER TABLE items ADD COLUMN author TEXT; INSERT INTO lists VALUES('b', 'B', NULL)")
        let sync = try await SyncEngine(database, transport: transport) {
            SyncTable("lists")
            SyncTable("items", conflicts: .replicaWins)
        }
        try await sync.now()                          // once: send, receive
        for conflict in try await sync.conflicts() {
            print(conflict)
            try await sync.resolve(conflict, keeping: .replica)   // or .hub
        }
        if let difference = try await sync.audit() {
            print(difference.table, difference.after, difference.through)
        }
        let running = Task { try await sync.run() }   // after each commit, and when the hub tells of changes
        Task {
            try await database.run("INSERT INTO lists VALUES('a', 'A', NULL)")
            for await state in sync.states { if case .upToDate = state { break } }
            running.cancel()
            try await database.close()
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await state in sync.states {
                    switch state {
                    case .upToDate: print("up to date")
                    case .sending(let count): print("sending \(count) transactions")
                    case .receiving: print("receiving")
                    case .waiting(let retryAt, let error): print("next attempt at \(retryAt): \(error)")
                    case .conflicts(let conflicts): for conflict in conflicts { print(conflict) }
                    case .needsMigration(let hub): print("the hub has version \(hub)")
                    }
                }
            }
            _ = await running.result
            group.cancelAll()
        }
    }

    @Test func everyBlockIsHere() throws {
        let blocks = try ReadMeBlocks(besides: #filePath)
        #expect(blocks.count == 5)
        #expect(blocks.missing == [])
    }
}
