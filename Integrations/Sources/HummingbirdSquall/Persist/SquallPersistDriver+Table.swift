import Hummingbird
import Squall

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SquallPersistDriver {
    var table: String { configuration.table }

    /// Creates the table and its index, unless both exist.
    ///
    /// The table has a rowid: SQLite recommends `WITHOUT ROWID` for small rows only, and a value can have any size.
    func createTable() async throws {
        let index = "\(table)_expires_at"
        let count: Int = try await database.read(deadline: configuration.deadline) {
            try $0.query(
                "SELECT count(*) FROM sqlite_master WHERE (type, name) IN (('table', \(table)), ('index', \(index)))")
        }
        if count < 2 {
            try await database.write(deadline: configuration.deadline) { connection in
                try connection.run(
                    """
                    CREATE TABLE IF NOT EXISTS \(name: table)(
                        key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL, expires_at INTEGER)
                    """)
                try connection.run(
                    """
                    CREATE INDEX IF NOT EXISTS \(name: index) ON \(name: table)(expires_at)
                    WHERE expires_at IS NOT NULL
                    """)
            }
        }
        // A table of the application that has this name is an error now, and not at the first request.
        _ = try await database.read(deadline: configuration.deadline) {
            try $0.first(
                "SELECT old.key, old.value, old.expires_at FROM \(name: table) AS old LIMIT 0",
                as: (String, String, Int64?).self)
        }
    }

    /// Runs a closure in a transaction. The time is read when its turn has come, and not when it begins to wait.
    func write<Result: Sendable>(
        _ body: @Sendable (_ connection: Connection, _ now: Instant) throws -> Result
    ) async throws -> Result {
        try await database.write(deadline: configuration.deadline) { try body($0, Instant(self.now())) }
    }

    func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    func decode<Object: Decodable>(_ type: Object.Type, _ json: String) throws -> Object {
        do {
            return try JSONDecoder().decode(type, from: Data(json.utf8))
        } catch is DecodingError {
            throw PersistError.invalidConversion
        }
    }
}
