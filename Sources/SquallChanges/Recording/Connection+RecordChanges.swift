import Squall

extension Connection {
    /// Calls a closure, and returns the changes of rows that it has made.
    ///
    ///     let changes = try connection.recordChanges(in: "cars", "orders") {
    ///         try $0.run("UPDATE cars SET price = price + 1")
    ///     }
    ///
    /// The changes are the difference between the rows before and after: a row that is inserted and deleted again has none. Rows with
    /// NULL in their primary key are not recorded. Changes of triggers and foreign keys are, as indirect ones.
    ///
    /// - Parameters:
    ///   - tables: The tables; without a name all tables that the database has, but those of a ``SyncLog``. Each must have a declared
    ///     primary key.
    ///   - database: The database of the tables: `main`, `temp`, or the name of an attached one.
    ///   - memoryLimit: The bytes of memory that the recorded rows may take. After that no more is recorded,
    ///     and the call throws when the closure has returned.
    ///   - body: The closure. Its changes are not undone when it throws: use a transaction.
    /// - Returns: The changes.
    /// - Throws: `SQLiteError`, before the closure, with a ``RecordingProblem`` for a table that cannot be
    ///   recorded; the error of the closure; as ``ChangeRecorder/changeset()``.
    public func recordChanges(
        in tables: String..., database: String = "main", memoryLimit: Int? = nil, _ body: (Connection) throws -> Void
    ) throws -> Changeset {
        let recorder = try startRecording(in: tables, database: database, memoryLimit: memoryLimit)
        defer { recorder.stop() }
        try body(self)
        return try recorder.changeset()
    }

    /// Calls a closure, and returns the changes of rows that it has made as a patchset, which is smaller and has no old values.
    ///
    /// - Throws: As ``recordChanges(in:database:memoryLimit:_:)``.
    public func recordPatchset(
        in tables: String..., database: String = "main", memoryLimit: Int? = nil, _ body: (Connection) throws -> Void
    ) throws -> Changeset {
        let recorder = try startRecording(in: tables, database: database, memoryLimit: memoryLimit)
        defer { recorder.stop() }
        try body(self)
        return try recorder.patchset()
    }

    /// Begins to record the changes of tables, until the recorder is stopped or released.
    ///
    /// - Throws: `SQLiteError`, with a ``RecordingProblem``, for a table that cannot be recorded;
    ///   `SQLITE_ERROR` (1) if SQLite was built without sessions.
    public func startRecording(
        in tables: [String] = [], database: String = "main", memoryLimit: Int? = nil
    ) throws -> ChangeRecorder {
        let chosen = try recordableTables(tables, in: database)
        return try startRecording(checked: chosen, database: database, memoryLimit: memoryLimit)
    }

    /// Begins to record the changes of the tables that a closure chooses by their names, also of those that are created later. A table
    /// that is created later without a primary key is left out.
    ///
    /// - Throws: As ``startRecording(in:database:memoryLimit:)``, for the tables that exist.
    public func startRecording(
        database: String = "main", memoryLimit: Int? = nil, where isRecorded: @escaping (String) -> Bool
    ) throws -> ChangeRecorder {
        for table in try recordedTables(in: database) where table.isStored && isRecorded(table.name) {
            try checkRecordable(table, in: database)
        }
        let recorder = try ChangeRecorder(self, database: database, memoryLimit: memoryLimit)
        try recorder.recordTables(where: isRecorded)
        return recorder
    }

    /// Begins to record the changes of tables that ``recordableTables(_:in:)`` has returned.
    func startRecording(
        checked tables: [String], database: String = "main", memoryLimit: Int? = nil
    ) throws -> ChangeRecorder {
        let recorder = try ChangeRecorder(self, database: database, memoryLimit: memoryLimit)
        for table in tables { try recorder.record(table) }
        return recorder
    }

    /// Returns the names of tables as the schema has them; without a name, of all tables but those of a ``SyncLog``.
    ///
    /// - Throws: As ``startRecording(in:database:memoryLimit:)``.
    func recordableTables(_ tables: [String], in database: String = "main") throws -> [String] {
        let known = try recordedTables(in: database)
        // The entries of a log are those of one database.
        let chosen =
            try tables.isEmpty
            ? known.filter { $0.isStored && !$0.name.hasPrefix("squall_sync_") }
            : tables.map { try known.table(named: $0) }
        for table in chosen { try checkRecordable(table, in: database) }
        return chosen.map(\.name)
    }
}

extension [RecordedTable] {
    /// Returns the table of a name.
    fileprivate func table(named name: String) throws -> RecordedTable {
        let identifier = Identifier(name)
        if let table = first(where: { Identifier($0.name) == identifier }) { return table }
        throw SQLiteError(RecordingProblem.unknownTable, of: .table(name))
    }
}
