import Foundation
import Squall

/// Lines that several threads write.
///
/// Sendable, because the lines are only used under the lock.
final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var written: [String] = []

    var lines: [String] { lock.withLock { written } }

    func write(_ line: String) { lock.withLock { written.append(line) } }
}

/// Returns the setting that sends SQLite's messages on errors and warnings to a log.
func errorLog(to log: Log) -> SQLiteLibrary.Setting {
    .errorLog { code, message in log.write("\(code.rawValue): \(message)") }
}
