// swift-format-ignore-file
import Foundation
import Hummingbird
import HummingbirdSquallSync
import Squall
import SquallSync
import SquallSyncHub
import Testing

/// The `swift` blocks of the README.
@Suite(.timeLimit(.minutes(1))) struct ReadMeTests {
    private typealias SyncPrincipal = SquallSyncHub.SyncPrincipal

    private func authenticate(_ request: Request) async throws -> String {
        guard request.headers[.authorization] == "Bearer secret" else { throw HTTPError(.unauthorized) }
        return "ada"
    }

    private func token() async throws -> String { "secret" }

    private func server(_ database: Database) async throws -> TestServer {
        let hub = try await SyncHub(database) {
            SyncTable("lists")
            SyncTable("items")
        }
        let router = Router()
        router.addSync("sync", hub: hub) { request, context in
            SyncPrincipal(user: try await authenticate(request))
        }
        return try await TestServer.start(router)
    }

    @Test func aDeviceAndAServer() async throws {
        let hub = try await SyncWorld.database()
        let address = try await server(hub).address
        let database = try await SyncWorld.database()
        let sync = try await SyncEngine(database, hub: address, credentials: { try await token() }) {
            SyncTable("lists")
            SyncTable("items")
        }
        try await database.run("INSERT INTO lists VALUES('a', 'A', NULL)")
        try await sync.now()
        #expect(try await hub.rows("lists").count == 1)
    }

    @Test func everyBlockIsHere() throws {
        let blocks = try ReadMeBlocks(besides: #filePath)
        #expect(blocks.count == 2)
        #expect(blocks.missing == [])
    }
}
