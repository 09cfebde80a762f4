// swift-format-ignore-file
import Foundation
import Logging
import ServiceLifecycle
import Squall
import SquallService
import Testing

struct SquallServicePage {
    private let schema = Schema("cars") { Version(1) { Execute("CREATE TABLE cars(name TEXT)") } }
    private let logger = Logger(label: "guide") { _ in SwiftLogNoOpLogHandler() }

struct Server: Service {
    let database: DatabaseService

    func run() async throws {
        let names: [String] = try await database.database.read {
            try $0.query("SELECT name FROM cars")
        }
        print("\(names.count) cars")
        try await gracefulShutdown()
    }
}

func readiness(of services: [DatabaseService]) -> Int {
    services.allSatisfy(\.isReady) ? 200 : 503
}

    private struct ReportServer: Service {
        let orders: DatabaseService
        let cache: DatabaseService

        func run() async throws {
            for service in [orders, cache] { _ = try await service.database }
            try await gracefulShutdown()
        }
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "squall-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func serve(_ path: String) async throws {
let database = DatabaseService(migratedBy: schema, check: .quick, logger: logger) {
    try Database(path)
}
let server = Server(database: database)
let group = ServiceGroup(
    services: [database, server],
    gracefulShutdownSignals: [.sigterm, .sigint],
    logger: logger
)
try await group.run()
        #expect(readiness(of: [database]) == 503)
    }

    /// The server ends after its query, and the database after the server.
    @Test func aServerAndItsDatabase() async throws {
        try await withFolder { folder in
            let service = ClosureService { try await serve(folder + "/app.db") }
            // Its shutdown, which is requested before it runs, is that of the group inside it.
            let group = ServiceGroup(services: [service], logger: logger)
            await group.triggerGracefulShutdown()
            try await group.run()
            #expect(try files(in: folder) == ["app.db"])
        }
    }

    @Test func severalDatabases() async throws {
        try await withFolder { folder in
            let ordersPath = folder + "/orders.db"
            let cacheDatabase = try Database(folder + "/cache.db")
let orders = DatabaseService(logger: logger) { try Database(ordersPath) }
// A database that is already open.
let cache = DatabaseService(cacheDatabase, logger: logger)
let group = ServiceGroup(
    services: [orders, cache, ReportServer(orders: orders, cache: cache)],
    gracefulShutdownSignals: [.sigterm],
    logger: logger
)
            let run = Task { try await group.run() }
            for service in [orders, cache] {
                _ = try await service.database
                #expect(readiness(of: [service]) == 200)
            }
            await group.triggerGracefulShutdown()
            try await run.value
            #expect(try files(in: folder) == ["cache.db", "orders.db"])
        }
    }
}
