// A server without a network, which the tests of SquallService start and end by signals.

import Foundation
import Logging
import ServiceLifecycle
import Squall
import SquallService

func say(_ line: String) {
    // One call of `write` each: lines of several tasks do not mix, and are not kept in a buffer.
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

func schema(isEndless: Bool) -> Schema {
    Schema("app") {
        Version(1) { Execute("CREATE TABLE acknowledged(id TEXT PRIMARY KEY, content BLOB)") }
        Version(2) {
            Execute { connection in
                try connection.run("CREATE TABLE numbers(n)")
                say("version 2")
                let limit = isEndless ? Int.max : 10
                try connection.run(
                    """
                    INSERT INTO numbers WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT \(limit))
                    SELECT n FROM c
                    """)
            }
        }
        Version(3) { Execute { _ in say("version 3") } }
    }
}

/// Tasks that write until the database refuses them. Each says the identifier of a row once it is committed. They do not
/// end with their service, so that the database is closed while they write.
final class Load: Service {
    private let database: DatabaseService
    private let prefix: String
    private let errors = AsyncStream.makeStream(of: [any Error].self)

    init(_ database: DatabaseService, prefix: String) {
        self.database = database
        self.prefix = prefix
    }

    func run() async throws {
        Task {
            let result = await withTaskGroup(of: (any Error).self, returning: [any Error].self) { group in
                for task in 0..<16 { group.addTask { await self.write("\(self.prefix)-\(task)") } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            errors.continuation.yield(result)
        }
        try await gracefulShutdown()
    }

    /// The errors that have ended the tasks.
    func end() async -> [any Error] { await errors.stream.first { _ in true } ?? [] }

    private func write(_ prefix: String) async -> any Error {
        do {
            let database = try await database.database
            for number in 0... {
                let id = "\(prefix)-\(number)"
                try await database.write {
                    try $0.run("INSERT INTO acknowledged VALUES(\(id), randomblob(400))")
                }
                say(id)
            }
            return CancellationError()
        } catch {
            return error
        }
    }
}

/// `load path prefix`, or `migrate path`, whose second version does not end by itself.
let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(64) }
let path = arguments[2]
let isMigrating = arguments[1] == "migrate"
let service = DatabaseService(migratedBy: schema(isEndless: isMigrating), check: .quick) { try Database(path) }
let load = Load(service, prefix: arguments.last ?? "")
let logger = Logger(label: "process") { _ in SwiftLogNoOpLogHandler() }
let group = ServiceGroup(
    services: isMigrating ? [service] : [service, load], gracefulShutdownSignals: [.sigterm], logger: logger)
try await group.run()
if !isMigrating {
    for error in await load.end() {
        let kind = (error as? SQLiteError)?.kind
        guard kind == .closed(.database) || error as? DatabaseServiceError == .closed else {
            say("unexpected: \(error)")
            exit(3)
        }
    }
}
