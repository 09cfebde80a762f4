// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Safety".
private struct Reader {
    struct DamagedFile: Error {}

    func titles(inUpload path: String) throws -> [String] {
        let file = try Connection(path, mode: .immutable, configuration: .untrusted)
        guard try file.quickCheck().isEmpty else { throw DamagedFile() }
        return try file.query("SELECT substr(title, 1, 200) FROM main.books LIMIT 1000")
    }
}

struct SafetySnippets {
    private static func connection() throws -> Connection {
        let connection = try Connection(":memory:")
        try connection.execute("""
            CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, created TEXT);
            INSERT INTO users(name, created) VALUES('Ada', '2026-01-01'), ('100%', NULL);
            """)
        return connection
    }

    @Test func injection() throws {
        let connection = try Self.connection()
        let name = "'; DROP TABLE users; --"
        try connection.run("INSERT INTO users(name) VALUES(\(name))")
        // INSERT INTO users(name) VALUES(?)
        #expect(try connection.query("SELECT name FROM users WHERE id = 3") == name)
        let inside = try sqliteError { try connection.run("INSERT INTO users(name) VALUES('\(name)')") }
        #expect(inside.kind == .valueInsideQuotes)
        let fragment = "name = 'Ada'"
        let bound: Int = try connection.query("SELECT count(*) FROM users WHERE \(fragment)")
        #expect(bound == 0)
        let text = "SELECT 1"
        let whole: SQL = "\(text)"
        #expect(whole.text == "?" && whole.parameters == [.text("SELECT 1")])
        #expect(try sqliteError { try connection.run(whole) }.message == "near \"?\": syntax error")
        func escapedForLike(_ text: String) -> String { SQLAndInjectionPage().escapedForLike(text) }
        let pattern = escapedForLike("100%")                      // 100\%
        let ids: [Int] = try connection.query("""
            SELECT id FROM users WHERE name LIKE \(pattern + "%") ESCAPE \("\\")
            """)
        #expect(ids == [2] && pattern == "100\\%")
    }

    @Test func values() throws {
        let connection = try Self.connection()
        let row = try #require(try connection.query("SELECT * FROM users WHERE id = 1") as Row?)
        let maybe: Int? = row["id"]             // nil for NULL and for another type
        let checked: Int = try row.get("id")    // throws ConversionError
        let trusted: Int = row["id"]            // stops the program
        #expect(maybe == 1 && checked == 1 && trusted == 1)
        #expect(throws: ConversionError.self) { try row.get("name") as Int }
        #expect((row["name"] as Int?) == nil)
    }

    @Test func theSubscriptStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            let connection = try Connection(":memory:")
            let row = try connection.query("SELECT NULL AS price")
            let price: Int = row!["price"]
            print(price)
        }
    }

    @Test func untrustedFiles() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("upload.db")
        do {
            let connection = try Connection(path)
            try connection.execute("CREATE TABLE books(title TEXT); INSERT INTO books VALUES('Mort')")
        }
        #expect(try Reader().titles(inUpload: path) == ["Mort"])
        let file = try Connection(path, mode: .immutable, configuration: .untrusted)
        #expect(throws: SQLiteError.self) { try file.attachDatabase(from: .inMemory, withName: "other") }
        try Data("this is no database, but a text of some length".utf8).write(to: URL(fileURLWithPath: directory.file("text.db")))
        let error = try sqliteError { _ = try Reader().titles(inUpload: directory.file("text.db")) }
        #expect(error.resultCode == .notADatabase)
        let view = directory.file("view.db")
        do {
            let connection = try Connection(view)
            try connection.addFunction("secret", directOnly: false) { () in "key" }
            try connection.execute("CREATE VIEW books AS SELECT secret() AS title")
        }
        let trap = try Connection(view, configuration: .untrusted)
        try trap.addFunction("secret", directOnly: false) { () in "key" }
        #expect(try sqliteError { try trap.run("SELECT title FROM books") }.message == "unsafe use of secret()")
    }

    @Test func durability() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("ledger.db")
        var configuration = Configuration.recommended
        configuration.synchronous = .full           // PRAGMA synchronous = FULL
        let ledger = try Database(path, configuration: configuration)
        #expect(try ledger.blocking.read { try $0.query("PRAGMA synchronous") } == 2)
        #expect(try Connection(path).query("PRAGMA synchronous") == 1)
        try ledger.blocking.write { try $0.execute("CREATE TABLE users(name)") }
        let database = ledger
        let name = "Ada"
        do {
            try database.blocking.write { try $0.insert(into: "users", ["name": name]) }
        } catch ResultCode.full {
            print("the disk is full: nothing was written")
        } catch ResultCode.corrupt {
            print("the file is damaged: restore a backup")
        } catch ResultCode.fileMoved {
            print("the file was deleted or replaced: open it again")
        }
        let max: Int = try database.blocking.writeWithoutTransaction {
            let pages: Int = try $0.query("PRAGMA page_count")
            return try $0.query("PRAGMA max_page_count = \(raw: "\(pages)")")
        }
        #expect(max > 0)
        let full = try sqliteError {
            try database.blocking.write { try $0.run("INSERT INTO users(name) VALUES(\(String(repeating: "x", count: 100_000)))") }
        }
        #expect(full.resultCode == .full)
        try FileManager.default.moveItem(atPath: path, toPath: path + "-old")
        let moved = try sqliteError {
            for _ in 0..<10_000 { try database.blocking.write { try $0.run("INSERT INTO users(name) VALUES('Bo')") } }
        }
        #expect(moved.extendedResultCode == .fileMoved)
    }
}
