extension Database {
    /// The statistics of a database: its present state, and its activity since it was opened.
    public struct Statistics: Hashable, Sendable {
        /// The number of open readers.
        public var readers: Int
        /// The maximum number of readers.
        public var maximumReaders: Int
        /// The number of readers in use.
        public var busyReaders: Int
        /// Whether the writer is in use. With one connection, this includes reads.
        public var isWriterBusy: Bool
        /// Whether the writer is open: not after the database was closed, or while a suspension has closed it.
        public var isWriterOpen: Bool
        /// The number of open snapshots.
        public var snapshots: Int

        /// The number of reads that wait for a connection.
        public var waitingReads: Int
        /// The number of writes that wait for the connection.
        public var waitingWrites: Int

        /// The number of leases of readers. With one connection, reads are counted as writes.
        public var reads: Int
        /// The number of reads that have continued with the transaction of the read before: see
        /// ``Configuration/heldReads``.
        public var continuedReads: Int
        /// The number of leases of the writer.
        public var writes: Int
        /// The number of reads and writes that had to wait for a connection.
        public var waits: Int
        /// The number of readers that have been opened.
        public var openedReaders: Int

        /// The number of statements that were found in the cache of their connection, in all closures that have
        /// returned.
        public var cacheHits: Int
        /// The number of statements that had to be prepared, in all closures that have returned.
        public var cacheMisses: Int
        /// The number of rows that statements have returned, in all closures that have returned.
        public var returnedRows: Int
        /// The number of transactions that SQLite has rolled back by itself: see ``ResultCode/transactionLost``.
        public var lostTransactions: Int

        /// The size of the write-ahead log in bytes; 0 when there is none.
        ///
        /// When the whole log has been copied to the database file and no connection reads an older state, SQLite
        /// reuses the log from its start. The file does not get smaller. `checkpoint(mode: .truncate)` truncates it.
        public var walSize: Int
    }

    /// The present statistics.
    public var statistics: Statistics {
        let writing = writer.statistics
        let reading = readers === writer ? nil : readers.statistics
        return Statistics(
            readers: reading?.connections ?? 0,
            maximumReaders: reading == nil ? 0 : readers.maximum,
            busyReaders: reading?.busy ?? 0,
            isWriterBusy: writing.busy > 0,
            isWriterOpen: writing.connections > 0,
            snapshots: snapshots.all.count { $0.statistics.connections > 0 },
            waitingReads: reading?.waiting ?? 0,
            waitingWrites: writing.waiting,
            reads: reading?.leases ?? 0,
            continuedReads: reading?.continuedReads ?? 0,
            writes: writing.leases,
            waits: writing.waits + (reading?.waits ?? 0),
            openedReaders: reading?.opened ?? 0,
            cacheHits: writing.cacheHits + (reading?.cacheHits ?? 0),
            cacheMisses: writing.cacheMisses + (reading?.cacheMisses ?? 0),
            returnedRows: writing.returnedRows + (reading?.returnedRows ?? 0),
            lostTransactions: writing.lostTransactions + (reading?.lostTransactions ?? 0),
            walSize: writer.file?.walSize ?? 0
        )
    }
}
