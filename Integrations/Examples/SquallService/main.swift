// A database and a worker in one service group: the worker ends, and the group closes the database.

import Foundation
import Logging
import ServiceLifecycle
import Squall
import SquallService

/// A service that writes three orders, and ends.
struct Worker: Service {
    let database: DatabaseService

    func run() async throws {
        // Suspends until the database is open, checked and migrated.
        let database = try await database.database
        for item in ["a bicycle", "a bell", "a basket"] {
            try await database.write { try $0.run("INSERT INTO orders(item) VALUES(\(item))") }
            print("ordered \(item)")
        }
    }
}

let folder = FileManager.default.temporaryDirectory.appending(path: "squall-service-example-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let path = folder.appending(path: "orders.db").path

let schema = Schema("orders") {
    Version(1) { Execute("CREATE TABLE orders(id INTEGER PRIMARY KEY, item TEXT NOT NULL)") }
}
let logger = Logger(label: "orders") { StreamLogHandler.standardOutput(label: $0) }
let database = DatabaseService(migratedBy: schema, check: .quick, logger: logger) { try Database(path) }
let group = ServiceGroup(
    configuration: ServiceGroupConfiguration(
        services: [
            .init(service: database),
            .init(service: Worker(database: database), successTerminationBehavior: .gracefullyShutdownGroup),
        ],
        // A real server runs until it gets one.
        gracefulShutdownSignals: [.sigterm, .sigint],
        logger: logger
    ))
try await group.run()
print("files: \(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted())")
