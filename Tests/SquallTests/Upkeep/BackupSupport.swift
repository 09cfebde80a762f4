import Foundation
import Squall
import Testing

/// Waits for the result of a backup on a queue.
final class BackupOutcome: @unchecked Sendable {
    // Written before the semaphore is signalled, and read after it.
    private var result: BackupResult?
    private let semaphore = DispatchSemaphore(value: 0)

    func report(_ result: BackupResult) {
        self.result = result
        semaphore.signal()
    }

    func wait(sourceLocation: SourceLocation = #_sourceLocation) throws -> BackupResult {
        try #require(semaphore.wait(timeout: .now() + 60) == .success, sourceLocation: sourceLocation)
        return try #require(result, sourceLocation: sourceLocation)
    }
}

extension BackupResult {
    var error: SQLiteError? {
        if case .failure(let error) = self { error as? SQLiteError } else { nil }
    }
}

extension Connection {
    /// A table `t` with about as many pages as it has rows.
    func fill(rows: Int = 60) throws {
        try execute("CREATE TABLE t(id INTEGER PRIMARY KEY, bytes BLOB)")
        try addRows(rows)
    }

    func addRows(_ rows: Int = 1) throws {
        try transaction {
            for _ in 0..<rows { try run("INSERT INTO t(bytes) VALUES(randomblob(3500))") }
        }
    }

    func addSmallRow() throws { try run("INSERT INTO t(bytes) VALUES(x'00')") }

    func rowCount() throws -> Int { try query("SELECT count(*) FROM t") }

    /// All values of `t` in one.
    func digest() throws -> Data { try query("SELECT CAST(group_concat(hex(bytes)) AS BLOB) FROM t ORDER BY id") }

    func pageCount() throws -> Int { try query("PRAGMA page_count") }
}
