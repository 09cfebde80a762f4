import Foundation
import Hummingbird
import HummingbirdSquall
import HummingbirdTesting
import IntegrationSupport
import Squall
import TestSupport
import Testing

/// A clock that only the test moves.
final class ManualClock: Sendable {
    private let time: Locked<Date>

    init(_ seconds: Double = 1_000_000) { time = Locked(Date(timeIntervalSince1970: seconds)) }

    var now: @Sendable () -> Date { { self.time.value } }

    func advance(by seconds: Double) { time.withLock { $0 += seconds } }
}

/// Locks the file of a database for writing, as another process does, while a closure runs.
func whileLocked<Result>(_ database: Database, _ body: () async throws -> Result) async throws -> Result {
    let other = try Connection(database.fileName, mode: .existing)
    try other.execute("BEGIN IMMEDIATE")
    let result: Result
    do {
        result = try await body()
    } catch {
        try other.execute("ROLLBACK")
        throw error
    }
    try other.execute("ROLLBACK")
    return result
}

extension Configuration {
    /// The recommended configuration without waiting for locks.
    static var impatient: Configuration {
        var configuration = Configuration.recommended
        configuration.busyTimeout = .zero
        return configuration
    }
}

extension Database {
    func count(in table: String = "hummingbird_persist") async throws -> Int {
        try await read { try $0.query("SELECT count(*) FROM \(name: table)") }
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
}

func kind(of body: () async throws -> Void) async throws -> SQLiteError.Kind {
    try await #require(throws: SQLiteError.self) { try await body() }.kind
}
