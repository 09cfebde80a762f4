/// The prepared statements of a connection by their SQL. The one that was used longest ago is evicted first.
struct StatementCache {
    private struct Entry {
        let statement: PreparedStatement
        let facts: StatementFacts
        var lastUse: UInt64
    }

    /// SQL that is compared by its bytes: SQLite does not treat equivalent characters as equal.
    private struct Key: Hashable {
        let sql: String

        static func == (left: Key, right: Key) -> Bool { left.sql.utf8.elementsEqual(right.sql.utf8) }

        func hash(into hasher: inout Hasher) {
            var sql = sql
            sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    private let capacity: Int

    /// Makes a cache of at least one statement.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    var count: Int { entries.count }

    mutating func statement(for sql: String) -> (PreparedStatement, StatementFacts)? {
        uses += 1
        guard let index = entries.index(forKey: Key(sql: sql)) else { return nil }
        entries.values[index].lastUse = uses
        return (entries.values[index].statement, entries.values[index].facts)
    }

    /// Adds a statement.
    mutating func insert(_ statement: PreparedStatement, facts: StatementFacts, for sql: String) {
        uses += 1
        entries[Key(sql: sql)] = Entry(statement: statement, facts: facts, lastUse: uses)
    }

    /// Removes the statement that must make room for another; `nil` if there is room.
    mutating func evict() -> PreparedStatement? {
        guard entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return nil }
        return remove(oldest.key.sql)
    }

    mutating func removeAll() {
        entries = [:]
    }

    mutating func remove(_ sql: String) -> PreparedStatement? {
        entries.removeValue(forKey: Key(sql: sql))?.statement
    }
}
