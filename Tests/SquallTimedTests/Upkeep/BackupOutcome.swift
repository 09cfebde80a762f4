import Foundation
import SQiftCompatibility
import Testing

/// Waits for the result of a backup on a queue.
final class BackupOutcome: @unchecked Sendable {
    // Written before the semaphore is signalled, and read after it.
    private var result: Connection.BackupResult?
    private let semaphore = DispatchSemaphore(value: 0)

    func report(_ result: Connection.BackupResult) {
        self.result = result
        semaphore.signal()
    }

    func wait(sourceLocation: SourceLocation = #_sourceLocation) throws -> Connection.BackupResult {
        semaphore.wait()
        return try #require(result, sourceLocation: sourceLocation)
    }
}

extension Connection.BackupResult {
    var error: SQLiteError? {
        if case .failure(let error) = self { error as? SQLiteError } else { nil }
    }
}
