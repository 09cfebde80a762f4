import Foundation
import Hummingbird
import HummingbirdSquall
import HummingbirdTesting
import Squall
import Testing

struct ReadinessTests {
    private let database: Database

    init() throws {
        database = try Database.temporary()
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE notes(id)") }
    }

    private func test(
        _ checks: (any Error)? = nil, _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let router = Router()
        router.addReadiness(of: database, deadline: .seconds(60)) { if let checks { throw checks } }
        router.addReadiness(of: database, at: "/writes", deadline: .seconds(60), checksWrites: true)
        router.addReadiness(of: database, at: "/impatient", deadline: .milliseconds(50), checksWrites: true)
        try await Application(router: router).test(.router, body)
    }

    private func expectReady(_ response: TestResponse) {
        #expect(response.status == .ok)
        #expect(response.headers[.retryAfter] == nil)
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.text == #"{"status":"ready"}"#)
    }

    private func expectUnavailable(_ response: TestResponse) {
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "1")
        #expect(response.headers[.contentType] == "application/json; charset=utf-8")
        #expect(response.text == #"{"status":"unavailable"}"#)
    }

    @Test func aDatabaseThatCanBeReadIsReady() async throws {
        try await test { client async throws in
            expectReady(try await client.execute(uri: "/ready", method: .get))
            expectReady(try await client.execute(uri: "/writes", method: .get))
        }
        // The check of writes has written nothing.
        #expect(try await database.read { try $0.query("PRAGMA user_version") as Int } == 0)
    }

    @Test func aWriteOfAnotherProcessDelaysOnlyTheCheckOfWrites() async throws {
        try await test { client async throws in
            try await whileLocked(database) { () async throws in
                expectReady(try await client.execute(uri: "/ready", method: .get))
                expectUnavailable(try await client.execute(uri: "/impatient", method: .get))
            }
            expectReady(try await client.execute(uri: "/writes", method: .get))
        }
    }

    @Test func aLongWriteDoesNotBlockTheRoute() async throws {
        let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await test { [database] client in
            async let write: Void = database.write { connection in
                try connection.run("INSERT INTO notes VALUES(1)")
                began.signal()
                mayEnd.wait()
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    began.wait()
                    continuation.resume()
                }
            }
            expectReady(try await client.execute(uri: "/ready", method: .get))
            expectUnavailable(try await client.execute(uri: "/impatient", method: .get))
            mayEnd.signal()
            try await write
        }
    }

    @Test func aClosedDatabaseIsNotReady() async throws {
        try await database.close()
        try await test { expectUnavailable(try await $0.execute(uri: "/ready", method: .get)) }
    }

    @Test func aSuspendedDatabaseIsNotReadyUntilItIsResumed() async throws {
        try await test { client async throws in
            try await database.suspend()
            expectUnavailable(try await client.execute(uri: "/ready", method: .get))
            try await database.resume()
            expectReady(try await client.execute(uri: "/ready", method: .get))
        }
    }

    /// A reader checks its file once in a second.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func aFileThatIsNotAtItsPathIsNotReady(isReplaced: Bool) async throws {
        let path = database.fileName
        try await test { client async throws in
            expectReady(try await client.execute(uri: "/ready", method: .get))
            try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
            if isReplaced { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }
            var response = try await client.execute(uri: "/ready", method: .get)
            while response.status == .ok { response = try await client.execute(uri: "/ready", method: .get) }
            expectUnavailable(response)
            expectUnavailable(try await client.execute(uri: "/impatient", method: .get))
        }
    }

    @Test func aFurtherCheckThatThrowsIsNotReady() async throws {
        try await test(HTTPError(.badGateway, message: "secret")) { client async throws in
            expectUnavailable(try await client.execute(uri: "/ready", method: .get))
        }
    }
}
