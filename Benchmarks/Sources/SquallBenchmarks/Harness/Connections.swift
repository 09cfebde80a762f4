import GRDB
import Squall

// The two libraries on the settings of `CDatabase`: WAL, and no flush to the disk where rows are written, so that the
// libraries are measured and not the disk. Everything else is as each library has it, its statement cache included.

extension Connection {
    static func toRead(_ path: String) throws -> Connection {
        try Connection(path)
    }

    static func toWrite(_ path: String) throws -> Connection {
        var configuration = Squall.Configuration.recommended
        configuration.synchronous = .off
        return try Connection(path, configuration: configuration)
    }
}

extension DatabaseQueue {
    static func toRead(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: configuration(synchronous: "NORMAL"))
    }

    static func toWrite(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: configuration(synchronous: "OFF"))
    }

    private static func configuration(synchronous: String) -> GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = \(synchronous)")
        }
        return configuration
    }
}
