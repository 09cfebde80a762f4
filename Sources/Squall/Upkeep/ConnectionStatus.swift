import SquallSQLite

/// What a connection uses and has done, by `sqlite3_db_status`. SQLite counts in 32 bits.
public struct ConnectionStatus: Hashable, Sendable {
    /// The bytes of the page caches.
    public let cacheUsed: Int
    /// The same, with a cache that is shared divided among those who share it.
    public let cacheUsedShared: Int
    /// How often a page was in the cache.
    public let cacheHits: Int
    /// How often a page had to be read.
    public let cacheMisses: Int
    /// The pages that were written.
    public let cacheWrites: Int
    /// The pages that were written in the middle of a transaction, because the cache was full.
    public let cacheSpills: Int
    /// The bytes of the schemas.
    public let schemaUsed: Int
    /// The bytes of the prepared statements.
    public let statementsUsed: Int
    /// The slots of lookaside memory that are in use. (Debian's SQLite has no lookaside memory.)
    public let lookasideUsed: Int
    /// The most slots that have been in use at a time.
    public let lookasideHighwater: Int
    /// How often a slot was there.
    public let lookasideHits: Int
    /// How often too much was asked for.
    public let lookasideSizeMisses: Int
    /// How often no slot was free.
    public let lookasideFullMisses: Int
    /// Whether a foreign key constraint waits for the end of the transaction, unfulfilled.
    public let hasDeferredForeignKeys: Bool
}

extension ConnectionStatus {
    fileprivate init(_ handle: OpaquePointer?, resetting: Bool) {
        func counter(_ id: Int32) -> (current: Int, highwater: Int) {
            var (current, highwater): (Int32, Int32) = (0, 0)
            guard let handle, sqlite3_db_status(handle, id, &current, &highwater, resetting ? 1 : 0) == SQLITE_OK else {
                return (0, 0)
            }
            return (Int(current), Int(highwater))
        }
        cacheUsed = counter(SQLITE_DBSTATUS_CACHE_USED).current
        cacheUsedShared = counter(SQLITE_DBSTATUS_CACHE_USED_SHARED).current
        cacheHits = counter(SQLITE_DBSTATUS_CACHE_HIT).current
        cacheMisses = counter(SQLITE_DBSTATUS_CACHE_MISS).current
        cacheWrites = counter(SQLITE_DBSTATUS_CACHE_WRITE).current
        cacheSpills = counter(SQLITE_DBSTATUS_CACHE_SPILL).current
        schemaUsed = counter(SQLITE_DBSTATUS_SCHEMA_USED).current
        statementsUsed = counter(SQLITE_DBSTATUS_STMT_USED).current
        (lookasideUsed, lookasideHighwater) = counter(SQLITE_DBSTATUS_LOOKASIDE_USED)
        lookasideHits = counter(SQLITE_DBSTATUS_LOOKASIDE_HIT).highwater
        lookasideSizeMisses = counter(SQLITE_DBSTATUS_LOOKASIDE_MISS_SIZE).highwater
        lookasideFullMisses = counter(SQLITE_DBSTATUS_LOOKASIDE_MISS_FULL).highwater
        hasDeferredForeignKeys = counter(SQLITE_DBSTATUS_DEFERRED_FKS).current != 0
    }
}

extension Connection {
    /// What the connection uses and has done; all 0 when it is closed. ``statementCache`` is about the statements that it
    /// keeps.
    public var status: ConnectionStatus { ConnectionStatus(handle, resetting: false) }

    /// Sets the counters to 0 and the high-water mark to what is in use.
    ///
    /// - Returns: What they were.
    @discardableResult
    public func resetStatus() -> ConnectionStatus { ConnectionStatus(handle, resetting: true) }
}
