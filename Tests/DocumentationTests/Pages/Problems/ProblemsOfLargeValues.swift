// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// More `swift` blocks of the page "Problems of files, copies and large values".
struct LargeValueProblemSnippets {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("""
            PRAGMA foreign_keys = ON;
            CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT UNIQUE, body BLOB);
            INSERT INTO files VALUES(1, 'one', x'010203'), (2, 'two', NULL), (3, 'three', 4.5);
            CREATE VIEW names AS SELECT id, name FROM files;
            CREATE TABLE keyed(id INTEGER PRIMARY KEY, body BLOB) WITHOUT ROWID;
            CREATE TABLE sized(id INTEGER PRIMARY KEY, body BLOB, size AS (length(body)));
            CREATE TABLE parts(id INTEGER PRIMARY KEY, file TEXT REFERENCES files(name));
            INSERT INTO parts VALUES(1, 'one');
            INSERT INTO sized(body) VALUES(x'01');
            """)
    }

    @Test func placesOfValues() throws {
        expect(BlobProblem.unknownTable, "no such table: main.fils") {
            try connection.withBlob(in: "fils", column: "body", row: 1) { try $0.data() }
        }
        expect(BlobProblem.unknownColumn, "no such column in files: text") {
            try connection.withBlob(in: "files", column: "text", row: 1) { try $0.data() }
        }
        expect(BlobProblem.unknownRow, "no row of files has the rowid 9") {
            try connection.withBlob(in: "files", column: "body", row: 9) { try $0.data() }
        }
        // Store a `ZeroBlob` of the size first.
        expect(BlobProblem.null, """
            body of files is NULL in row 2: only BLOB and TEXT can be opened
            """) {
            try connection.withBlob(in: "files", column: "body", row: 2) { try $0.data() }
        }
        expect(BlobProblem.number, """
            body of files is a number in row 3: only BLOB and TEXT can be opened
            """) {
            try connection.withBlob(in: "files", column: "body", row: 3) { try $0.data() }
        }
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func tablesWithoutBlobs() throws {
        try connection.execute("""
            CREATE VIRTUAL TABLE words USING fts5(body);
            CREATE VIRTUAL TABLE found USING fts5(name, content = 'files', content_rowid = 'id');
            CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT);
            INSERT INTO notes VALUES(1, 'one');
            CREATE TRIGGER notes_words AFTER INSERT ON notes BEGIN
                INSERT INTO words(rowid, body) VALUES(new.id, new.body);
            END;
            """)
        // Name the table of the view, or read the value by a SELECT.
        expect(BlobProblem.view, "a value of a view cannot be opened: names") {
            try connection.withBlob(in: "names", column: "name", row: 1) { try $0.data() }
        }
        expect(BlobProblem.virtualTable, """
            a value of a virtual table cannot be opened: words
            """) {
            try connection.withBlob(in: "words", column: "body", row: 1) { try $0.data() }
        }
        expect(BlobProblem.withoutRowID, """
            a value of a table without rowids cannot be opened: keyed
            """) {
            try connection.withBlob(in: "keyed", column: "body", row: 1) { try $0.data() }
        }
        expect(BlobProblem.generatedColumns, """
            a value of a table with generated columns cannot be opened: sized
            """) {
            try connection.withBlob(in: "sized", column: "body", row: 1) { try $0.data() }
        }
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func writing() throws {
        try connection.execute("""
            CREATE VIRTUAL TABLE words USING fts5(body);
            CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT);
            INSERT INTO notes VALUES(1, 'one');
            CREATE TRIGGER notes_words AFTER INSERT ON notes BEGIN
                INSERT INTO words(rowid, body) VALUES(new.id, new.body);
            END;
            """)
        // Use UPDATE for all of these.
        func write(_ table: String, _ column: String, row: Int64 = 1) throws {
            try connection.withBlob(in: table, column: column, row: row, mode: .readWrite) {
                try $0.write([0], at: 0)
            }
        }
        expect(BlobProblem.indexedColumn, """
            name of files cannot be opened for writing: the column has an index
            """) {
            try write("files", "name")
        }
        expect(BlobProblem.foreignKeyColumn, """
            file of parts cannot be opened for writing: the column is a foreign key
            """) {
            try write("parts", "file")
        }
        // Triggers fill the search table `words` from `notes`.
        expect(BlobProblem.derivedIndex, """
            body of notes cannot be opened for writing: triggers keep a search table \
            or an R*Tree in step with it; use UPDATE
            """) {
            try write("notes", "body")
        }
        expect(BlobProblem.tableOfSQLite, """
            sqlite_schema cannot be opened for writing: it is a table of SQLite \
            itself
            """) {
            try write("sqlite_schema", "sql")
        }
        expect(BlobProblem.shadowTable, """
            words_data cannot be opened for writing: a virtual table keeps its data \
            in it
            """) {
            try write("words_data", "block")
        }
    }

    @Test func parts() throws {
        try connection.withBlob(in: "files", column: "body", row: 1) { blob in
            expect(BlobProblem.outOfRange(offset: 2, count: 9, size: 3), """
                body of files has 3 bytes: 9 bytes at 2 are outside of it
                """) {
                try blob.data(in: 2..<11)
            }
            // Open it with the mode `.readWrite`.
            expect(BlobProblem.openForReading, "body of files is open for reading only") {
                try blob.write([7], at: 0)
            }
            // Open the value again.
            try connection.run("UPDATE files SET body = x'04' WHERE id = 1")
            expect(BlobProblem.expired, """
                body of files has been closed: row 1 was changed or deleted, or \
                moving to it has failed
                """) {
                try blob.data()
            }
        }
    }

    @Test func sequences() async throws {
        let database = try Database(":memory:")
        try await database.write {
            try $0.execute("""
                CREATE TABLE files(id INTEGER PRIMARY KEY, body BLOB);
                INSERT INTO files VALUES(1, x'010203');
                """)
        }
        var messages: [String] = []
        func print(_ message: String) { messages.append(message) }

        let (bytes, continuation) = AsyncStream.makeStream(of: UInt8.self)
        continuation.yield(7)
        continuation.finish()
        // Store a `ZeroBlob` of as many bytes as the sequence has.
        do {
            try await database.writeBlob(in: "files", column: "body", row: 1, from: bytes)
        } catch let error as SQLiteError
            where error.problem(BlobProblem.self) == .incomplete(written: 1, size: 3)
        {
            print(error.message)
            // the sequence has ended after 1 of 3 bytes of body of files
        }
        #expect(messages == ["the sequence has ended after 1 of 3 bytes of body of files"])
    }
}
