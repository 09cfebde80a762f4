// swift-format-ignore-file
import Foundation
import Hummingbird
import HummingbirdSquall
import HummingbirdTesting
import Logging
import Squall
import SquallLogging
import SquallMetrics
import SquallService
import SquallTracing
import Testing

struct ReadMePage {
    @Test func theDatabaseOfAServer() async throws {
        let schema = Schema("app") { Version(1) { CreateTable("t") { ColumnDef("a", Int.self) } } }
        let logger = Logger(label: "guide") { _ in SwiftLogNoOpLogHandler() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "squall-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/app.db"
        let service = DatabaseService(migratedBy: schema, check: .quick, logger: logger) {
            let database = try Database(path)
            database.log(to: logger)
            database.addTracing()
            return database
        }
        let database = try await service.database

        let router = Router()
        router.add(middleware: DatabaseErrorMiddleware())
        router.addReadiness(of: database)
        let app = Application(
            router: router, services: [service, DatabaseMetrics(database)], logger: logger)
        try await app.test(.live) { client in
            try await client.execute(uri: "/ready", method: .get) { #expect($0.status == .ok) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["app.db"])
    }
}
