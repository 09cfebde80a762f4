import Foundation
import Squall

/// Small databases with one table of each kind.
enum FileSeeds {
    static let schema: SQL = """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, name TEXT NOT NULL, score REAL, bytes BLOB, made TEXT, kind);
        CREATE INDEX notes_name ON notes(name);
        CREATE INDEX notes_score ON notes(score DESC) WHERE score > 0;
        CREATE TABLE pairs(key TEXT COLLATE NOCASE, value, PRIMARY KEY(key)) WITHOUT ROWID;
        CREATE VIEW titles AS SELECT id, upper(name) AS title, score + 1 AS more FROM notes;
        CREATE TRIGGER counted AFTER INSERT ON notes BEGIN INSERT OR IGNORE INTO pairs VALUES(new.name, new.id); END;
        """

    static let rows: SQL = """
        INSERT INTO notes VALUES
            (1, 'one', 1.5, x'00ff', '2026-11-21T20:15:00.000', 'a'), (2, '', -0.0, x'', '2026-11-21 20:15Z', 7),
            (3, 'Ää' || char(0) || '🙂', 9e999, '{"a": [1, 2.5, null, "x"]}', '1969-12-31', 2.25),
            (4, 'four', NULL, zeroblob(900), NULL, x'01'), (5, CAST(x'61ffc328' AS TEXT), 5, 'text', 1700000000, NULL),
            (9223372036854775807, 'last', 1e-300, x'31', '9999-12-31T24:00', -9223372036854775808);
        INSERT OR REPLACE INTO pairs VALUES('KEY', 'value'), ('one', 1), ('z', zeroblob(600));
        """

    /// - Throws: ``SQLiteError``.
    static func all() throws -> [String: [UInt8]] {
        [
            "rows": try file("PRAGMA page_size = 512"),
            "utf16": try file("PRAGMA page_size = 512; PRAGMA encoding = 'UTF-16'"),
            "vacuumed": try file(
                "PRAGMA page_size = 1024; PRAGMA auto_vacuum = FULL", then: "DELETE FROM notes WHERE id > 3"),
            "log": try file("PRAGMA page_size = 512; PRAGMA journal_mode = WAL"),
            "empty": try file("PRAGMA page_size = 512", then: "DELETE FROM notes; DELETE FROM pairs"), "nothing": [],
        ]
    }

    private static func file(_ settings: SQL, then script: SQL = "") throws -> [UInt8] {
        let path = try InputDirectory.shared.write([], to: "seed.db")
        let connection = try Connection(path, configuration: .sqlite)
        try connection.execute(settings)
        try connection.execute(schema)
        try connection.execute(rows)
        try connection.execute(script)
        connection.close()
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
