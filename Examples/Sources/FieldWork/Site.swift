import Squall
import SquallChanges

/// A database of a firm: the hub in its office, or a replica in a van.
struct Site {
    let name: String
    let connection: Connection
    let log: SyncLog

    init(_ name: String, role: SyncLog.Role) throws {
        self.name = name
        connection = try Connection("\(name).db")
        try connection.execute(
            """
            CREATE TABLE prices(service TEXT PRIMARY KEY, price INTEGER);
            CREATE TABLE visits(id TEXT PRIMARY KEY, customer TEXT, hours INTEGER);
            CREATE TABLE customers(name TEXT PRIMARY KEY, phone TEXT, comment TEXT);
            CREATE TABLE workload(customer TEXT PRIMARY KEY, hours INTEGER);
            CREATE TRIGGER add_hours AFTER INSERT ON visits BEGIN
                INSERT INTO workload VALUES(new.customer, new.hours) ON CONFLICT DO UPDATE SET hours = hours + new.hours;
            END
            """)
        // The office sets the prices. Who has made a visit knows how long it took.
        let policies: [String: SyncLog.Policy] = [
            "prices": .hubWins, "visits": .replicaWins, "customers": .resolve(Self.winner),
        ]
        // The trigger writes a table that is not in the log, and so each site has the sum of all visits.
        log = try SyncLog(connection, origin: name, role: role, tables: policies, runsTriggers: true)
    }

    /// Keeps a phone number: the row of a van wins if it has one.
    private static func winner(of conflict: SyncConflict) -> SyncConflict.Winner {
        conflict.change["phone"] == .null ? .hub : .replica
    }

    func write(_ sql: SQL) throws { try log.record(on: connection) { try $0.run(sql) } }

    /// Returns the changes that another site does not have, which are all of them for a new one.
    func changes(for other: Site) throws -> SyncBatch {
        try log.changes(since: other.log.cursor(of: name, on: other.connection), on: connection)
    }

    @discardableResult
    func merge(_ batch: SyncBatch) throws -> SyncReport {
        let report = try log.merge(batch, on: connection)
        for change in report.applied { print("  \(name): \(change)") }
        // A conflict is reported to both. The office prints it.
        if log.role == .hub { for conflict in report.conflicts { show(conflict) } }
        return report
    }

    private func show(_ conflict: SyncConflict) {
        let change = conflict.change
        let row = zip(change.columnNames, change.new ?? change.old ?? []).map { "\($0) \(text($1))" }
            .joined(separator: ", ")
        switch conflict.winner {
        case .hub: print("  \(name) refuses what \(change.origin) wrote: \(row)")
        case .replica: print("  \(name) prefers what \(change.origin) wrote: \(row)")
        }
    }

    private func text(_ value: BindingValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .text(let text): text
        default: "-"
        }
    }

    func printRows() throws {
        let customers: [String] = try connection.query(
            "SELECT name || ' ' || coalesce(phone, '-') || ' ' || coalesce(comment, '-') FROM customers ORDER BY name")
        let visits: [String] = try connection.query("SELECT id || ' ' || hours || ' h' FROM visits ORDER BY id")
        let prices: [String] = try connection.query("SELECT service || ' ' || price FROM prices")
        print("  \(name): \((prices + visits + customers).joined(separator: "; "))")
        guard log.runsTriggers else { return }
        let sums: [String] = try connection.query(
            "SELECT customer || ' ' || hours || ' h' FROM workload ORDER BY customer")
        print("  \(name) has counted: \(sums.joined(separator: "; "))")
    }
}
