import Foundation
import Logging
import Squall

/// The write-ahead log of a closed database that another connection, mostly of another process, has open. Only the last
/// connection of a file checkpoints and removes the log when it is closed.
struct LeftoverLog: Sendable {
    private let path: String
    private let logger: Logger

    /// Makes a value if there is a log with pages.
    init?(of database: Database, _ logger: Logger) {
        path = database.fileName
        self.logger = logger
        guard !path.isEmpty, size > 0 else { return nil }
    }

    private var size: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Copies the log into the file, and truncates it: `PRAGMA wal_checkpoint(TRUNCATE)`. Waits for reads and writes of
    /// other connections for at most about a second.
    func truncate() async {
        do {
            try await runOutsideTasks(checkpoint)
        } catch {
            logger.notice(
                "the write-ahead log stays: another connection uses it",
                metadata: ["squall.path": "\(path)-wal", "squall.wal.size": "\(size)", "error.message": "\(error)"])
        }
    }

    private func checkpoint() throws {
        var configuration = Configuration.sqlite
        configuration.busyTimeout = .seconds(1)
        let connection = try Connection(path, mode: .existing, configuration: configuration)
        defer { connection.close() }
        // SQLite opens the log with the first read.
        try connection.run("SELECT 1 FROM sqlite_schema LIMIT 1")
        _ = try connection.checkpoint(mode: .truncate)
    }
}
