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
        semaphore.wait()
        return try #require(result, sourceLocation: sourceLocation)
    }
}
