import Squall

/// The log of a database on a connection, inside a transaction.
struct OpenLog {
    let log: SyncLog
    let connection: Connection
    /// The identity of the log, which cursors name.
    let id: String
    let tables: [Identifier: SyncTable]
    /// The tables that have more columns than when the log was opened last, with the number of those that they had.
    private var newColumns: [(SyncTable, Int)] = []

    var origin: String { log.origin }

    /// The names of the tables, always in the same order.
    var tableNames: [String] { tables.keys.sorted().map(\.spelling) }

    /// Opens a log that is installed, and takes over columns that were added at the end of its tables.
    init(_ log: SyncLog, _ connection: Connection) throws {
        self.log = log
        self.connection = connection
        guard try Self.isInstalled(connection) else { throw SQLiteError(SyncProblem.notInstalled) }
        let state = try Self.identity(connection)
        guard let id = state["log"], let origin = state["origin"], let role = state["role"] else {
            throw SQLiteError(SyncProblem.notInstalled)
        }
        if role != log.role.rawValue || origin != log.origin {
            throw SQLiteError(SyncProblem.otherLog(origin: origin, role: role))
        }
        let version = try SyncLog.storedVersion(on: connection)
        if version != log.version {
            throw SQLiteError(SyncProblem.otherVersion(expected: log.version, found: version))
        }
        self.id = id
        var tables: [Identifier: SyncTable] = [:]
        for (name, columns) in try Self.storedColumns(connection) {
            guard let policy = log.policies[Identifier(name)] else {
                throw SQLiteError(SyncProblem.unnamedTable, of: .table(name))
            }
            let table = try SyncTable(name, policy: policy, in: connection)
            try table.check(columns: columns.map(\.name), isKey: columns.map(\.isKey))
            if case .lastWriter(let column, _) = policy, table.stampColumn == nil {
                throw SQLiteError(.problem(SyncProblem.stampColumn(column: column), of: .table(name)), code: .schema)
            }
            tables[Identifier(name)] = table
            if columns.count < table.columns.count { newColumns.append((table, columns.count)) }
        }
        if let missing = log.policies.keys.first(where: { tables[$0] == nil }) {
            throw SQLiteError(.problem(SyncProblem.unknownTable, of: .table(missing.spelling)), code: .misuse)
        }
        self.tables = tables
    }

    /// - Parameter tables: The tables as they were when the entries were made.
    init(_ log: SyncLog, _ connection: Connection, tables: [Identifier: SyncTable]) throws {
        self.log = log
        self.connection = connection
        id = try Self.identity(connection)["log"] ?? ""
        self.tables = tables
    }

    /// Stores the columns that changes have from now on.
    func storeNewColumns() throws {
        for (table, known) in newColumns { try SyncLog.storeColumns(of: table, from: known, on: connection) }
    }

    /// Whether the database has a log.
    static func isInstalled(_ connection: Connection) throws -> Bool {
        try connection.catalog().has(.table, named: "squall_sync_state")
    }

    /// Returns the identity of the stored log: its `log`, `origin` and `role`.
    static func identity(_ connection: Connection) throws -> [String: String] {
        try connection.query(
            "SELECT name, value FROM main.squall_sync_state WHERE name IN ('log', 'origin', 'role')")
    }

    /// Returns the columns of the tables when the log was made or opened last.
    static func storedColumns(_ connection: Connection) throws -> [(String, [(name: String, isKey: Bool)])] {
        var tables: [(String, [(name: String, isKey: Bool)])] = []
        try connection.forEach(
            "SELECT tbl, name, is_key FROM main.squall_sync_columns ORDER BY tbl, position"
        ) { row in
            let table: String = try row.get(0)
            if tables.last?.0 != table { tables.append((table, [])) }
            tables[tables.count - 1].1.append((try row.get(1), try row.get(2)))
        }
        return tables
    }

    func state(_ name: String) throws -> Int64 {
        try connection.query("SELECT value FROM main.squall_sync_state WHERE name = \(name)") ?? 0
    }

    func setState(_ name: String, _ value: Int64) throws {
        try connection.run("INSERT OR REPLACE INTO main.squall_sync_state VALUES(\(name), \(value))")
    }

    // MARK: - Positions

    func cursor(of origin: String) throws -> SyncCursor? {
        let row = try connection.query("SELECT log, sequence FROM main.squall_sync_cursors WHERE origin = \(origin)")
        return try row.map { SyncCursor(log: try $0.get(0), sequence: try $0.get(1)) }
    }

    func setCursor(of origin: String, _ cursor: SyncCursor) throws {
        try connection.run(
            "INSERT OR REPLACE INTO main.squall_sync_cursors VALUES(\(origin), \(cursor.log), \(cursor.sequence))")
    }

