import Foundation
import Squall
import SquallTestSupport
import Testing

struct BlobTests {
    private static func files(_ more: String = "") throws -> Connection {
        let connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT UNIQUE, body);
            INSERT INTO files VALUES(1, 'one', x'000102030405'), (2, 'two', 'text'), (3, 'three', NULL), (4, 'four', 4.5), (5, 'five', x'');
            \(raw: more)
            """)
        return connection
    }

    private func problem(_ body: () throws -> Void) throws -> BlobProblem {
        let error = try sqliteError(body)
        guard let problem = error.problem(BlobProblem.self) else { throw error }
        return problem
    }

    private func expect(
        _ expected: BlobProblem, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) throws {
        let found = try problem(body)
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    @Test func partsAreRead() throws {
        let connection = try Self.files()
        let count = try connection.withBlob(in: "files", column: "body", row: 1) { blob in
            var bytes = [UInt8](repeating: 9, count: 3), data = Data(count: 2)
            try blob.read(into: &bytes, at: 2)
            try blob.read(into: &data, at: 0)
            #expect(bytes == [2, 3, 4] && data == Data([0, 1]))
            // An `Array` has spans from macOS 26 on.
            var others = ContiguousArray(bytes)
            var numbers = others.mutableSpan
            var span = numbers.mutableBytes
            try blob.read(into: &span, at: 3)
            #expect(others == [3, 4, 5])
            #expect(try blob.data(in: 1..<3) == Data([1, 2]) && blob.data(in: 6..<6).isEmpty)
            #expect(try blob.data().count == 6 && blob.row == 1)
            var none: [UInt8] = []
            try blob.read(into: &none, at: 6)
            return blob.count
        }
        #expect(count == 6)
        #expect(try connection.withBlob(in: "FILES", column: "Body", row: 5) { try $0.data() } == Data())
        #expect(try connection.withBlob(in: "files", column: "body", row: 2) { try $0.data() } == Data("text".utf8))
    }

    @Test func partsAreWritten() throws {
        let connection = try Self.files()
        let (bytes, more): (ContiguousArray<UInt8>, ContiguousArray<UInt8>) = ([7, 8], [9])
        try connection.withBlob(in: "files", column: "body", row: 1, mode: .readWrite) { blob in
            try blob.write(bytes.span, at: 0)
            try blob.write(more.span.bytes, at: 2)
            try blob.write(Data([10]), at: 3)
            try blob.write([11], at: 5)
            try blob.write([UInt8](), at: 6)
            #expect(try blob.data() == Data([7, 8, 9, 10, 4, 11]))
        }
        #expect(try connection.query("SELECT hex(body) FROM files WHERE id = 1") == "0708090A040B")
        #expect(!connection.isInTransaction)
    }

    @Test func writesEndWithTheTransaction() throws {
        let connection = try Self.files()
        try? connection.transaction {
            try connection.withBlob(in: "files", column: "body", row: 1, mode: .readWrite) { try $0.write([7], at: 0) }
            throw CancellationError()
        }
        #expect(try connection.query("SELECT hex(body) FROM files WHERE id = 1") == "000102030405")
        // Without a transaction, the writes before an error are kept.
        #expect(throws: CancellationError.self) {
            try connection.withBlob(in: "files", column: "body", row: 1, mode: .readWrite) {
                try $0.write([7], at: 0)
                throw CancellationError()
            }
        }
        #expect(try connection.query("SELECT hex(body) FROM files WHERE id = 1") == "070102030405")
    }

    @Test func anotherRow() throws {
        let connection = try Self.files()
        try connection.withBlob(in: "files", column: "body", row: 1) { blob in
            try blob.move(to: 2)
            #expect(try blob.data() == Data("text".utf8) && blob.row == 2)
            try expect(.null) { try blob.move(to: 3) }
            try expect(.expired) { _ = try blob.data() }
            try expect(.expired) { try blob.move(to: 1) }
            #expect(blob.count == 0)
        }
        try connection.withBlob(in: "files", column: "body", row: 1) { blob in
            try expect(.unknownRow) { try blob.move(to: 99) }
        }
        try connection.withBlob(in: "files", column: "body", row: 1) { blob in
            try expect(.number) { try blob.move(to: 4) }
        }
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func whatSQLiteRefuses() throws {
        let connection = try Self.files(
            """
            PRAGMA foreign_keys = ON;
            CREATE VIEW v AS SELECT * FROM files;
            CREATE TABLE keyed(id INTEGER PRIMARY KEY, body) WITHOUT ROWID;
            INSERT INTO keyed VALUES(1, x'00');
            CREATE VIRTUAL TABLE found USING fts5(body);
            CREATE TABLE child(id INTEGER PRIMARY KEY, file REFERENCES files(name));
            INSERT INTO child VALUES(1, 'one');
            """)
        for (table, column, row, mode, expected) in [
            ("nothing", "body", 1, Blob.Mode.readOnly, BlobProblem.unknownTable),
            ("files", "nothing", 1, .readOnly, .unknownColumn), ("files", "rowid", 1, .readOnly, .unknownColumn),
            ("files", "body", 9, .readOnly, .unknownRow), ("files", "body", 3, .readOnly, .null),
            ("files", "body", 4, .readOnly, .number), ("files", "id", 1, .readOnly, .null),
            ("v", "body", 1, .readOnly, .view), ("keyed", "body", 1, .readOnly, .withoutRowID),
            ("found", "body", 1, .readOnly, .virtualTable), ("files", "name", 1, .readWrite, .indexedColumn),
            ("child", "file", 1, .readWrite, .foreignKeyColumn), ("fi\"les", "body", 1, .readOnly, .unknownTable),
        ] {
            let error = try sqliteError {
                try connection.withBlob(in: table, column: column, row: Int64(row), mode: mode) { _ in }
            }
            let place = SQLiteError.Subject.value(in: table, column: column, row: Int64(row))
            #expect(error.kind == .problem(expected, of: place), "\(table).\(column): \(error)")
            #expect(error.code == 1 && error.message.contains(table))
        }
        #expect(try connection.withBlob(in: "files", column: "name", row: 1) { $0.count } == 3)
        try expect(.unknownTable) {
            try connection.withBlob(in: "files", column: "body", row: 1, database: "x") { _ in }
        }
        #expect(
            try errorKind { try connection.withBlob(in: "files", column: "bo\0dy", row: 1) { _ in } }
                == .nulCharacter(in: .identifier))
        try connection.run("PRAGMA query_only = ON")
        #expect(
            try sqliteError {
                try connection.withBlob(in: "files", column: "body", row: 1, mode: .readWrite) { _ in }
            }.code == 8)
    }

    /// SQLite 3.40 opens the wrong column of such a table, and would write over it.
    @Test func tablesWithGeneratedColumnsAreRefused() throws {
        let connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a, g AS ('gen' || a), b, c);
            INSERT INTO t(a, b, c) VALUES('aaa', 'bbb', 'ccc');
            CREATE TABLE s(id INTEGER PRIMARY KEY, a, g AS ('gen' || a) STORED);
            INSERT INTO s(a) VALUES('aaa');
            """)
        for (table, column) in [("t", "a"), ("t", "b"), ("t", "g"), ("s", "a")] {
            try expect(.generatedColumns) { try connection.withBlob(in: table, column: column, row: 1) { _ in } }
        }
        // The transaction of the refused value has ended.
        try connection.execute("DROP TABLE t")
    }

    @Test func tablesOfSQLiteAreNotWritten() throws {
        let connection = try Self.files()
        for table in ["sqlite_schema", "sqlite_master", "SQLITE_Schema"] {
            try expect(.tableOfSQLite) {
                try connection.withBlob(in: table, column: "sql", row: 1, mode: .readWrite) { _ in }
            }
            #expect(try connection.withBlob(in: table, column: "sql", row: 1) { $0.count } > 0)
        }
    }

    /// As for SQL, they can be written unless `defensive` is on.
    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func shadowTablesAreNotWrittenWhileDefensive() throws {
        for isDefensive in [false, true] {
            var configuration = Configuration.sqlite
            configuration.defensive = isDefensive
            let connection = try Connection(":memory:", configuration: configuration)
            try connection.execute(
                """
                ATTACH ':memory:' AS other;
                CREATE TABLE other.docs_data(id INTEGER PRIMARY KEY, block);
                INSERT INTO other.docs_data VALUES(1, 'x');
                CREATE VIRTUAL TABLE docs USING fts5(text);
                INSERT INTO docs VALUES('words')
                """)
            func write(_ database: String) throws {
                try connection.withBlob(
                    in: "DOCS_data", column: "block", row: 1, database: database, mode: .readWrite
                ) { blob in
                    let bytes = try blob.data()
                    try blob.write(bytes, at: 0)
                }
            }
            if isDefensive { try expect(.shadowTable) { try write("main") } } else { try write("main") }
            try write("other")
            #expect(try connection.withBlob(in: "docs_data", column: "block", row: 1) { $0.count } > 0)
        }
    }

    @Test func bytesOutsideTheValue() throws {
        let connection = try Self.files()
        try connection.withBlob(in: "files", column: "body", row: 1, mode: .readWrite) { blob in
            for (offset, count) in [(-1, 1), (6, 1), (0, 7), (5, 2), (Int.max, 1), (7, 0), (Int.min, 1)] {
                var bytes = [UInt8](repeating: 0, count: count)
                let expected = BlobProblem.outOfRange(offset: offset, count: count, size: 6)
                try expect(expected) { try blob.read(into: &bytes, at: offset) }
                try expect(expected) { try blob.write(bytes, at: offset) }
            }
            try expect(.outOfRange(offset: 1, count: Int.max - 1, size: 6)) { _ = try blob.data(in: 1..<Int.max) }
            #expect(try blob.data() == Data([0, 1, 2, 3, 4, 5]))
        }
        try connection.withBlob(in: "files", column: "body", row: 1) { blob in
            let error = try sqliteError { try blob.write([1], at: 0) }
            #expect(error.code == 8)
            try expect(.openForReading) { try blob.write([1], at: 0) }
        }
    }

    @Test(arguments: [
        "UPDATE files SET body = x'09' WHERE id = 1", "DELETE FROM files", "UPDATE files SET name = 'x' WHERE id = 1",
    ]) func aRowThatIsChangedMeanwhile(_ sql: String) throws {
        let connection = try Self.files()
        for mode in [Blob.Mode.readOnly, .readWrite] {
            try connection.withBlob(in: "files", column: "body", row: 1, mode: mode) { blob in
                _ = try blob.data()
                try connection.run(SQL(raw: sql))
                let error = try sqliteError { _ = try blob.data(in: 0..<1) }
                #expect(error.code == 4 && error.message.contains("row 1 was changed or deleted"))
                try expect(.expired) { try blob.move(to: 2) }
            }
            try connection.execute("DELETE FROM files; INSERT INTO files VALUES(1, 'one', x'000102')")
        }
    }

    @Test func othersRowsMayChange() throws {
        let connection = try Self.files()
        try connection.withBlob(in: "files", column: "body", row: 1) { blob in
            try connection.run("UPDATE files SET body = x'09' WHERE id = 2")
            try connection.run("INSERT INTO files VALUES(6, 'six', x'00')")
            #expect(try blob.data() == Data([0, 1, 2, 3, 4, 5]))
        }
    }

    @Test func aRollbackAndAClosedConnectionEndIt() throws {
        let connection = try Self.files()
        try connection.withBlob(in: "files", column: "body", row: 1) { blob in
            try? connection.transaction {
                try connection.run("UPDATE files SET body = x'09' WHERE id = 2")
                throw CancellationError()
            }
            let data = try blob.data()
            #expect(data.count == 6)
        }
        try connection.execute("BEGIN")
        try connection.withBlob(in: "files", column: "body", row: 1, mode: .readWrite) { blob in
            try blob.write([9], at: 0)
            try connection.execute("ROLLBACK")
            try expect(.expired) { try blob.write([8], at: 0) }
        }
        #expect(try connection.query("SELECT hex(body) FROM files WHERE id = 1") == "000102030405")
        let error = try sqliteError {
            try connection.withBlob(in: "files", column: "body", row: 1) { blob in
                connection.close()
                _ = try blob.data()
            }
        }
        #expect(error.kind == .closed(.connection))
    }

    /// SQLite passes the table to the hook, and frees it when it reads the schema again.
    @Test(.enabled(if: SQLiteFeatures.preUpdateHook), arguments: [false, true])
    func whatReadsTheSchemaAgainDoesNotEndIt(isInTransaction: Bool) throws {
        let changes: [(Connection) throws -> Void] = [
            { try $0.execute("ALTER TABLE files ADD COLUMN more") },
            { try $0.execute("ALTER TABLE other RENAME TO others") },
            { try $0.execute("CREATE TABLE made(a)") }, { try $0.execute("PRAGMA writable_schema = RESET") },
            { try? $0.execute("DROP TABLE other") }, { try $0.addFunction("added") { 1 } },
            { try $0.execute("CREATE INDEX files_name ON files(name)") },
        ]
        for (index, change) in changes.enumerated() {
            let connection = try Self.files(
                "CREATE TABLE other(a); CREATE TRIGGER o AFTER INSERT ON other BEGIN SELECT 1; END;")
            var tables: [String] = []
            try connection.addPreUpdateObserver { tables.append($0.tableName) }
            if isInTransaction { try connection.execute("BEGIN") }
            try connection.withBlob(in: "files", column: "body", row: 1, mode: .readWrite) { blob in
                try blob.write([7], at: 0)
                try change(connection)
                _ = try connection.query("SELECT count(*) FROM files") as Int
                try blob.write([8], at: 1)
                #expect(try blob.data() == Data([7, 8, 2, 3, 4, 5]), "\(index)")
                try connection.run("UPDATE files SET body = x'09' WHERE id = 1")
                try connection.execute("CREATE TABLE later(a)")
                try expect(.expired) { try blob.write([9], at: 0) }
            }
            if isInTransaction { try connection.execute("COMMIT") }
            #expect(tables == ["files", "files", "files"], "\(index)")
        }
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook), arguments: ["ROLLBACK", "ROLLBACK TO s"])
    func aRollbackOfTheSchemaEndsIt(sql: String) throws {
        let connection = try Self.files()
        try connection.addPreUpdateObserver { _ in }
        try connection.execute("BEGIN; SAVEPOINT s; CREATE TABLE made(a)")
        try connection.withBlob(in: "files", column: "body", row: 1, mode: .readWrite) { blob in
            try connection.execute(SQL(raw: sql))
            try expect(.expired) { try blob.write([9], at: 0) }
        }
    }

    @Test func attachedAndTemporaryDatabases() throws {
        let connection = try Self.files(
            """
            ATTACH ':memory:' AS other;
            CREATE TABLE other.files(body); INSERT INTO other.files VALUES(x'0a0b');
            CREATE TEMP TABLE files(body); INSERT INTO temp.files VALUES(x'0c');
            """)
        #expect(try connection.withBlob(in: "files", column: "body", row: 1) { $0.count } == 6)
        #expect(try connection.withBlob(in: "files", column: "body", row: 1, database: "other") { $0.count } == 2)
        #expect(try connection.withBlob(in: "files", column: "body", row: 1, database: "temp") { $0.count } == 1)
    }

    @Test func zerosAreReserved() throws {
        let connection = try Self.files()
        let id = try connection.insert(into: "files", ["name": "zeros", "body": ZeroBlob(count: 1000)])
        #expect(try connection.query("SELECT length(body) FROM files WHERE id = \(id)") == 1000)
        try connection.run("UPDATE files SET body = \(ZeroBlob(count: 3)) WHERE id = 1")
        try connection.run("UPDATE files SET body = ? WHERE id = 2", ZeroBlob(count: 2))
        #expect(try connection.query("SELECT hex(body) FROM files WHERE id < 3") == ["000000", "0000"])
        #expect(("\(ZeroBlob(count: 5))" as SQL).text == "zeroblob(?)")
        #expect(try connection.query("SELECT quote(\(ZeroBlob(count: 0)))") == "X''")
        for statement in [
            { try connection.run("UPDATE files SET body = \(ZeroBlob(count: -1))") },
            { try connection.run("UPDATE files SET body = ?", ZeroBlob(count: -1)) },
            { _ = try connection.insert(into: "files", ["body": ZeroBlob(count: -1)]) },
        ] {
            #expect(try errorKind(statement) == .unstorable(type: "ZeroBlob", reason: .negativeCount))
        }
        #expect(
            try sqliteError { try connection.run("UPDATE files SET body = ?", ZeroBlob(count: 1 << 40)) }.code == 18)
        #expect(
            try sqliteError { try connection.run("UPDATE files SET body = \(ZeroBlob(count: 1 << 40))") }.code == 18)
        try connection.addFunction("zeros") { (count: Int) in ZeroBlob(count: count) }
        #expect(try connection.query("SELECT hex(zeros(2))") == "0000")
    }

    @Test func observersAndHooksSeeWhatIsWritten() async throws {
        let database = try Database.temporary()
        try await database.write {
            try $0.execute("CREATE TABLE files(id INTEGER PRIMARY KEY, body); INSERT INTO files VALUES(1, x'00')")
        }
        var values = database.observe { connection in
            try connection.withBlob(in: "files", column: "body", row: 1) { try $0.data() }
        }.makeAsyncIterator()
        #expect(try await values.next() == Data([0]))
        try await database.write {
            try $0.withBlob(in: "files", column: "body", row: 1, mode: .readWrite) { try $0.write([7], at: 0) }
        }
        #expect(try await values.next() == Data([7]))
        let error = await #expect(throws: SQLiteError.self) {
            try await database.read {
                try $0.withBlob(in: "files", column: "body", row: 1, mode: .readWrite) { _ in }
            }
        }
        #expect(error?.kind == .insideRead(.statement))
    }

    @Test func aFullDisk() throws {
        let connection = try Self.files("PRAGMA max_page_count = 3;")
        #expect(
            try sqliteError { _ = try connection.insert(into: "files", ["body": ZeroBlob(count: 100_000)]) }.code == 13)
    }

    @Test func bytesInALiteral() throws {
        let connection = try Connection()
        let (some, none): (ZeroBlob?, ZeroBlob?) = (ZeroBlob(count: 3), nil)
        #expect(try connection.query("SELECT hex(\(ZeroBlob(count: 2)))") == "0000")
        #expect(try connection.query("SELECT hex(\(some)) || typeof(\(none))") == "000000null")
        #expect(ZeroBlob(count: 2).bindingValue == .blob(Data([0, 0])))
        #expect(try ZeroBlob(count: 1).checkedBindingValue() == .blob(Data([0])))
        #expect(throws: SQLiteError.self) { try ZeroBlob(count: -1).checkedBindingValue() }
    }
}
