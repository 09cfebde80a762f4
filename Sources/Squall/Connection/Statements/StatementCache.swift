import SquallSQLite

/// The prepared statements that a connection keeps to run the same SQL again. The least recently used one is evicted
/// first.
///
/// Measured in C, preparing a statement takes 3.8 µs, and a look-up by key with a prepared statement 0.5 µs.
@usableFromInline
struct StatementCache {
    /// The maximum length of cached SQL. Longer SQL is rarely run twice, and takes much memory.
    private static let longestText = 16_384

    private(set) var statistics: StatementCacheStatistics

    // The slots are linked by their indices. Links that are references were retained and released at each step, which took 490
    // instructions of a miss (callgrind, 2026-11-23).
    private var slots: [Slot] = []
    /// The first slot of each chain, by the low bits of the quick hashes of the texts. A `Dictionary` would hash these
    /// hashes again, which took a third of the time of a miss without SQLite's share.
    private var chains: [Int]
    /// The first of the empty slots, which are linked by `next`.
    private var empty = Slot.none
    // The ends of the list of the entries in the order of their use.
    private var newest = Slot.none
    private var oldest = Slot.none

    /// The place of an entry: in its chain, and in the order of use.
    private struct Slot {
        static let none = -1

        var entry: Entry?
        var hash: UInt64
        var next = none
        var newer = none
        var older = none
    }

    init(capacity: Int) {
        statistics = StatementCacheStatistics(capacity: max(0, capacity))
        var size = 1
        while size < min(statistics.capacity, 1 << 16) { size *= 2 }
        chains = Array(repeating: Slot.none, count: size)
    }

    /// A cached statement. One that cannot be kept is finalised with its entry.
    @usableFromInline
    final class Entry {
        @usableFromInline let statement: Statement
        /// The first parameter of the statement. Callers that bind values do not retain the statement for it.
        @usableFromInline let firstParameter: BindingDestination
        private let text: String
        var isBorrowed = true

        init(_ statement: Statement) {
            self.statement = statement
            self.firstParameter = statement.parameter(1)
            self.text = statement.sql
        }

        /// Whether the entry has the statement for some SQL.
        func matches(_ sql: SQL) -> Bool { sql.hasText(text) }
    }

    /// Borrows the statement for some SQL; `nil` when it is not in the cache or already borrowed.
    mutating func borrow(_ sql: SQL) -> Entry? {
        // In a loop, it is usually the statement that was used last.
        if newest != Slot.none, let entry = slots[newest].entry, !entry.isBorrowed, entry.matches(sql) {
            statistics.hits += 1
            entry.isBorrowed = true
            return entry
        }
        let index = find(sql, hash: sql.quickHash)
        guard index != Slot.none, let entry = slots[index].entry, !entry.isBorrowed else {
            statistics.misses += 1
            return nil
        }
        statistics.hits += 1
        entry.isBorrowed = true
        if index != newest {
            unlink(index)
            link(index)
        }
        return entry
    }

    /// Returns the index of the slot for some SQL, or `Slot.none`.
    @inline(never)
    private func find(_ sql: SQL, hash: UInt64) -> Int {
        var index = chains[chain(of: hash)]
        while index != Slot.none, slots[index].hash != hash || slots[index].entry?.matches(sql) != true {
            index = slots[index].next
        }
        return index
    }

    private func chain(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash & UInt64(chains.count - 1))
    }

    /// Borrows a statement that was prepared after a miss, and keeps it in the cache.
    ///
    /// - Returns: Also the entry that was evicted for it, which the caller releases: finalising a statement can call the user's code,
    ///   which may use the cache.
    mutating func insert(_ statement: Statement, for sql: SQL) -> (borrowed: Entry, evicted: Entry?) {
        let entry = Entry(statement)
        // The cache keeps one statement for each SQL, even while it is borrowed. SQLite does not prepare an EXPLAIN
        // again when the schema changes.
        guard statistics.capacity > 0, !statement.isPreparedEachTime, statement.sql.utf8.count <= Self.longestText,
            sqlite3_stmt_isexplain(statement.handle) == 0
        else { return (entry, nil) }
        let hash = sql.quickHash
        guard find(sql, hash: hash) == Slot.none else { return (entry, nil) }
        var evicted: Entry?
        if statistics.count == statistics.capacity {
            evicted = remove(oldest)
            statistics.evictions += 1
        }
        let index = fill(Slot(entry: entry, hash: hash, next: chains[chain(of: hash)]))
        chains[chain(of: hash)] = index
        link(index)
        statistics.count += 1
        return (entry, evicted)
    }

    /// Puts a slot in the place of an empty one, or after the last.
    private mutating func fill(_ slot: Slot) -> Int {
        guard empty != Slot.none else {
            slots.append(slot)
            return slots.count - 1
        }
        let index = empty
        empty = slots[index].next
        slots[index] = slot
        return index
    }

    /// Returns a statement, which is reset and cannot be run with its values again. If it was evicted while it was borrowed, it is
    /// finalised with its entry.
    func `return`(_ entry: Entry) {
        let statement = entry.statement
        statement.rewind()
        statement.dropValues()
        entry.isBorrowed = false
    }

    /// Evicts all statements. Those that are borrowed are finalised when they are returned.
    ///
    /// - Returns: The entries, which the caller releases, as after ``insert(_:for:)``.
    mutating func removeAll() -> [Entry] {
        let (entries, statistics) = (slots.compactMap(\.entry), statistics)
        self = StatementCache(capacity: statistics.capacity)
        self.statistics = statistics
        self.statistics.count = 0
        return entries
    }

    private mutating func remove(_ index: Int) -> Entry? {
        let entry = slots[index].entry
        unlink(index)
        let chain = chain(of: slots[index].hash)
        if chains[chain] == index {
            chains[chain] = slots[index].next
        } else {
            var before = chains[chain]
            while slots[before].next != index { before = slots[before].next }
            slots[before].next = slots[index].next
        }
        slots[index] = Slot(entry: nil, hash: 0, next: empty)
        empty = index
        statistics.count -= 1
        return entry
    }

    private mutating func link(_ index: Int) {
        slots[index].older = newest
        if newest != Slot.none { slots[newest].newer = index } else { oldest = index }
        newest = index
    }

    private mutating func unlink(_ index: Int) {
        let (newer, older) = (slots[index].newer, slots[index].older)
        if newer != Slot.none { slots[newer].older = older } else { newest = older }
        if older != Slot.none { slots[older].newer = newer } else { oldest = newer }
        slots[index].newer = Slot.none
        slots[index].older = Slot.none
    }
}

/// The statistics of a connection's statement cache.
public struct StatementCacheStatistics: Hashable, Sendable {
    /// The maximum number of statements; 0 when the cache is off.
    public internal(set) var capacity: Int
    /// The number of statements in the cache.
    public internal(set) var count = 0
    /// The number of statements that were found in the cache.
    public internal(set) var hits = 0
    /// The number of statements that had to be prepared.
    public internal(set) var misses = 0
    /// The number of evicted statements.
    public internal(set) var evictions = 0
}
