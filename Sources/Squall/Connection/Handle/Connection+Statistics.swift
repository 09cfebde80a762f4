import SquallSQLite

// SQLite chooses among indexes by statistics, which `ANALYZE` writes to the table `sqlite_stat1`. `PRAGMA optimize` runs it for the
// tables that need it. Squall asks it for their list, with mask 1, and analyses them itself, because:
//
// - A connection reads the statistics with the schema. ANALYZE does not change the version of the schema: other connections, such as
//   the readers of a database, would use the old statistics until they are opened again.
// - The time is limited between two tables, and those that are analysed by then are kept.
// - Before SQLite 3.46, PRAGMA optimize reads whole indexes, and only considers tables that its own connection has queried.
// - From 3.46 on, it counts all rows of tables that have no index.

/// The end of an update of the statistics.
struct StatisticsUpdate {
    /// The statements that were run, such as `ANALYZE "main"."cars"`.
    let result: Result<[String], any Error>
    let duration: Duration
}

extension StatisticsUpdate {
    /// The limits of an update that the library begins by itself.
    struct Limits {
        /// The time after which no further table is analysed.
        let end: Deadline
        /// The number of rows that one of the tables must have, unless the database has statistics. With fewer, every plan is fast.
        let leastRows = 1000

        /// The longest time for which a write or the end of a connection is held up. It can be set for a test of what happens in it.
        @TaskLocal static var patience = Duration.milliseconds(100)
    }
}

extension Connection {
    /// Analyses the tables of a database whose statistics are missing or old.
    ///
    /// - Parameter limits: The limits; `nil` to analyse all of them.
    /// - Returns: The statements that were run.
    func updateStatistics(of name: String, _ limits: StatisticsUpdate.Limits? = nil) throws -> [String] {
        let pragma: SQL = "PRAGMA \(name: name).optimize"
        if let failure = pragma.failure { throw failure }
        let handle = try openHandle ?? requireHandle(sql: pragma.text)
        try checkInterruption(sql: pragma.text)
        guard !hasWriteInProgress else {
            throw SQLiteError(
                code: SQLITE_LOCKED, message: "tables cannot be analysed inside a statement that writes",
                sql: pragma.text)
        }
        defer { if callbacks.pointee.hasWorkLeft { finishCallbacks() } }
        let name = try nameOfDatabase(name, on: handle)
        let statements = try recommendedAnalyses(of: name, on: handle)
        guard !statements.isEmpty else { return [] }
        guard let limits else {
            return try withAnalysisLimit(on: handle) { try analyse(statements, in: name, until: nil, on: handle) }
        }
        guard try isWorthStatistics(name, statements, limits.leastRows, on: handle) else { return [] }
        return try endingStatements(at: limits.end) {
            // The handlers were installed again.
            try interruption.withoutWaiting(on: self) {
                try withAnalysisLimit(on: handle) { try analyse(statements, in: name, until: limits.end, on: handle) }
            }
        }
    }

    /// Updates the statistics of the main database without waiting for a lock.
    ///
    /// - Returns: The end of the update; `nil` if there was nothing to do, or if a lock, an interruption or the time has prevented it.
    func updateStatisticsWithoutWaiting(_ limits: StatisticsUpdate.Limits) -> StatisticsUpdate? {
        guard let handle, sqlite3_db_readonly(handle, "main") == 0, sqlite3_get_autocommit(handle) != 0 else {
            return nil
        }
        let start = ContinuousClock.now
        let result = interruption.withoutWaiting(on: self) { Result { try updateStatistics(of: "main", limits) } }
        switch result {
        case .success([]): return nil
        case .failure(let error as SQLiteError)
        where [.busy, .locked, .interrupt].contains(error.resultCode): return nil
        case .success, .failure: return StatisticsUpdate(result: result, duration: ContinuousClock.now - start)
        }
    }
}

extension SQLiteError {
    /// The error for the name of a database that a connection does not have.
    static func unknownDatabase(_ name: String) -> SQLiteError {
        SQLiteError(code: SQLITE_ERROR, message: "unknown database: \(name.debugDescription)")
    }
}

// MARK: - The tables

extension Connection {
    /// The tables of a database that have an index of all rows, each with the first columns of its indexes that are not unique.
    private typealias IndexedTables = [String: Set<String>]

    /// Returns the name of a database as SQLite writes it: `main` for `MAIN`.
    private func nameOfDatabase(_ name: String, on handle: OpaquePointer) throws -> String {
        guard let found = try databases(on: handle).first(where: { $0.name.isSameName(as: name) }) else {
            throw SQLiteError.unknownDatabase(name)
        }
        return found.name
    }

    /// Returns the statements that SQLite recommends, for tables with an index of all rows.
    private func recommendedAnalyses(of name: String, on handle: OpaquePointer) throws -> [String] {
        let isOld = sqlite3_libversion_number() < 3_046_000
        let known = isOld ? try indexedTables(of: name, on: handle) : nil
        if let known { planQueries(of: known, in: name, on: handle) }
        // 1: return the statements without running them. 2: analyse. 0x10000: consider all tables, since SQLite 3.46.
        let pragma: SQL = "PRAGMA \(name: name).optimize"
        let statements = try texts(of: "\(pragma.text)(\(isOld ? "3" : "0x10003"))", on: handle)
        if statements.isEmpty { return [] }
        let eligible = try (known ?? indexedTables(of: name, on: handle)).keys.map { table -> String in
            let statement: SQL = "ANALYZE \(name: name).\(name: table)"
            return statement.text
        }
        // An older SQLite recommends empty tables as well, each time.
        return try Set(eligible).intersection(statements).sorted()
            .filter { try !isOld || hasRow(0, in: $0, on: handle) }
    }

