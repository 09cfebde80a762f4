import Foundation
import Squall
import Testing

/// Changes of random statements, applied elsewhere, taken back and combined.
struct RandomHistoryTests {
    static let schema = """
        CREATE TABLE a(id INTEGER PRIMARY KEY, t TEXT, b BLOB, r REAL, n);
        CREATE TABLE c(x TEXT, y INTEGER, v, w, PRIMARY KEY(y, x));
        CREATE TABLE w(k BLOB, v, x INTEGER, PRIMARY KEY(k, x)) WITHOUT ROWID;
        """

    static func connection(_ more: String = "") throws -> Connection {
        let connection = try Connection()
        try connection.execute("\(raw: schema + more)")
        return connection
    }

    static func value(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: "NULL"
        case 1...3: "\(Int.random(in: -3...3, using: &random))"
        case 4: "\(Double(Int.random(in: -9...9, using: &random)) / 2)"
        case 5: "x'\(String(repeating: "0f", count: Int.random(in: 0...4, using: &random)))'"
        case 6: "9223372036854775807"
        case 7: "'a' || char(0) || 'ä'"
        case 8: "''"
        default: "'\(random.pick(["a", "b", "it''s"]))'"
        }
    }

    /// A statement that changes a few rows.
    static func statement(_ random: inout SeededGenerator) -> String {
        let number = Int.random(in: 1...6, using: &random)
        let (first, second) = (value(&random), value(&random))
        let text = "'\(random.pick(["p", "q", "r"]))'"
        switch Int.random(in: 0..<12, using: &random) {
        case 0...1: return "INSERT OR REPLACE INTO a VALUES(\(number), \(first), \(second), \(number), \(first))"
        case 2: return "UPDATE a SET n = \(first) WHERE id = \(number)"
        case 3: return "UPDATE OR REPLACE a SET id = id + 1, t = \(second) WHERE id >= \(number)"
        case 4: return "DELETE FROM a WHERE id = \(number)"
        case 5...6: return "INSERT OR REPLACE INTO c VALUES(\(text), \(number), \(first), \(second))"
        case 7: return "UPDATE OR IGNORE c SET x = \(text), v = \(first) WHERE y = \(number)"
        case 8: return "DELETE FROM c WHERE x = \(text)"
        case 9: return "INSERT OR IGNORE INTO w VALUES(\(text), \(first), \(number))"
        case 10: return "UPDATE OR IGNORE w SET v = \(first), x = \(number) WHERE k = \(text)"
        default: return "DELETE FROM w WHERE x < \(number) - 2"
        }
    }

    static func change(_ connection: Connection, _ count: Int, _ random: inout SeededGenerator) throws {
        for _ in 0..<count { try connection.run(SQL(raw: statement(&random))) }
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

extension RandomHistoryTests {
    /// The path of a Python that has apsw: `SQUALL_APSW=python3 swift test --filter RandomHistoryTests`, after `pip install apsw`.
    private static let python = ProcessInfo.processInfo.environment["SQUALL_APSW"]

    /// Another binding of SQLite's sessions records the same changes.
    @Test(.enabled(if: python != nil)) func apswRecordsTheSameChanges() throws {
        var histories: [[String]] = [], recorded: [Set<String>] = []
        for seed in 0..<1_000 {
            var random = SeededGenerator(seed: seed)
            let (first, second) = (
                (0..<8).map { _ in Self.statement(&random) }, (0..<8).map { _ in Self.statement(&random) }
            )
            let before = Self.schema + first.joined(separator: ";")
            histories.append([before, second.joined(separator: ";")])
            let connection = try Connection()
            try connection.execute(SQL(raw: before))
            let changes = try connection.recordChanges { try $0.execute(SQL(raw: histories[seed][1])) }
            recorded.append(try Self.descriptions(changes))
        }
        let folder = try TemporaryDirectory()
        try JSONEncoder().encode(histories).write(to: URL(filePath: folder.file("histories.json")))
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Scripts/apsw-changes.py")
        let run = try TestProcess(
            path: "/usr/bin/env", [Self.python ?? "python3", script.path, folder.file("histories.json")],
            withErrors: true)
        let (output, code) = try run.end()
        #expect(code == 0, "\(output.prefix(1_000))")
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count == histories.count)
        for (seed, line) in lines.enumerated() {
            #expect(try Self.descriptions(Changeset(Data(hexadecimal: line))) == recorded[seed], "seed \(seed)")
        }
    }

    /// The changes, without the names of columns, in no order.
    private static func descriptions(_ changes: Changeset) throws -> Set<String> {
        try Set(Changeset(changes.data).elements.map { "\($0)" })
    }
}

extension Data {
    fileprivate init(hexadecimal text: Substring) {
        self.init()
        var first: Int?
        for digit in text.compactMap(\.hexDigitValue) {
            if let high = first { append(UInt8(high * 16 + digit)) }
            first = first == nil ? digit : nil
        }
    }
}

extension Connection {
    /// The changes that make another database equal to this one, of tables that are empty there.
    fileprivate func difference(to other: Connection) throws -> Changeset {
        let path = ":memory:"
        try execute(
            "ATTACH \(path) AS empty; \(raw: RandomHistoryTests.schema.replacing("TABLE ", with: "TABLE empty."))")
        defer { try? execute("DETACH empty") }
        return try difference(fromAttached: "empty")
    }
}
