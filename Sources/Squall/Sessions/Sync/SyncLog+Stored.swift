extension SyncLog {
    /// The log that a database has, as far as recording needs it: without the rules that decide conflicts. `nil` without a log.
    init?(storedIn connection: Connection) throws {
        guard try OpenLog.isInstalled(connection) else { return nil }
        let state = try OpenLog.identity(connection)
        guard let origin = state["origin"], let role = state["role"].flatMap(Role.init(rawValue:)) else { return nil }
        var policies: [Identifier: Policy] = [:]
        for (name, _) in try OpenLog.storedColumns(connection) {
            let column: String? = try connection.query(
                "SELECT value FROM main.squall_sync_state WHERE name = \(Self.stampName(Identifier(name))) COLLATE NOCASE"
            )
            policies[Identifier(name)] = column.map { .lastWriter(by: $0) } ?? .hubWins
        }
        let version: Int? = try connection.query("SELECT value FROM main.squall_sync_state WHERE name = 'version'")
        self.init(origin: origin, role: role, policies: policies, version: version ?? 0)
    }

    /// Stores the column of the last writer of a table, without which other parts of the library could not record; `nil` for none.
    static func storeStamp(_ column: String?, of table: Identifier, on connection: Connection) throws {
        let name = stampName(table)
        try connection.run("DELETE FROM main.squall_sync_state WHERE name = \(name) COLLATE NOCASE")
        guard let column else { return }
        try connection.run("INSERT INTO main.squall_sync_state VALUES(\(name), \(column))")
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