    private func indexedTables(of name: String, on handle: OpaquePointer) throws -> IndexedTables {
        let catalog = try hiddenCatalog(of: name, on: handle)
        var tables: IndexedTables = [:]
        for table in try catalog.entries(.table, by: .creation) where table.isStored {
            let indexes = try catalog.indexes(ofTable: table.name).filter { !$0.isPartial }
            guard !indexes.isEmpty else { continue }
            // An expression has no name.
            let columns = try indexes.filter { !$0.isUnique }.compactMap {
                try catalog.columns(ofIndex: $0.name).first?.name
            }
            tables[table.name] = Set(columns)
        }
        return tables
    }

    /// Compiles a query of each table, as if the connection had queried it.
    private func planQueries(of tables: IndexedTables, in name: String, on handle: OpaquePointer) {
        for (table, columns) in tables where !columns.isEmpty {
            let place: SQL = "SELECT 1 FROM \(name: name).\(name: table) WHERE "
            let conditions = columns.map { column -> String in
                let condition: SQL = "\(name: column) > 0"
                return condition.text
            }
            compile(place.text + conditions.joined(separator: " AND "), on: handle)
        }
    }

    /// Whether a database has statistics, or one of the tables has at least a number of rows.
    private func isWorthStatistics(
        _ name: String, _ statements: [String], _ leastRows: Int, on handle: OpaquePointer
    ) throws -> Bool {
        if try hiddenCatalog(of: name, on: handle).has(.table, named: "sqlite_stat1") { return true }
        return try statements.contains { try hasRow(leastRows - 1, in: $0, on: handle) }
    }

    /// Whether the table of an `ANALYZE` statement has more rows than a number.
    private func hasRow(_ index: Int, in statement: String, on handle: OpaquePointer) throws -> Bool {
        let table = statement.dropFirst("ANALYZE ".count)
        return try !texts(of: "SELECT 1 FROM \(table) LIMIT 1 OFFSET \(index)", on: handle).isEmpty
    }

    /// Returns the texts in the first column of the rows of a query, which is hidden from all observers.
    private func texts(of sql: String, on handle: OpaquePointer) throws -> [String] {
        var texts: [String] = []
        let code = forEachRowInternally(sql, on: handle) { row in row.optionalText(0).map { texts.append($0) } }
        guard code == SQLITE_OK else { throw error(code, sql: sql) }
        return texts
    }

    /// Compiles a statement that is not run. An error, such as that of a missing collation, does not matter.
    private func compile(_ sql: String, on handle: OpaquePointer) {
        internally(isHidden: true) {
            var statement: OpaquePointer?
            sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
            sqlite3_finalize(statement)
        }
    }
}

// MARK: - Analysing

extension Connection {
    /// The number of rows of an index that ANALYZE reads, which SQLite's manual recommends for `PRAGMA optimize`.
    private static let analysisLimit = 400

    /// Runs a closure with a limit of what ANALYZE reads, unless the program has set one.
    private func withAnalysisLimit<Result>(on handle: OpaquePointer, _ body: () throws -> Result) throws -> Result {
        guard pragmaValue("analysis_limit", on: handle) == 0 else { return try body() }
        pragmaValue("analysis_limit = \(Self.analysisLimit)", on: handle)
        defer { if let handle = self.handle { pragmaValue("analysis_limit = 0", on: handle) } }
        return try body()
    }

    /// Runs `ANALYZE` statements in one transaction, until a time. The statistics are not rows of the program: the hooks that
    /// receive rows are not called.
    ///
    /// - Returns: The statements that were run.
    private func analyse(
        _ statements: [String], in name: String, until end: Deadline?, on handle: OpaquePointer
    ) throws -> [String] {
        for context in callbackContexts { context.stopReceivingRows(on: handle) }
        defer { if let handle = self.handle { for context in callbackContexts { context.install(on: handle) } } }
        let begins = sqlite3_get_autocommit(handle) != 0
        if begins { try step("BEGIN IMMEDIATE", on: handle) }
        do {
            var done: [String] = []
            for statement in statements {
                if let end, end.hasPassed { break }
                try checkInterruption(sql: statement)
                try step(statement, on: handle)
                done.append(statement)
            }
            try changeSchemaVersion(of: name, on: handle)
            if begins { try step("COMMIT", on: handle) }
            return done
        } catch {
            if begins { rollBackOpenTransaction() }
            throw error
        }
    }

    /// Makes all connections read the schema again, and the statistics with it.
    private func changeSchemaVersion(of name: String, on handle: OpaquePointer) throws {
        let quoted: SQL = "\(name: name)"
        let pragma = "\(quoted.text).schema_version"
        // In the defensive mode, SQLite ignores the assignment.
        let isDefensive = squall_option(handle, SQLITE_DBCONFIG_DEFENSIVE)
        squall_set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
        defer { squall_set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, isDefensive) }
        guard let version = pragmaValue(pragma, on: handle),
            pragmaValue("\(pragma) = \(Int32(truncatingIfNeeded: version) &+ 1)", on: handle) != nil
        else { throw error(sqlite3_errcode(handle), sql: "PRAGMA \(pragma)") }
    }

    /// Runs a statement that neither the authorizer nor the progress handler can stop.
    private func step(_ sql: String, on handle: OpaquePointer) throws {
        let code = runInternally(sql, on: handle)
        guard code == SQLITE_OK else { throw error(code, sql: sql) }
    }
}
