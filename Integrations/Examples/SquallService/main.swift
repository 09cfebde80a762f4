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
        let ready = try await self.database.database
        print("ready: \(database.isReady)")
        for item in ["a bicycle", "a bell", "a basket"] {
            try await ready.write { try $0.run("INSERT INTO orders(item) VALUES(\(item))") }
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
/// Checks a small file wholly at each start, and a large one without its indexes.
func check(of path: String) -> DatabaseService.Check {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return (size ?? 0) < 1 << 30 ? .full : .quick
}

let logger = Logger(label: "orders") { StreamLogHandler.standardOutput(label: $0) }
let database = DatabaseService(migratedBy: schema, check: check(of: path), logger: logger) { try Database(path) }
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

// The next start finds the file damaged, and does not touch it.
let operators = try Connection(storageLocation: .onDisk(path))
try operators.execute(
    """
    CREATE INDEX items ON orders(item);
    PRAGMA writable_schema = ON;
    DELETE FROM sqlite_schema WHERE name = 'items'
    """)
operators.close()
do {
    try await DatabaseService(migratedBy: schema, check: check(of: path), logger: logger) { try Database(path) }.run()
} catch let error as DatabaseServiceError {
    switch error {
    case .damagedFile(_, let problems): print("restore a backup: \(problems.count) problems")
    case .closed: print("the service has run before")
    }
}