    /// Returns the position of a cursor in this log; 0 for none, and for one of another log.
    func position(of cursor: SyncCursor?) throws -> Int64 {
        let floor = try state("floor")
        guard let cursor else { return 0 }
        let isOwn = cursor.log == id
        // Deletions that the other log knew are missing.
        if floor > 0, !isOwn || cursor.sequence < floor {
            throw SQLiteError(SyncProblem.entriesRemoved)
        }
        return isOwn ? max(0, cursor.sequence) : 0
    }

    // MARK: - Changes

    /// Adds changes of this database.
    func add(_ changes: [SyncChange]) throws {
        switch log.role {
        case .peer: _ = try addVersions(changes)
        case .hub, .replica: try addEntry(changes)
        }
    }

    /// Returns what a recorder of this database has, with whole rows.
    func changes(_ recorded: Changeset) throws -> [SyncChange] {
        var changes: [SyncChange] = []
        try recorded.forEach { change in
            guard let table = tables[Identifier(change.table)] else { return }
            func row(_ values: ChangedValues, or other: [BindingValue]?) -> [BindingValue]? {
                guard values.count > 0 else { return nil }
                return table.columns.indices.map { values[$0] ?? other?[$0] ?? .null }
            }
            let key = table.key(of: row(change.operation == .insert ? change.new : change.old, or: nil) ?? [])
            let now = change.operation == .delete ? nil : try table.row(key, in: connection)
            let before = change.operation == .insert ? nil : row(change.old, or: now)
            changes.append(SyncChange(table, origin: origin, old: before, new: now))
        }
        return changes
    }

    // MARK: - Batches

    /// Throws for a batch that this log does not take.
    func check(_ batch: SyncBatch) throws {
        let taken: SyncLog.Role =
            switch log.role {
            case .peer: .peer
            case .hub: .replica
            case .replica: .hub
            }
        guard batch.role == taken else {
            throw SQLiteError(SyncProblem.wrongRole(batch.role.rawValue))
        }
        if batch.version != log.version {
            throw SQLiteError(SyncProblem.otherVersion(expected: log.version, found: batch.version))
        }
        for layout in batch.layouts {
            guard let table = tables[Identifier(layout.name)] else {
                throw SQLiteError(SyncProblem.unknownTable, of: .table(layout.name))
            }
            try table.check(columns: layout.columns, isKey: layout.isKey)
        }
    }

    /// Returns the changes of an entry of a batch. Only the tables that the batch names can have changes.
    func changes(of entry: SyncBatch.Entry, in batch: SyncBatch) throws -> [SyncChange] {
        let counts = Dictionary(batch.layouts.map { (Identifier($0.name), $0.columns.count) }) { first, _ in first }
        let changes = try [SyncChange](changeset: entry.changes, origin: entry.origin, tables: tables)
        for change in changes where change.isKey.count > counts[Identifier(change.table)] ?? 0 {
            throw SyncReader.damagedError
        }
        return changes
    }

    /// Returns the number of the next entries whose changes have together at most some bytes; at least 1.
    func entryCount(after start: Int64, byteLimit: Int) throws -> Int {
        let (table, size): (String, SQL) =
            log.role == .peer
            ? ("squall_sync_rows", "length(changes)") : ("squall_sync_log", "length(changes) + length(conflicts)")
        let count: Int = try connection.query(
            """
            SELECT count(*) FROM (
                SELECT sum(\(size)) OVER (ORDER BY sequence) AS bytes FROM main.\(name: table)
                WHERE sequence > \(start) ORDER BY sequence LIMIT 1000)
            WHERE bytes <= \(byteLimit)
            """)
        return max(1, count)
    }

    var layouts: [SyncBatch.Layout] {
        tables.values.sorted { Identifier($0.name) < Identifier($1.name) }.map(\.layout)
    }

    func batch(after start: Int64, limit: Int?) throws -> SyncBatch {
        let count = limit.map { Int64(max(0, $0)) } ?? -1
        let entries =
            log.role == .peer ? try versions(after: start, limit: count) : try entries(after: start, limit: count)
        // A replica tells its hub what it has got back, and has removed.
        let confirmed = log.role == .replica ? try state("confirmed") : start
        let end = max(start, confirmed, entries.last?.sequence ?? 0)
        return SyncBatch(
            role: log.role, version: log.version, sender: origin, start: SyncCursor(log: id, sequence: confirmed),
            cursor: SyncCursor(log: id, sequence: end), layouts: layouts, entries: entries)
    }
}

extension SyncTable {
    /// Throws if the columns are not the first ones of the table.
    func check(columns others: [String], isKey otherKeys: [Bool]) throws {
        let isPrefix =
            !others.isEmpty && others.count <= columns.count
            && zip(others, columns).allSatisfy { Identifier($0) == Identifier($1) }
            && isKey.prefix(others.count).elementsEqual(otherKeys) && !isKey.dropFirst(others.count).contains(true)
        if !isPrefix {
            throw SQLiteError(SyncProblem.otherColumns(expected: others, found: columns), of: .table(name))
        }
    }
}
