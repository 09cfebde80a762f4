import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Changes of random statements, applied elsewhere, taken back and combined.
struct RandomHistoryTests {
    static func connection(_ more: String = "") throws -> Connection {
        let connection = try Connection()
        try connection.execute("\(raw: RandomChanges.schema + more)")
        return connection
    }

    static func change(_ connection: Connection, _ count: Int, _ random: inout SeededGenerator) throws {
        for _ in 0..<count { try connection.run(SQL(raw: RandomChanges.statement(&random))) }
    }

    /// All rows, without columns that were added later.
    static func dump(_ connection: Connection) throws -> [String] {
        try connection.query(
            """
            SELECT 'a' || quote(id) || quote(t) || quote(b) || quote(r) || quote(n) || hex(t) FROM a
            UNION ALL SELECT 'c' || quote(x) || quote(y) || quote(v) || quote(w) || hex(v) FROM c WHERE x IS NOT NULL
            UNION ALL SELECT 'w' || quote(k) || quote(v) || quote(x) || hex(v) FROM w ORDER BY 1
            """)
    }

    @Test(.enabled(if: SQLiteFeatures.sessions), arguments: 0..<20) func changesAppliedElsewhere(_ part: Int) throws {
        for round in 0..<Rounds.of(500) {
            let seed = part * 500 + round
            var random = SeededGenerator(seed: seed)
            // The other database has columns more, at the end, and a renamed one.
            let other = try Self.connection(
                round % 5 == 0 ? "ALTER TABLE c ADD COLUMN more DEFAULT 1; ALTER TABLE w ADD COLUMN more;" : "")
            let connection = try Self.connection()
            try Self.change(connection, 6, &random)
            try other.apply(connection.difference(to: other))
            let start = try Self.dump(connection)
            #expect(try Self.dump(other) == start, "seed \(seed)")

            let first = try connection.recordChanges { try Self.change($0, 4, &random) }
            let middle = try Self.dump(connection)
            let patch = try connection.startRecording()
            let second = try connection.recordChanges { try Self.change($0, 4, &random) }
            let end = try Self.dump(connection)

            // One after the other, and as one.
            try other.apply(first)
            #expect(try Self.dump(other) == middle, "seed \(seed)")
            try other.apply(patch.patchset())
            #expect(try Self.dump(other) == end, "seed \(seed)")
            try other.apply(second.inverted())
            #expect(try Self.dump(other) == middle, "seed \(seed)")
            try other.apply(first, options: .inverted)
            #expect(try Self.dump(other) == start, "seed \(seed)")
            let both = try first.appending(second)
            try other.apply(both)
            #expect(try Self.dump(other) == end, "seed \(seed)")
            #expect(try both.inverted().inverted().elements.count == both.elements.count, "seed \(seed)")
            try other.apply(both.inverted())
            #expect(try Self.dump(other) == start, "seed \(seed)")
        }
    }
}

extension Connection {
    /// The changes that make another database equal to this one, of tables that are empty there.
    fileprivate func difference(to other: Connection) throws -> Changeset {
        let path = ":memory:"
        try execute(
            "ATTACH \(path) AS empty; \(raw: RandomChanges.schema.replacing("TABLE ", with: "TABLE empty."))")
        defer { try? execute("DETACH empty") }
        return try difference(fromAttached: "empty")
    }
}
