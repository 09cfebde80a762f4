import SquallChanges
import Squall
import SquallTestSupport
import Testing

/// Values of others that are equal for SQLite, and have other bytes: they are kept, as any others.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct UndoEqualValueTests {
    /// A column with two values, and one that is equal to each of them.
    struct Kind: Sendable {
        let column: String
        let (first, second): (String, String)
        let (equalToFirst, equalToSecond): (String, String)

        init(_ column: String, _ first: String, _ second: String, equal equalToFirst: String, _ equalToSecond: String) {
            (self.column, self.first, self.second) = (column, first, second)
            (self.equalToFirst, self.equalToSecond) = (equalToFirst, equalToSecond)
        }
    }

    static let kinds = [
        Kind("TEXT COLLATE NOCASE", "'a'", "'b'", equal: "'A'", "'B'"),
        Kind("COLLATE RTRIM", "'a'", "'b '", equal: "'a '", "'b'"),
        Kind("TEXT COLLATE by_length", "'a'", "'bb'", equal: "'c'", "'cc'"),
        Kind("", "1", "2.0", equal: "1.0", "2"), Kind("BLOB", "0.0", "1", equal: "-0.0", "1.0"),
    ]

    private let directory: TemporaryDirectory
    private let database: Database
    /// The connection of another process.
    private let other: Connection

    init() throws {
        directory = try TemporaryDirectory()
        database = try Database(directory.file("a.db"), preparation: Self.addCollation)
        other = try Connection(directory.file("a.db"))
        try Self.addCollation(to: other)
    }

    @Sendable private static func addCollation(to connection: Connection) throws {
        try connection.addCollation("by_length") { (left: Span<UInt8>, right: Span<UInt8>) in
            left.count < right.count ? .orderedAscending : left.count > right.count ? .orderedDescending : .orderedSame
        }
    }

    /// Creates a table with the row 1, and begins a history.
    private func history(_ column: String, _ value: String, key: String = "INTEGER") throws -> UndoHistory {
        try write(
            """
            CREATE TABLE notes(id \(key) PRIMARY KEY, value \(column), size INTEGER);
            INSERT INTO notes VALUES(1, \(value), 1)
            """)
        return try UndoHistory(database)
    }

    private func write(_ sql: String) throws {
        try database.blocking.write { try $0.execute("\(raw: sql)") }
    }

    /// Requires that a step conflicts with what another connection writes, which is kept, and does not once it is written back.
    private func expectConflict(
        _ equal: String, _ expected: String, _ move: () throws -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let stored: SQL = "SELECT id || typeof(value) || quote(value) FROM notes"
        try other.execute("UPDATE notes SET value = \(raw: equal)")
        let rows: [String] = try other.query(stored)
        let error = try #require(throws: UndoConflictError.self, sourceLocation: sourceLocation) { _ = try move() }
        #expect(error.conflicts.map(\.kind) == [.data], sourceLocation: sourceLocation)
        #expect(error.conflicts[0].row?["size"] == .integer(1), sourceLocation: sourceLocation)
        #expect(try other.query(stored) == rows, sourceLocation: sourceLocation)
        try other.execute("UPDATE notes SET value = \(raw: expected)")
        #expect(try move(), sourceLocation: sourceLocation)
    }

    @Test(arguments: kinds) func anUpdate(_ kind: Kind) throws {
        let history = try history(kind.column, kind.first)
        try write("UPDATE notes SET value = \(kind.second)")
        try expectConflict(kind.equalToSecond, kind.second, history.blocking.undo)
        try expectConflict(kind.equalToFirst, kind.first, history.blocking.redo)
    }

    @Test(arguments: kinds) func anInsertedRow(_ kind: Kind) throws {
        let history = try history(kind.column, kind.first)
        try write("DELETE FROM notes")
        try write("INSERT INTO notes VALUES(2, \(kind.second), 1)")
        try expectConflict(kind.equalToSecond, kind.second, history.blocking.undo)
    }

    @Test(arguments: kinds) func aDeletedRow(_ kind: Kind) throws {
        let history = try history(kind.column, kind.second)
        try write("DELETE FROM notes")
        try history.blocking.undo()
        try expectConflict(kind.equalToSecond, kind.second, history.blocking.redo)
    }

    /// A conflict of SQLite is not reported twice.
    @Test func anotherValue() throws {
        let history = try history("TEXT COLLATE NOCASE", "'a'")
        try write("UPDATE notes SET value = 'b'")
        try expectConflict("'x'", "'b'", history.blocking.undo)
    }

    /// A column of the type BLOB can be a key.
    @Test func aKey() throws {
        let history = try history("TEXT", "'a'", key: "BLOB")
        try write("UPDATE notes SET value = 'b'")
        try other.execute("UPDATE notes SET id = 1.0")
        #expect(throws: UndoConflictError.self) { try history.blocking.undo() }
        try other.execute("UPDATE notes SET id = 1")
        #expect(try history.blocking.undo())
    }

    /// Columns that the step has not changed, and numbers that the type of their column makes one.
    @Test(arguments: [
        ("TEXT COLLATE NOCASE", "'a'", "'A'"), ("REAL COLLATE NOCASE", "1", "1.0"), ("NUMERIC", "1", "1.0"),
    ])
    func valuesThatAreNotAConflict(_ column: String, _ value: String, _ equal: String) throws {
        let history = try history(column, value)
        try write("UPDATE notes SET size = 2")
        try other.execute("UPDATE notes SET value = \(raw: equal)")
        #expect(try history.blocking.undo())
        #expect(try other.query("SELECT value = \(raw: equal) COLLATE BINARY FROM notes") == true)
        try write("DELETE FROM notes")
        try history.blocking.undo()
        if !column.hasPrefix("TEXT") { try other.execute("UPDATE notes SET value = \(raw: equal)") }
        #expect(try history.blocking.redo())
    }
}
