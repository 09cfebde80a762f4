import SquallSQLite

/// The exchange of the triggers of the program for those that keep search tables and R*Trees in step.
///
/// SQLite turns off all triggers but the TEMP ones. Therefore those of the indexes run as TEMP triggers, and the TEMP triggers of the
/// program are dropped, until the end.
private struct TriggerExchange {
    private let connection: Connection
    /// The TEMP triggers of the program, in the order in which they were created.
    private var suspended: [(name: String, sql: String)] = []
    private var indexTriggers: [IndexTrigger] = []
    /// Whether there are triggers that do something else than keeping indexes in step.
    private(set) var hasProgramTriggers = false

    /// Reads the triggers of the file and of the connection.
    ///
    /// - Parameter tables: The tables that will be written; `nil` for any.
    init(_ connection: Connection, tables: Set<Identifier>?) throws {
        self.connection = connection
        let (main, temporary) = try (connection.hiddenCatalog(), connection.hiddenCatalog(of: "temp"))
        let allTriggers = try main.entries(.trigger, by: .creation)
        let triggers = allTriggers.filter { tables?.contains(Identifier($0.table)) != false }
        suspended = try temporary.entries(.trigger, by: .creation).map { ($0.name, $0.sql ?? "") }
        let indexes = try Set(
            main.virtualTables().filter { IndexTrigger.isIndex($0.sql ?? "") }.map { Identifier($0.name) })
        if !indexes.isEmpty {
            let viewNames = try Set(main.entries(.view, by: .creation).map { Identifier($0.name) })
            let views = Set(
                allTriggers.filter { IndexTrigger.writes($0.sql ?? "", to: indexes) }.map { Identifier($0.table) }
            )
            .intersection(viewNames)
            let shadowing = try Set(temporary.entries(.table, .view, by: .creation).map { Identifier($0.name) })
            indexTriggers = triggers.compactMap {
                IndexTrigger($0.name, $0.sql ?? "", indexes: indexes, views: views, shadowing: shadowing)
            }
        }
        hasProgramTriggers =
            !suspended.isEmpty || indexTriggers.count < triggers.count || !indexTriggers.allSatisfy(\.isSeparable)
    }

    /// - Throws: ``SQLiteError`` for a trigger that cannot run as a TEMP trigger.
    func begin() throws {
        let copies = try indexTriggers.map { trigger in
            guard let copy = trigger.temporaryCopy else {
                throw SQLiteError(TriggerProblem.inseparable(trigger.name))
            }
            return SQL(raw: copy)
        }
        try run(suspended.map { "DROP TRIGGER temp.\(name: $0.name)" })
        // SQLite runs the triggers of a table from the newest to the oldest, and TEMP triggers from the oldest to the newest.
        try run(copies.reversed())
    }

    /// Also correct after a rollback, which has ended the exchange.
    func end() throws {
        try run(indexTriggers.map { "DROP TRIGGER IF EXISTS temp.\(name: $0.name)" })
        // SQLite stores the SQL without the word TEMP.
        try run(
            suspended.map {
                SQL(raw: "CREATE TEMP TRIGGER IF NOT EXISTS" + $0.sql.dropFirst("CREATE TRIGGER".count))
            })
    }

    private func run(_ statements: [SQL]) throws {
        for statement in statements {
            guard let handle = connection.handle else { return }
            let text = statement.text
            let code = connection.internally(isHidden: true) { sqlite3_exec(handle, text, nil, nil, nil) }
            if code != SQLITE_OK { throw connection.error(code, sql: text) }
        }
    }
}

extension Connection {
    /// Calls a closure, in a transaction, while only those triggers run that keep search tables and R*Trees in step.
    ///
    /// If triggers are off already, none runs.
    ///
    /// - Parameter tables: The tables that the closure writes to; `nil` for any.
    /// - Throws: ``SQLiteError`` for a trigger that writes to an index and to another table; the error of the closure.
    package func withoutProgramTriggers<Result>(
        of tables: Set<Identifier>? = nil, _ body: () throws -> Result
    ) throws -> Result {
        guard let handle else { throw closedError() }
        guard squall_option(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER) != 0 else { return try body() }
        let exchange = try TriggerExchange(self, tables: tables)
        guard exchange.hasProgramTriggers else { return try body() }
        let result: Result
        do {
            try exchange.begin()
            squall_set_option(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
            defer {
                // A function that a statement calls may have closed the connection.
                if let handle = self.handle { squall_set_option(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1) }
            }
            result = try body()
        } catch {
            try? exchange.end()
            throw error
        }
        try exchange.end()
        return result
    }

    /// Whether triggers of the program run when a table of `tables` is written.
    package func runsProgramTriggers(of tables: Set<Identifier>) throws -> Bool {
        guard let handle else { throw closedError() }
        guard squall_option(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER) != 0 else { return false }
        return try TriggerExchange(self, tables: tables).hasProgramTriggers
    }
}
