import Squall

/// A journal configuration, and what it promises.
enum CrashConfiguration: String, CaseIterable {
    case deleteFull
    case deleteExtra
    case truncateFull
    case persistFull
    case walFull
    case walNormal
    case walSmallCheckpoint
    /// Nothing is ever flushed. A power cut that damages no such file would prove nothing about the others.
    case deleteOff

    /// The configurations whose writers are killed.
    static let killed: [CrashConfiguration] = [
        .deleteFull, .truncateFull, .persistFull, .walFull, .walNormal, .walSmallCheckpoint,
    ]

    var name: String {
        switch self {
        case .deleteFull: "DELETE, FULL"
        case .deleteExtra: "DELETE, EXTRA"
        case .truncateFull: "TRUNCATE, FULL"
        case .persistFull: "PERSIST, FULL"
        case .walFull: "WAL, FULL"
        case .walNormal: "WAL, NORMAL"
        case .walSmallCheckpoint: "WAL, NORMAL, small checkpoints"
        case .deleteOff: "DELETE, OFF"
        }
    }

    /// Whether a power cut loses nothing that was acknowledged.
    var isDurable: Bool {
        switch self {
        case .deleteFull, .deleteExtra, .truncateFull, .persistFull, .walFull: true
        case .walNormal, .walSmallCheckpoint, .deleteOff: false
        }
    }

    private var settings: Configuration {
        var configuration = Configuration.recommended
        configuration.groupCommit = true
        configuration.busyTimeout = .seconds(10)
        switch self {
        case .deleteFull: (configuration.journalMode, configuration.synchronous) = (.delete, .full)
        case .deleteExtra: (configuration.journalMode, configuration.synchronous) = (.delete, .extra)
        case .truncateFull: (configuration.journalMode, configuration.synchronous) = (.truncate, .full)
        case .persistFull: (configuration.journalMode, configuration.synchronous) = (.persist, .full)
        case .deleteOff: (configuration.journalMode, configuration.synchronous) = (.delete, .off)
        case .walFull: (configuration.journalMode, configuration.synchronous) = (.wal, .full)
        case .walNormal, .walSmallCheckpoint:
            (configuration.journalMode, configuration.synchronous) = (.wal, .normal)
        }
        return configuration
    }

    /// Opens the database in a folder.
    func open(_ folder: String) throws -> Database {
        let pages = self == .walSmallCheckpoint ? 5 : nil
        return try Database("\(folder)/main.db", configuration: settings) { connection in
            if let pages { try connection.execute("PRAGMA wal_autocheckpoint = \(raw: "\(pages)")") }
        }
    }
}
