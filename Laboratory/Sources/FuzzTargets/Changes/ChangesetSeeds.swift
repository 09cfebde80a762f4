import SquallChanges
import Foundation
import Squall

/// Tables with keys of every kind, and changes of them.
enum ChangesetSeeds {
    private static let schema: SQL = """
        CREATE TABLE a(id INTEGER PRIMARY KEY, t TEXT, b BLOB, r REAL, n UNIQUE);
        CREATE TABLE c(x TEXT, y INTEGER, v, w CHECK (w IS NOT 7), PRIMARY KEY(y, x));
        CREATE TABLE w(k BLOB, v, x INTEGER REFERENCES a, PRIMARY KEY(k, x)) WITHOUT ROWID;
        INSERT INTO a VALUES(1, 'one', x'00ff', 1.5, NULL), (2, '', x'', -1, 2), (3, NULL, NULL, NULL, 'n');
        INSERT INTO c VALUES('x', 1, 'v', 1), ('y', 1, 2, NULL), ('x', 2, x'31', 2.5);
        INSERT INTO w VALUES('k', 'v', 1), (x'00', NULL, 2);
        """

    private static let changes: [String: SQL] = [
        "insert":
            "INSERT INTO a VALUES(4, 'four', x'0102', 4.5, 4); INSERT INTO c VALUES('z', 9, 'v' || char(0), NULL)",
        "update": "UPDATE a SET t = 'changed', r = r + 1 WHERE id < 3; UPDATE w SET v = 5 WHERE k = 'k'",
        "delete": "DELETE FROM w; DELETE FROM c WHERE y = 1",
        "keys": "UPDATE c SET y = y + 10; UPDATE a SET id = id + 10 WHERE id = 3",
        "all":
            "DELETE FROM w WHERE x = 1; UPDATE a SET n = n || 'x'; INSERT INTO a(id, t) VALUES(5, 'ä'); DELETE FROM c",
    ]

    /// The bytes of the changes are not `Data`, whose tagged pointers the leak checker does not follow.
    private nonisolated(unsafe) static var made: (Connection, intact: [UInt8])?

    /// Returns a database, which each input leaves as it is, and changes that fit it. Targets run on one thread.
    static func databases() throws -> (before: Connection, intact: Changeset) {
        if let made { return (made.0, Changeset(Data(made.intact))) }
        let before = try database()
        let intact = try recorded("UPDATE a SET t = 'one' WHERE id = 2; DELETE FROM c WHERE x = 'y'")
        made = (before, Array(intact.data))
        return (before, intact)
    }

    private static func database() throws -> Connection {
        let connection = try Connection(":memory:")
        try connection.execute(schema)
        return connection
    }

    private static func recorded(_ script: SQL) throws -> Changeset {
        try database().recordChanges { try $0.execute(script) }
    }

    /// All rows, as the bytes of a text, which may not be UTF-8.
    static func dump(_ connection: Connection) throws -> [Data] {
        try connection.query(
            """
            SELECT CAST('a' || quote(id) || quote(t) || quote(b) || quote(r) || quote(n) || hex(t) AS BLOB) FROM a
            UNION ALL SELECT CAST('c' || quote(x) || quote(y) || quote(v) || quote(w) || hex(v) AS BLOB) FROM c
            UNION ALL SELECT CAST('w' || quote(k) || quote(v) || quote(x) || hex(v) AS BLOB) FROM w ORDER BY 1
            """)
    }

    static func all() throws -> [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for (name, script) in changes {
            seeds[name] = try [1, 6] + Array(recorded(script).data)
            seeds[name + "-patch"] = try [2, 0] + Array(database().recordPatchset { try $0.execute(script) }.data)
        }
        return seeds
    }
}
