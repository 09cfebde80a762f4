extension Database {
    /// What a database has done since it was opened, and what it is doing now.
    public struct Statistics: Hashable, Sendable {
        /// The connections that are open to read, and at most.
        public var readers: Int
        public var maximumReaders: Int
        /// How many of them are in use.
        public var busyReaders: Int
        /// Whether the connection that writes is in use. With one connection, reading counts.
        public var isWriterBusy: Bool
        /// The snapshots that are held.
        public var snapshots: Int

        /// Who waits for a connection now.
        public var waitingReads: Int
        public var waitingWrites: Int

        /// How often a connection was lent. With one connection, all counts as writes.
        public var reads: Int
        public var writes: Int
        /// How many of them had to wait in the line.
        public var waits: Int
        /// How many connections have been opened to read.
        public var openedReaders: Int

        /// How often a statement was in the cache of its connection, or had to be prepared, in all closures that have
        /// returned.
        public var cacheHits: Int
        public var cacheMisses: Int

        /// The size of the write-ahead log in bytes; 0 when there is none. It begins anew, without getting smaller,
        /// when all of it is in the database file and nobody reads an older state; `checkpoint(mode: .truncate)` also
        /// cuts it down.
        public var walSize: Int
    }

    /// The numbers as they are now.
    public var statistics: Statistics {
        let writing = writer.statistics
        let hasReaders = readers !== writer
        let reading = hasReaders ? readers.statistics : nil
        return Statistics(
            readers: reading?.connections ?? 0,
            maximumReaders: hasReaders ? readers.maximum : 0,
            busyReaders: reading?.busy ?? 0,
            isWriterBusy: writing.busy > 0,
            snapshots: snapshots.all.count { $0.statistics.connections > 0 },
            waitingReads: reading?.waiting ?? 0,
            waitingWrites: writing.waiting,
            reads: reading?.counts.leases ?? 0,
            writes: writing.counts.leases,
            waits: writing.counts.waits + (reading?.counts.waits ?? 0),
            openedReaders: reading?.counts.opened ?? 0,
            cacheHits: writing.counts.cacheHits + (reading?.counts.cacheHits ?? 0),
            cacheMisses: writing.counts.cacheMisses + (reading?.counts.cacheMisses ?? 0),
            walSize: writer.fileIdentity?.walSize ?? 0
        )
    }
}
