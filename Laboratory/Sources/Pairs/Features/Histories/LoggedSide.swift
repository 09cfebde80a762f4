import Squall
import SquallChanges

/// A database in memory with a log, which exchanges changes of tables of a feature with another one.
struct LoggedSide {
    /// The variable in the Swift of the run.
    let name: String
    let connection: Connection
    let log: SyncLog

    /// Creates the tables, of which the log has some.
    init(_ name: String, _ role: SyncLog.Role, _ tables: [String], _ definition: String, _ world: World) throws {
        let (policy, swift) =
            role == .peer
            ? (SyncLog.Policy.lastWriter(by: "stamp"), ".lastWriter(by: \"stamp\")") : (.hubWins, ".hubWins")
        world.log(
            """
            let \(name) = try Connection(":memory:", configuration: configuration)
            try prepare(\(name))
            try \(name).execute("\(definition)")
            let \(name)Log = try SyncLog(
                \(name), origin: "\(name)", role: .\(role), tables: [\(tables.map { "\"\($0)\": \(swift)" }.joined(separator: ", "))])
            """)
        self.name = name
        connection = try world.connection(":memory:", .create)
        try connection.execute("\(raw: definition)")
        log = try SyncLog(
            connection, origin: name, role: role,
            tables: Dictionary(uniqueKeysWithValues: tables.map { ($0, policy) }))
    }

    func record(_ sql: String, _ world: World) throws {
        world.log("try \(name)Log.record(on: \(name)) { (c) -> Void in try c.execute(\"\(sql)\") }")
        try log.record(on: connection) { try $0.execute("\(raw: sql)") }
    }

    /// Makes a change that the log does not have.
    func run(_ sql: String, _ world: World) throws {
        world.log("try \(name).execute(\"\(sql)\")")
        try connection.execute("\(raw: sql)")
    }

    /// Merges the changes of another side.
    func merge(_ other: LoggedSide, _ world: World) throws -> SyncReport {
        world.log(
            """
            do {
                let position = try \(name)Log.cursor(of: "\(other.name)", on: \(name))
                _ = try \(name)Log.merge(\(other.name)Log.changes(since: position, on: \(other.name)), on: \(name))
            }
            """)
        let position = try log.cursor(of: other.name, on: connection)
        return try log.merge(other.log.changes(since: position, on: other.connection), on: connection)
    }

    /// Forgets the deletions that another side has merged.
    func compact(knownTo other: LoggedSide, _ world: World) throws {
        world.log(
            """
            if let position = try \(other.name)Log.cursor(of: "\(name)", on: \(other.name)) {
                try \(name)Log.compact(through: position, on: \(name))
            }
            """)
        guard let position = try other.log.cursor(of: name, on: other.connection) else { return }
        try log.compact(through: position, on: connection)
    }
}
