import Squall
import SquallChanges

/// A database in memory with a log, which exchanges changes with others of a network.
final class NetworkSide {
    let index: Int
    let role: SyncLog.Role
    let connection: Connection
    private(set) var log: SyncLog
    /// The rows after the last call.
    private(set) var rows: NetworkRows = [:]
    /// The variable in the Swift of the run.
    let origin: String
    private let world: World

    // What a peer knows.
    var stored: [NetworkKey: PeerEntry] = [:]
    var pending: [NetworkKey: PeerEntry] = [:]
    /// The number of the last version that the peer has stored.
    var number = 0
    /// The numbers up to which the versions of others were taken.
    var taken: [Int: Int] = [:]
    /// The others of whom parts of a batch were taken since.
    var partial: Set<Int> = []

    init(_ index: Int, _ role: SyncLog.Role, _ form: NetworkForm, _ first: [String], _ name: String, _ world: World)
        throws
    {
        (self.index, self.role, self.world) = (index, role, world)
        origin = "\(name)_\(index)"
        connection = try world.connection(":memory:", .create)
        world.log(
            """
            let \(origin) = try Connection(":memory:", configuration: configuration)
            try prepare(\(origin))
            """)
        for statement in form.definition(of: index) + first {
            world.log("try \(origin).execute(\"\(statement)\")")
            try connection.execute("\(raw: statement)")
        }
        world.log("var \(origin)Log = \(Self.swiftOfLog(origin, role))")
        log = try Self.makeLog(connection, origin, role)
        try readRows(form)
    }

    private static func makeLog(_ connection: Connection, _ origin: String, _ role: SyncLog.Role) throws -> SyncLog {
        let policy = role == .peer ? SyncLog.Policy.lastWriter(by: "stamp") : .hubWins
        return try SyncLog(connection, origin: origin, role: role, tables: ["owners": policy, "cards": policy])
    }

    private static func swiftOfLog(_ origin: String, _ role: SyncLog.Role) -> String {
        let policy = role == .peer ? ".lastWriter(by: \"stamp\")" : ".hubWins"
        return """
            try SyncLog(\(origin), origin: "\(origin)", role: .\(role), tables: ["owners": \(policy), "cards": \(policy)])
            """
    }

    /// Opens the log again, after a change of the tables for instance.
    func reopen() throws {
        world.log("\(origin)Log = \(Self.swiftOfLog(origin, role))")
        log = try Self.makeLog(connection, origin, role)
    }

    /// Runs statements outside the log.
    func execute(_ statements: [String]) throws {
        for statement in statements {
            world.log("try \(origin).execute(\"\(statement)\")")
            try connection.execute("\(raw: statement)")
        }
    }

    /// Makes changes in one transaction. A change that a constraint refuses is left out; one that is refused at the end ends all.
    ///
    /// - Returns: The keys of the rows that have changed.
    func record(_ changes: [String], _ form: NetworkForm) throws -> Set<NetworkKey> {
        world.log("_ = try? \(origin)Log.record(on: \(origin)) { c in")
        for change in changes { world.log("    try? c.savepoint { try c.execute(\"\(change)\") }") }
        world.log("}")
        do {
            try log.record(on: connection) { connection in
                for change in changes {
                    do {
                        try connection.savepoint { try connection.execute("\(raw: change)") }
                    } catch let error as SQLiteError where error.resultCode == .constraint {}
                }
            }
        } catch let error as SQLiteError where error.resultCode == .constraint {}
        let before = rows
        try readRows(form)
        return changes.isEmpty ? [] : Set(before.keys).union(rows.keys).filter { before[$0] != rows[$0] }
    }

    /// Reads the changes after a position, up to a limit.
    func batch(since cursor: SyncCursor?, limit: Int? = nil) throws -> SyncBatch {
        try log.changes(since: cursor, limit: limit, on: connection)
    }

    func cursor(of other: NetworkSide) throws -> SyncCursor? { try log.cursor(of: other.origin, on: connection) }

    func merge(_ batch: SyncBatch, _ form: NetworkForm) throws -> SyncReport {
        let report = try log.merge(batch, on: connection)
        try readRows(form)
        return report
    }

    func compact(through cursor: SyncCursor) throws { try log.compact(through: cursor, on: connection) }

    func readRows(_ form: NetworkForm) throws {
        var found: NetworkRows = [:]
        for table in ["owners", "cards"] {
            let columns = form.columns(of: table, at: index).map { "quote(\($0))" }.joined(separator: ", ")
            try connection.forEach("SELECT \(raw: columns) FROM \(name: table)") { row in
                let values = try row.columns.indices.map { try row.get($0) as String }
                found[NetworkKey(table: table, id: values[0])] = values
            }
        }
        rows = found
    }

    /// Checks the structure and the foreign keys.
    func check() throws {
        let problems: [String] = try connection.query("PRAGMA integrity_check")
        try require(problems == ["ok"], "integrity_check of \(origin): \(problems)")
        let orphans: [String] = try connection.query("SELECT \"table\" FROM pragma_foreign_key_check")
        try require(orphans.isEmpty, "foreign_key_check of \(origin): \(orphans)")
    }

    func close() { connection.close() }
}

extension SyncChange {
    /// The key of the row in a network.
    var networkKey: NetworkKey {
        switch self["id"] {
        case .integer(let number)?: NetworkKey(table: table, id: "\(number)")
        case .text(let text)?: NetworkKey(table: table, id: "'\(text)'")
        default: NetworkKey(table: table, id: "-")
        }
    }
}
