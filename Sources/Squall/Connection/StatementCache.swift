import SquallSQLite

/// The prepared statements that a connection keeps for SQL that it is given again, the least recently used leaving first.
///
/// Preparing costs several times what a look-up by key does (3.8 µs against 0.5 µs, measured in C).
@usableFromInline
struct StatementCache {
    /// Longer SQL is prepared each time: it is rarely given twice, and is large to keep.
    private static let longestText = 16_384

    private(set) var statistics: StatementCacheStatistics
    /// Chains of entries, by the low bits of the quick hashes of their texts. Hashing these anew, as a `Dictionary` does, took
    /// a third of what a miss costs beside SQLite.
    private var chains: [Entry?]
    // The chains own the entries. This list of them in the order of their use does not: an entry is unlinked from it before
    // its chain releases it.
    private unowned(unsafe) var newest: Entry?
    private unowned(unsafe) var oldest: Entry?

    init(capacity: Int) {
        statistics = StatementCacheStatistics(capacity: max(0, capacity))
        var size = 1
        while size < min(statistics.capacity, 1 << 16) { size *= 2 }
        chains = Array(repeating: nil, count: size)
    }

    /// A statement and its place in the order of use.
    @usableFromInline
    final class Entry {
        @usableFromInline let statement: Statement
        fileprivate let hash: UInt64
        var isLent = false
        fileprivate var next: Entry?
        fileprivate unowned(unsafe) var newer: Entry?
        fileprivate unowned(unsafe) var older: Entry?

        init(_ statement: Statement, hash: UInt64) {
            self.statement = statement
            self.hash = hash
        }
    }

    /// Lends the statement for some SQL, if it is here and not lent already.
    mutating func lend(_ sql: SQL) -> Entry? {
        // In a loop it is mostly the one that was lent last.
        var found = newest
        if let entry = found, !sql.hasText(entry.statement.sql) { found = find(sql, hash: sql.quickHash) }
        guard let entry = found, !entry.isLent else {
            statistics.misses += 1
            return nil
        }
        statistics.hits += 1
        entry.isLent = true
        if entry !== newest {
            unlink(entry)
            link(entry)
        }
        return entry
    }

    @inline(never)
    private func find(_ sql: SQL, hash: UInt64) -> Entry? {
        var entry = chains[chain(of: hash)]
        while let candidate = entry, candidate.hash != hash || !sql.hasText(candidate.statement.sql) {
            entry = candidate.next
        }
        return entry
    }

    private func chain(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash & UInt64(chains.count - 1))
    }

    /// Lends a statement that was prepared because there was none to lend, and keeps it from now on.
    mutating func insert(_ statement: Statement, for sql: SQL) -> Entry {
        let entry = Entry(statement, hash: sql.quickHash)
        entry.isLent = true
        // One that is lent already stays the one that is kept. EXPLAIN is not prepared again when the schema changes.
        guard statistics.capacity > 0, !statement.changesSettings, statement.sql.utf8.count <= Self.longestText,
            sqlite3_stmt_isexplain(statement.handle) == 0, find(sql, hash: entry.hash) == nil
        else { return entry }
        let chain = chain(of: entry.hash)
        entry.next = chains[chain]
        chains[chain] = entry
        link(entry)
        statistics.count += 1
        if statistics.count > statistics.capacity { evict() }
        return entry
    }

    /// Takes a statement back, without its values. One that has left the cache in the meantime is finalised.
    func giveBack(_ entry: Entry) {
        let statement = entry.statement
        statement.rewind()
        statement.clear()
        entry.isLent = false
    }

    /// Finalises the statements that are not in use, and forgets those that are.
    mutating func removeAll() {
        while let entry = oldest { remove(entry) }
    }

    private mutating func evict() {
        guard let entry = oldest else { return }
        remove(entry)
        statistics.evictions += 1
    }

    private mutating func remove(_ entry: Entry) {
        unlink(entry)
        let chain = chain(of: entry.hash)
        if chains[chain] === entry {
            chains[chain] = entry.next
        } else {
            var before = chains[chain]
            while let candidate = before, candidate.next !== entry { before = candidate.next }
            before?.next = entry.next
        }
        entry.next = nil
        statistics.count -= 1
    }

    private mutating func link(_ entry: Entry) {
        entry.older = newest
        newest?.newer = entry
        newest = entry
        if oldest == nil { oldest = entry }
    }

    private mutating func unlink(_ entry: Entry) {
        if oldest === entry { oldest = entry.newer }
        if newest === entry { newest = entry.older }
        entry.older?.newer = entry.newer
        entry.newer?.older = entry.older
        entry.newer = nil
        entry.older = nil
    }
}

/// What the statement cache of a connection has done.
public struct StatementCacheStatistics: Hashable, Sendable {
    /// How many statements it keeps at most; 0 when it is off.
    public internal(set) var capacity: Int
    /// How many it keeps now.
    public internal(set) var count = 0
    /// How often a statement was there.
    public internal(set) var hits = 0
    /// How often one had to be prepared.
    public internal(set) var misses = 0
    /// How many had to leave for another.
    public internal(set) var evictions = 0
}
