import SquallChanges
import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// What the library runs itself fits the limits of `Configuration.untrusted`.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct TightLimitTests {
    private static let schema = """
        CREATE TABLE a(id INTEGER PRIMARY KEY, name TEXT, v);
        CREATE TABLE wide(a TEXT, b TEXT, c TEXT, d TEXT, e TEXT, f TEXT, g TEXT, h TEXT, i TEXT, j TEXT, k TEXT, l TEXT, v,
            PRIMARY KEY(a, b, c, d, e, f, g, h, i, j, k, l));
        CREATE TABLE child(id INTEGER PRIMARY KEY, a INTEGER REFERENCES a ON DELETE CASCADE,
            x TEXT, y TEXT, z TEXT, u TEXT, FOREIGN KEY(x, y, z, u) REFERENCES parent(x, y, z, u) ON UPDATE CASCADE);
        CREATE TABLE parent(x TEXT, y TEXT, z TEXT, u TEXT, v, PRIMARY KEY(x, y, z, u));
        INSERT INTO a VALUES(1, 'one', 1), (2, 'two', 2); INSERT INTO parent VALUES('x', 'y', 'z', 'u', 1);
        INSERT INTO child VALUES(1, 1, 'x', 'y', 'z', 'u'), (2, 2, NULL, NULL, NULL, NULL);
        """
    private static let change: SQL = """
        UPDATE a SET v = 3, name = 'tone' WHERE id = 1; DELETE FROM a WHERE id = 2; INSERT INTO a VALUES(3, 'three', 4);
        INSERT INTO wide VALUES('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 1);
        UPDATE parent SET u = 'U', v = 2;
        """

    private static func rows(_ connection: Connection) throws -> [String] {
        try ["a", "wide", "child", "parent"].flatMap { table in
            try connection.query("SELECT * FROM \(name: table)", as: Row.self).map { "\(table) \($0.quotedText)" }
                .sorted()
        }
    }

    private static func connection(_ more: String = "") throws -> Connection {
        let connection = try Connection()
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.execute("\(raw: schema + more)")
        connection.limits = .untrusted
        return connection
    }

    @Test func changesAreRecordedAppliedAndCompared() throws {
        let (source, twin) = (try Self.connection(), try Self.connection())
        let before = try Self.rows(source)
        let changes = try source.recordChanges { try $0.execute(Self.change) }
        try twin.apply(changes)
        #expect(try Self.rows(twin) == Self.rows(source))
        try twin.apply(changes, options: [.inverted, .withoutTriggers])
        #expect(try Self.rows(twin) == before)
    }

    @Test func stepsAreUndoneAndRedone() throws {
        let database = try Database(":memory:", configuration: .recommended)
        try database.blocking.writeWithoutTransaction {
            try $0.execute("\(raw: Self.schema)")
            $0.limits = .untrusted
        }
        let history = try UndoHistory(database, tables: ["a", "wide", "child", "parent"])
        let before = try database.blocking.read { try Self.rows($0) }
        try history.blocking.write("Change") { try $0.execute(Self.change) }
        let after = try database.blocking.read { try Self.rows($0) }
        try history.blocking.undo()
        #expect(try database.blocking.read { try Self.rows($0) } == before)
        try history.blocking.redo()
        #expect(try database.blocking.read { try Self.rows($0) } == after)
    }

    @Test(arguments: [SyncLog.Role.hub, .peer]) func changesAreMerged(_ role: SyncLog.Role) throws {
        let policy: SyncLog.Policy = role == .hub ? .hubWins : .lastWriter(by: "v")
        let tables = ["a": policy, "wide": policy, "parent": policy]
        let writer = try SyncReplica("one", role: role == .hub ? .replica : .peer, schema: Self.schema, tables: tables)
        let reader = try SyncReplica("two", role: role, schema: Self.schema, tables: tables)
        for replica in [writer, reader] { replica.connection.limits = .untrusted }
        try writer.record(
            """
            UPDATE a SET v = 3, name = 'tone' WHERE id = 1; INSERT INTO a VALUES(3, 'three', 4);
            INSERT INTO wide VALUES('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 1); UPDATE parent SET v = 2
            """)
        try reader.pull(writer)
        try writer.pull(reader)
        #expect(try Self.rows(reader.connection) == Self.rows(writer.connection))
        try writer.record("UPDATE wide SET v = 2; DELETE FROM a WHERE id = 3")
        try reader.pull(writer)
        #expect(try Self.rows(reader.connection) == Self.rows(writer.connection))
    }

    @Test func aLogIsMade() throws {
        let connection = try Self.connection()
        let tables: [String: SyncLog.Policy] = ["a": .hubWins, "wide": .hubWins]
        let log = try SyncLog(connection, origin: "one", role: .replica, tables: tables)
        try log.record(on: connection) { try $0.execute("UPDATE a SET v = 3; UPDATE wide SET v = 4") }
        #expect(try !log.changes(on: connection).isEmpty)
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch && SQLiteFeatures.spatialTables)) func indexesFollow() throws {
        let connection = try Self.connection()
        let table = SearchTableDefinition("words", of: .init(table: "a", rowID: "id"), columns: "name", "v")
        let boxes = SpatialTable("boxes", dimensions: "x", "y", "z")
        try connection.create(table)
        try connection.create(boxes)
        try connection.createTriggers(for: boxes, following: "a", bounds: [("v", "v"), ("v", "v"), ("v", "v")])
        let before = try Self.rows(connection)
        let changes = try connection.recordChanges(in: "a", "wide", "child", "parent") { try $0.execute(Self.change) }
        try connection.apply(changes, options: [.inverted, .withoutTriggers])
        #expect(try Self.rows(connection) == before)
        try connection.integrityCheck(table)
        #expect(try connection.integrityCheck(of: boxes) == [])
        #expect(try connection.searchTableInfo("words") == table)
        try connection.rebuild(table)
        try connection.drop(table)
    }

    @Test func aDifference() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("other.db")
        do {
            let other = try Connection(path)
            try other.execute("\(raw: Self.schema)")
            try other.execute(Self.change)
        }
        let connection = try Self.connection()
        connection.limits[.attached] = 1
        #expect(try !connection.difference(from: path).isEmpty)
    }
}
