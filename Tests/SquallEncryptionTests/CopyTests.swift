import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

@Suite(.enabled(if: EncryptedFolder.hasCipher), .timeLimit(.minutes(1))) struct CopyTests {
    private let folder: EncryptedFolder

    init() throws {
        folder = try EncryptedFolder()
    }

    /// The encryptions of sources and copies, by a name for the arguments of tests.
    private static func encryption(_ name: String) -> Encryption? {
        switch name {
        case "raw": .rawKey([UInt8](repeating: 1, count: 32))
        case "passphrase": EncryptedFolder.passphrase("secret")
        case "large pages":
            {
                var encryption = Encryption.rawKey([UInt8](repeating: 3, count: 32))
                encryption.parameters.pageSize = 8_192
                return encryption
            }()
        case "SQLCipher 3":
            {
                var encryption = EncryptedFolder.passphrase("secret")
                encryption.parameters.compatibility = .sqlCipher3
                return encryption
            }()
        case "header in clear":
            {
                var encryption = Encryption.rawKey([UInt8](repeating: 4, count: 32))
                encryption.parameters.plaintextHeaderSalt = [UInt8](repeating: 5, count: 16)
                return encryption
            }()
        default: nil
        }
    }

    private static let names = ["plain", "raw", "passphrase", "large pages", "SQLCipher 3", "header in clear"]

    private func configuration(_ name: String) -> Configuration {
        var configuration = Configuration.recommended
        configuration.encryption = Self.encryption(name)
        return configuration
    }

    /// A collation and a function that the schema uses.
    private static let preparation: @Sendable (Connection) throws -> Void = { connection in
        try connection.addCollation("backwards") { one, other in
            let (one, other) = (String(one.reversed()), String(other.reversed()))
            return one == other ? .orderedSame : one < other ? .orderedAscending : .orderedDescending
        }
    }

    private func open(_ path: String, _ name: String) throws -> Database {
        try Database(path, configuration: configuration(name), preparation: Self.preparation)
    }

    private static let content: SQL = #"""
        PRAGMA user_version = 77;
        PRAGMA application_id = 1234567;
        CREATE TABLE plain(a, b TEXT DEFAULT 'it''s');
        INSERT INTO plain(rowid, a, b) VALUES(-5, 1, 'x'), (7, x'00ff00', 'nul' || char(0) || 'nul'), (9223372036854775807, NULL, 'ä€😀');
        CREATE TABLE "rowid taken"("rowid" TEXT, "_ROWID_" TEXT);
        INSERT INTO "rowid taken"(oid, "rowid", "_ROWID_") VALUES(3, 'c', 'd'), (9, 'e', 'f');
        CREATE TABLE "all ""taken"""(rowid, _rowid_, oid);
        INSERT INTO "all ""taken""" VALUES(1, 2, 3);
        CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT);
        INSERT INTO counted VALUES(5, 'five'), (50, 'fifty');
        DELETE FROM counted WHERE id = 50;
        CREATE TABLE keyed(one TEXT COLLATE NOCASE, two, PRIMARY KEY(one, two)) WITHOUT ROWID;
        INSERT INTO keyed VALUES('b', 1), ('A', 2), ('a', 1);
        CREATE TABLE descending(id INTEGER PRIMARY KEY DESC, v);
        INSERT INTO descending(rowid, id, v) VALUES(10, 3, 'x'), (20, 1, 'y');
        CREATE TABLE generated(a INTEGER, twice AS (a * 2), stored TEXT AS ('s' || a) STORED, z REAL UNIQUE);
        INSERT INTO generated(rowid, a, z) VALUES(4, 1, 1), (8, 2, 2.5);
        CREATE TABLE strict(i INTEGER, r REAL, t TEXT, b BLOB, any ANY) STRICT;
        INSERT INTO strict VALUES(1, 2, '3', x'04', '005');
        CREATE TABLE parent(id INTEGER PRIMARY KEY);
        CREATE TABLE child(parent REFERENCES parent, positive CHECK(positive > 0));
        PRAGMA foreign_keys = OFF;
        PRAGMA ignore_check_constraints = ON;
        INSERT INTO child(rowid, parent, positive) VALUES(2, 99, -1);
        CREATE INDEX "by ""b""" ON plain(b COLLATE backwards) WHERE b IS NOT NULL;
        CREATE UNIQUE INDEX expression ON counted(upper(text));
        CREATE VIEW seen AS SELECT a, b FROM plain;
        CREATE TABLE fired(n);
        CREATE TRIGGER first AFTER INSERT ON counted BEGIN INSERT INTO fired VALUES(1); END;
        CREATE TRIGGER second AFTER INSERT ON counted BEGIN INSERT INTO fired VALUES(2); END;
        ANALYZE;
        """#

    private static let hasModules = (try? Connection().execute("CREATE VIRTUAL TABLE t USING fts5(x)")) != nil

    /// Tables of modules that a library may lack.
    private static let modules: SQL = """
        CREATE VIRTUAL TABLE search USING fts5(title, body, prefix = '2');
        INSERT INTO search(rowid, title, body) VALUES(3, 'one title', 'a body'), (77, 'other', 'needle in a haystack');
        CREATE VIRTUAL TABLE outer_search USING fts5(text, content = counted, content_rowid = id);
        INSERT INTO outer_search(outer_search) VALUES('rebuild');
        CREATE VIRTUAL TABLE places USING rtree(id, x0, x1, y0, y1);
        INSERT INTO places VALUES(1, 0, 1, 0, 1), (6, 5, 6, 7, 8);
        """

    /// The schema and all rows with their rowids, as SQL would write them.
    private static func rows(of connection: Connection) throws -> [String] {
        var lines: [String] = try connection.query(
            "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '-') FROM sqlite_schema ORDER BY type, name"
        )
        for pragma in ["user_version", "application_id", "auto_vacuum", "encoding"] {
            let value: String = try connection.query(
                "SELECT CAST(\(raw: pragma) AS TEXT) FROM \(raw: "pragma_\(pragma)")")
            lines.append("\(pragma) \(value)")
        }
        let tables: [(String, Bool)] = try connection.query(
            "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type <> 'view' ORDER BY name",
            as: (String, Bool).self)
        for (table, isWithoutRowID) in tables where !table.hasPrefix("sqlite_schema") {
            let columns: [String] = try connection.query(
                "SELECT name FROM pragma_table_xinfo(\(table)) WHERE hidden <> 1")
            let taken = Set(columns.map { $0.lowercased() })
            let rowID = isWithoutRowID ? nil : ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
            let list = ([rowID].compactMap(\.self) + columns).map { "quote(\"\($0)\") || typeof(\"\($0)\")" }
            let rows: [String] = try connection.query(
                "SELECT \(raw: list.joined(separator: " || ',' || ")) FROM \(name: table) ORDER BY 1")
            lines += rows.map { "\(table): \($0)" }
        }
        guard hasModules else { return lines }
        lines += try connection.query("SELECT title FROM search WHERE search MATCH 'needle'") as [String]
        lines += (try connection.query("SELECT id FROM places WHERE x0 > 4") as [Int]).map { "\($0)" }
        return lines
    }

    private func makeSource(_ name: String, _ encoding: String = "UTF-8", autoVacuum: Int = 0) async throws -> Database
    {
        let path = name == "memory" ? ":memory:" : folder.file("source.db")
        if name != "memory" {
            var sqlite = Configuration.sqlite
            sqlite.encryption = Self.encryption(name)
            let sql =
                "PRAGMA encoding = '\(encoding)'; PRAGMA auto_vacuum = \(autoVacuum); CREATE TABLE made(x); DROP TABLE made"
            try Connection(path, configuration: sqlite).execute(SQL(raw: sql))
        }
        let database = try open(path, name)
        try await database.writeWithoutTransaction { connection in
            try connection.execute(Self.content)
            if Self.hasModules { try connection.execute(Self.modules) }
        }
        return database
    }

    @Test(arguments: names + ["memory"], names) func aCopyHasAll(_ source: String, _ copy: String) async throws {
        let database = try await makeSource(source, "UTF-16le", autoVacuum: 2)
        do {
            try await database.copy(to: folder.file("copy.db"), encryption: Self.encryption(copy))
        } catch let error as SQLiteError where error.problem(EncryptionProblem.self) == .headerInClear {
            #expect(SQLiteLibrary.cipher?.name != "SQLCipher")
            #expect(copy == "header in clear" && Self.encryption(source) != nil)
            return
        }
        let expected = try await database.read { try Self.rows(of: $0) }
        #expect(expected.count > 50)
        let opened = try open(folder.file("copy.db"), copy)
        let found = try await opened.read { try Self.rows(of: $0) }
        #expect(try await opened.read { try $0.query("PRAGMA integrity_check") } == "ok")
        #expect(found.filter { !expected.contains($0) } == [])
        #expect(found.count == expected.count)
        // Both triggers run, in their order.
        for database in [database, opened] {
            let fired: [Int] = try await database.write { connection in
                try connection.run("INSERT INTO counted(text) VALUES('new')")
                return try connection.query("SELECT n FROM fired ORDER BY rowid")
            }
            #expect(fired.sorted() == [1, 2])
            #expect(try await database.read { try $0.query("SELECT max(id) FROM counted") } == 51)
        }
    }

    @Test func aFileThatExistsIsNotOverwritten() async throws {
        let database = try await makeSource("raw")
        for name in ["text", "database", "encrypted"] {
            switch name {
            case "text": try Data("text".utf8).write(to: URL(filePath: folder.file(name)))
            case "database": try Connection(folder.file(name)).execute("CREATE TABLE t(x)")
            default: try folder.makeFile(configuration("raw"), in: name)
            }
            let before = try Data(contentsOf: URL(filePath: folder.file(name)))
            for encryption in [nil, Self.encryption("raw"), Self.encryption("passphrase")] {
                do {
                    try await database.copy(to: folder.file(name), encryption: encryption)
                    Issue.record("a copy was written to \(name)")
                } catch let error as SQLiteError {
                    #expect(error.kind == .problem(FileProblem.exists, of: .file(folder.file(name))))
                }
            }
            #expect(try Data(contentsOf: URL(filePath: folder.file(name))) == before)
        }
        // An empty file is one that the program has made for it, as with other permissions.
        try Data().write(to: URL(filePath: folder.file("empty")))
        try await database.copy(to: folder.file("empty"), encryption: nil)
        #expect(try Connection(folder.file("empty")).query("SELECT count(*) FROM keyed") == 3)
    }

    @Test func aCopyThatFailsLeavesNoFile() async throws {
        let database = try await makeSource("raw")
        struct Refused: Error {}
        for encryption in [Encryption.passphrase { () -> String in throw Refused() }, .rawKey([1]), .passphrase { "" }]
        {
            await #expect(throws: (any Error).self) {
                try await database.copy(to: folder.file("copy.db"), encryption: encryption)
            }
        }
        for path in ["", ":memory:", folder.file("missing/copy.db"), folder.file("nul\0.db")] {
            await #expect(throws: SQLiteError.self) { try await database.copy(to: path, encryption: nil) }
        }
        let cancelled = Task { [folder] in try await database.copy(to: folder.file("copy.db"), encryption: nil) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try folder.names().filter { $0.hasPrefix("copy") } == [])
        // Without the collation of an index.
        let other = try Database(folder.file("source.db"), configuration: configuration("raw"))
        await #expect(throws: SQLiteError.self) { try await other.copy(to: folder.file("copy.db"), encryption: nil) }
        #expect(try folder.names().filter { $0.hasPrefix("copy") } == [])
    }

    @Test func aCopyIsMadeOfOneSnapshotBesideWrites() async throws {
        let database = try Database(folder.file("source.db"), configuration: configuration("raw"))
        try await database.write {
            try $0.execute(
                "CREATE TABLE one(n); CREATE TABLE two(n); INSERT INTO one VALUES(0); INSERT INTO two VALUES(0)")
        }
        let isDone = Locked(false)
        let writer = Task.detached {
            while !isDone.withLock({ $0 }) {
                try await database.write { try $0.execute("UPDATE one SET n = n + 1; UPDATE two SET n = n + 1") }
            }
        }
        for number in 1...5 {
            try await database.copy(to: folder.file("copy\(number).db"), encryption: Self.encryption("large pages"))
        }
        isDone.withLock { $0 = true }
        try await writer.value
        for number in 1...5 {
            let copy = try Connection(folder.file("copy\(number).db"), configuration: configuration("large pages"))
            #expect(try copy.query("SELECT one.n = two.n FROM one, two") == true)
        }
    }

    @Test(arguments: [Connection.Mode.readOnly, .immutable])
    func aDatabaseThatIsOnlyReadIsCopied(_ mode: Connection.Mode) async throws {
        try await makeSource("raw").close()
        let before = try Data(contentsOf: URL(filePath: folder.file("source.db")))
        let database = try Database(
            folder.file("source.db"), mode: mode, configuration: configuration("raw"), preparation: Self.preparation)
        try await database.copy(to: folder.file("copy.db"), encryption: Self.encryption("passphrase"))
        let copy = try open(folder.file("copy.db"), "passphrase")
        #expect(try await copy.read { try Self.rows(of: $0) } == database.read { try Self.rows(of: $0) })
        #expect(try Data(contentsOf: URL(filePath: folder.file("source.db"))) == before)
    }

    @Test func aCopyOfTheKeyHasNothingInClear() async throws {
        try folder.makeFile(configuration("passphrase"), in: "source.db")
        let database = try Database(folder.file("source.db"), configuration: configuration("passphrase"))
        try await database.copy(to: folder.file("copy.db"), encryption: Self.encryption("raw"))
        #expect(try folder.filesInClear() == [])
        try await database.copy(to: folder.file("plain.db"), encryption: nil)
        #expect(try folder.filesInClear() == ["plain.db"])
        try blocking { try database.blocking.copy(to: folder.file("third.db"), encryption: Self.encryption("raw")) }
        #expect(try folder.notes(configuration("raw"), in: "third.db") == [EncryptedFolder.needle])
    }

    /// The key of the first call is asked for when it has made the file.
    @Test func aFileThatAnotherCallWritesIsNotTouched() async throws {
        let database = try await makeSource("raw")
        let path = folder.file("copy.db")
        let ((begun, begin), mayEnd) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        let first = Task.detached {
            let key = Encryption.rawKey { () -> [UInt8] in
                begin.yield()
                mayEnd.wait()
                mayEnd.signal()
                return [UInt8](repeating: 1, count: 32)
            }
            try await database.copy(to: path, encryption: key)
        }
        for await _ in begun { break }
        let exists = SQLiteError.Kind.problem(FileProblem.exists, of: .file(path))
        #expect(await problem { try await database.copy(to: path, encryption: nil) } == exists)
        #expect(await problem { try await database.vacuum(into: path) } == exists)
        mayEnd.signal()
        try await first.value
        #expect(try Connection(path, configuration: configuration("raw")).query("SELECT count(*) FROM keyed") == 3)
    }

    @Test func aConflictClauseLeavesOutNoRow() async throws {
        let database = try Database(folder.file("source.db"), configuration: .sqlite)
        try await database.writeWithoutTransaction { connection in
            try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (NULL)")
            try connection.execute(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a NOT NULL ON CONFLICT IGNORE)';
                """)
        }
        let opened = try Database(folder.file("source.db"))
        let error = await #expect(throws: SQLiteError.self) {
            try await opened.copy(to: folder.file("copy.db"), encryption: Self.encryption("raw"))
        }
        #expect(error?.resultCode == .constraint)
        #expect(try folder.names().contains("copy.db") == false)
    }

    @Test func aPreparationMayTurnChecksOn() async throws {
        let database = try Database(folder.file("source.db")) { connection in
            try connection.execute("PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF")
        }
        try await database.writeWithoutTransaction { connection in
            try connection.execute(
                """
                CREATE TABLE child(parent REFERENCES parent, positive CHECK(positive > 0));
                CREATE TABLE parent(id INTEGER PRIMARY KEY);
                PRAGMA foreign_keys = OFF;
                PRAGMA ignore_check_constraints = ON;
                INSERT INTO child VALUES(99, -1);
                """)
        }
        try await database.copy(to: folder.file("copy.db"), encryption: nil)
        #expect(try Connection(folder.file("copy.db")).query("SELECT parent FROM child") == 99)
    }

    @Test func aGeneratedColumnMayHaveTheNameOfTheRowid() async throws {
        let database = try Database(folder.file("source.db"))
        try await database.write { connection in
            try connection.execute("CREATE TABLE t(a, rowid AS (a * 2)); INSERT INTO t(_rowid_, a) VALUES(7, 3)")
        }
        try await database.copy(to: folder.file("copy.db"), encryption: Self.encryption("raw"))
        let copy = try Connection(folder.file("copy.db"), configuration: configuration("raw"))
        #expect(try copy.query("SELECT _rowid_ * 100 + a * 10 + rowid FROM t") == 736)
    }

    /// Between the look at the file and the lock of it.
    @Test func aFileThatIsWrittenMeanwhileIsNotTouched() throws {
        let copy = folder.file("copy.db")
        let database = try Database(folder.file(), configuration: .recommended) { connection in
            connection.addTraceObserver { event in
                guard "\(event)".contains("auto_vacuum") else { return }
                _ = try? Connection(copy, configuration: .sqlite).execute("CREATE TABLE others(x)")
            }
        }
        try database.blocking.write { try $0.execute("CREATE TABLE cars(x)") }
        #expect(
            try errorKind { try database.blocking.copy(to: copy, encryption: nil) }
                == .problem(FileProblem.exists, of: .file(copy)))
        #expect(try Connection(copy).query("SELECT name FROM sqlite_schema") == ["others"])
    }
}
