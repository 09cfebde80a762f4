import SquallSQLite

/// The memory use and the counters of a connection, from `sqlite3_db_status`. SQLite counts in 32 bits.
public struct ConnectionStatus: Hashable, Sendable {
    /// The size of the page caches in bytes.
    public let cacheUsed: Int
    /// The size of the page caches in bytes, with a shared cache divided among its connections.
    public let cacheUsedShared: Int
    /// The number of pages found in the cache.
    public let cacheHits: Int
    /// The number of pages that had to be read.
    public let cacheMisses: Int
    /// The number of written pages.
    public let cacheWrites: Int
    /// The number of pages written in the middle of a transaction because the cache was full.
    public let cacheSpills: Int
    /// The size of the schemas in bytes.
    public let schemaUsed: Int
    /// The size of the prepared statements in bytes.
    public let statementsUsed: Int
    /// The number of slots of lookaside memory in use. Debian's SQLite has no lookaside memory.
    public let lookasideUsed: Int
    /// The largest number of slots in use at one time.
    public let lookasideHighwater: Int
    /// The number of allocations that used a slot.
    public let lookasideHits: Int
    /// The number of allocations that were too large for a slot.
    public let lookasideSizeMisses: Int
    /// The number of allocations for which all slots were in use.
    public let lookasideFullMisses: Int
    /// Whether the transaction has unresolved deferred foreign keys.
    public let hasDeferredForeignKeys: Bool
}

extension ConnectionStatus {
    /// Returns one of the counters of `sqlite3_db_status`.
    fileprivate static func counter(
        _ id: Int32, of handle: OpaquePointer?, resetting: Bool
    ) -> (current: Int, highwater: Int) {
        var (current, highwater): (Int32, Int32) = (0, 0)
        guard let handle, sqlite3_db_status(handle, id, &current, &highwater, resetting ? 1 : 0) == SQLITE_OK else {
            return (0, 0)
        }
        return (Int(current), Int(highwater))
    }

    fileprivate init(_ handle: OpaquePointer?, resetting: Bool) {
        func counter(_ id: Int32) -> (current: Int, highwater: Int) {
            Self.counter(id, of: handle, resetting: resetting)
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
    /// Whether the transaction has unresolved deferred foreign keys.
    var hasDeferredForeignKeys: Bool {
        ConnectionStatus.counter(SQLITE_DBSTATUS_DEFERRED_FKS, of: handle, resetting: false).current != 0
    }

    /// The memory use and the counters of the connection, all 0 when it is closed. See ``statementCache`` for its
    /// cached statements.
    public var status: ConnectionStatus { ConnectionStatus(handle, resetting: false) }

    /// Sets the counters to 0 and the high-water mark to what is in use.
    ///
    /// - Returns: The status before the reset.
    @discardableResult
    public func resetStatus() -> ConnectionStatus { ConnectionStatus(handle, resetting: true) }
}
