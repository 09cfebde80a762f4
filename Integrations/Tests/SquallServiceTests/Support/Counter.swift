import Foundation
import Squall

/// A number that several threads add to.
///
/// Sendable, because the number is used only under the lock.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func add() { lock.withLock { count += 1 } }

    var value: Int { lock.withLock { count } }
}

/// Returns the error of SQLite that a closure throws; `nil` if it throws none.
func sqliteError(_ body: () async throws -> Void) async -> SQLiteError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? SQLiteError
    }
}
