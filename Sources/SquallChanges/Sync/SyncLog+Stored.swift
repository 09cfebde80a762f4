import Squall

extension SyncLog {
    /// The log that a database has, as far as recording needs it: without the rules that decide conflicts. `nil` without a log.
    init?(storedIn connection: Connection) throws {
        guard try OpenLog.isInstalled(connection) else { return nil }
        let state = try OpenLog.identity(connection)
        guard let origin = state["origin"], let role = state["role"].flatMap(Role.init(rawValue:)) else { return nil }
        var policies: [Identifier: Policy] = [:]
        for (name, _) in try OpenLog.storedColumns(connection) {
            let column: String? = try Self.storedState(Self.stampName(Identifier(name)), on: connection)
            policies[Identifier(name)] = column.map { .lastWriter(by: $0) } ?? .hubWins
        }
        let version = try Self.storedVersion(on: connection)
        self.init(origin: origin, role: role, policies: policies, version: version)
    }

    /// Stores the column of the last writer of a table, without which other parts of the library could not record; `nil` for none.
    static func storeStamp(_ column: String?, of table: Identifier, on connection: Connection) throws {
        try storeState(stampName(table), column, on: connection)
    }

    /// The version of the values, which a log of before versions does not have.
    static func storedVersion(on connection: Connection) throws -> Int {
        try storedState("version", on: connection) ?? 0
    }

    /// Returns a value of the log by its name, in which the letters of a table may be spelled otherwise.
    static func storedState<Value: Extractable>(_ name: String, on connection: Connection) throws -> Value? {
        try connection.query("SELECT value FROM main.squall_sync_state WHERE name = \(name) COLLATE NOCASE")
    }

    static func storeState(_ name: String, _ value: (any Bindable)?, on connection: Connection) throws {
        try connection.run("DELETE FROM main.squall_sync_state WHERE name = \(name) COLLATE NOCASE")
        guard let value else { return }
        try connection.run("INSERT INTO main.squall_sync_state VALUES(\(name), \(value))")
    }

    private static func stampName(_ table: Identifier) -> String { "stamp of \(table.spelling)" }

    /// Calls a closure whose changes are recorded by the log of the database, if there is one and it has one of the tables.
    static func recordingStored<Result>(
        on connection: Connection, changesOf tables: Set<Identifier>, _ body: () throws -> Result
    ) throws -> Result {
        guard let log = try SyncLog(storedIn: connection), !tables.isDisjoint(with: log.policies.keys) else {
            return try body()
        }
        return try log.record(on: connection) { _ in try body() }
    }
}
