import Squall

extension CheckedFiles {
    /// The memory of SQLite in a process that checks files, in bytes.
    private static let memoryLimit = 1_000_000_000

    /// Limits the memory that SQLite may use in this process to 1 GB, for programs that only check files.
    ///
    /// Sorting and recursive queries use memory that does not count as pages of a database. Endless rows, sorted, took 1.3 GB
    /// a second. SQLite has no such limit for a connection. It cannot be raised again.
    ///
    /// - Throws: ``SQLiteError`` if the limit cannot be set.
    public static func limitMemory() throws {
        if SQLiteLibrary.has("DEFAULT_MEMSTATUS=0") { try SQLiteLibrary.configure(.memoryStatistics) }
        try Connection().execute("PRAGMA hard_heap_limit = \(raw: "\(memoryLimit)")")
    }
}
