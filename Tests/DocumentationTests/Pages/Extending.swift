// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Extending".
private enum Notes {
    static func connection() throws -> Connection {
        let connection = try Connection(":memory:")
        try connection.execute("""
            CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, size REAL);
            INSERT INTO notes(title, size) VALUES('Café', 2), ('page 10', 3), ('page 9', 4), (NULL, NULL);
            """)
        return connection
    }

    struct EmptyTitle: LocalizedError {
        var errorDescription: String? { "a title has no characters" }
    }
}

struct ExtendingSnippets {
    @Test func functions() throws {
        let connection = try Notes.connection()
        try connection.addFunction("fold", deterministic: true) { (text: String?) in
            text?.folding(options: .diacriticInsensitive, locale: nil).lowercased()
        }
        let title = "cafe"
        let sql: SQL = "SELECT id FROM notes WHERE fold(title) = \(title)"
        let ids: [Int] = try connection.query(sql)
        #expect(ids == [1])
        try connection.addFunction("distance") { (a: Double, b: Double) in abs(a - b) }
        try connection.addFunction("greatest") { (numbers: [Double?]) in
            numbers.compactMap { $0 }.max()                     // any number of arguments
        }
        #expect(try connection.query("SELECT greatest(1, NULL, 3.5)") == 3.5)
        #expect(try connection.query("SELECT distance(1, 3)") == 2.0)
        let mismatch = try sqliteError { try connection.run("SELECT distance(title, 1) FROM notes") }
        #expect(mismatch.message.contains("distance(), argument 1: expected Double, found"))
        #expect(mismatch.resultCode == .mismatch)
        let null = try sqliteError { try connection.run("SELECT distance(NULL, 1)") }
        #expect(null.message == "distance(), argument 1: expected Double, found NULL")
    }

    @Test func errors() throws {
        let connection = try Notes.connection()
        typealias EmptyTitle = Notes.EmptyTitle
        try connection.addFunction("checked") { (title: String) in
            if title.isEmpty { throw EmptyTitle() }
            return title
        }
        do {
            try connection.run("SELECT checked('')")
        } catch let error as SQLiteError {
            print(error.message)                                // a title has no characters
        }
        let error = try sqliteError { try connection.run("SELECT checked('')") }
        #expect(error.message == "a title has no characters" && error.resultCode == .error && error.kind == .sqlite)
        try connection.addFunction("busy") { () -> Int in throw SQLiteError(code: 5, message: "later") }
        let busy = try sqliteError { try connection.run("SELECT busy()") }
        #expect(busy.message == "later" && busy.resultCode == .busy)
        let adding = try sqliteError {
            try connection.addFunction("adds") { [unowned connection] () -> Int in
                try connection.addFunction("other") { () in 1 }
                return 1
            }
            try connection.run("SELECT adds()")
        }
        #expect(adding.resultCode == .busy)
    }

    @Test func indexes() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("notes.db")
        let database = try Database(path, preparation: { connection in
            try connection.addFunction("fold", deterministic: true, innocuous: true) {
                (text: String?) in
                text?.folding(options: .diacriticInsensitive, locale: nil).lowercased()
            }
            try connection.addCollation("numeric") { $0.compare($1, options: .numeric) }
        })
        try database.blocking.writeWithoutTransaction {
            try $0.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT)")
            try $0.execute("CREATE INDEX notes_folded ON notes(fold(title))")
        }
        let plan = try database.blocking.read {
            try $0.explainQueryPlan("SELECT id FROM notes WHERE fold(title) = ?", "cafe")
        }
        #expect(plan.description.contains("notes_folded"))
        let other = try Connection(path)
        let error = try sqliteError { try other.run("INSERT INTO notes(title) VALUES('x')") }
        #expect(error.message.contains("fold"))
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO notes(title) VALUES('x')") }
        try database.blocking.writeWithoutTransaction { try $0.execute("REINDEX notes_folded") }
    }

    @Test func placesOfAFunction() throws {
        func fails(trusted: Bool, _ add: (Connection) throws -> Void, _ sql: SQL) throws -> Bool {
            var configuration = Configuration.recommended
            configuration.trustedSchema = trusted
            let connection = try Connection(":memory:", configuration: configuration)
            try add(connection)
            do {
                try connection.execute("CREATE TABLE t(a)")
                try connection.execute(sql)
                return false
            } catch {
                return true
            }
        }
        let view: SQL = "CREATE VIEW v AS SELECT f(a) FROM t; SELECT * FROM v"
        let index: SQL = "CREATE INDEX i ON t(f(a)); INSERT INTO t VALUES(1)"
        for trusted in [true, false] {
            #expect(try fails(trusted: trusted, { try $0.addFunction("f") { (a: Int?) in a } }, view))
            #expect(try fails(trusted: trusted, { try $0.addFunction("f", directOnly: false) { (a: Int?) in a } }, view) == !trusted)
            #expect(try !fails(trusted: trusted, { try $0.addFunction("f", innocuous: true) { (a: Int?) in a } }, view))
            #expect(try fails(trusted: trusted, { try $0.addFunction("f", innocuous: true) { (a: Int?) in a } }, index))
            #expect(try !fails(trusted: trusted, { try $0.addFunction("f", deterministic: true, innocuous: true) { (a: Int?) in a } }, index))
        }
    }

    @Test func aggregates() throws {
        let connection = try Notes.connection()
        try connection.addAggregate("product", initial: 1.0) {
            (product: inout Double, value: Double?) in
            product *= value ?? 1
        } final: { product in
            product
        }
        let volume: Double = try connection.query("SELECT product(size) FROM notes") // 24.0
        #expect(volume == 24)
        try connection.addWindowFunction("moving_sum", initial: 0.0) {
            (sum: inout Double, value: Double) in
            sum += value
        } inverse: { sum, value in
            sum -= value
        } value: { sum in
            sum
        }
        let sums: [Double] = try connection.query("""
            SELECT moving_sum(id) OVER (ORDER BY id ROWS 1 PRECEDING) FROM notes
            """)                                                // [1, 3, 5, 7]
        #expect(sums == [1, 3, 5, 7])
    }

    @Test func collations() throws {
        let connection = try Notes.connection()
        try connection.addCollation("numeric") { $0.compare($1, options: .numeric) }
        let pages: [String] = try connection.query("""
            SELECT title FROM notes WHERE title LIKE 'page %' ORDER BY title COLLATE numeric
            """)                                                // ["page 9", "page 10"]
        #expect(pages == ["page 9", "page 10"])
        try connection.addCollation("bytes") { (lhs: Span<UInt8>, rhs: Span<UInt8>) in
            for index in 0..<min(lhs.count, rhs.count) where lhs[index] != rhs[index] {
                return lhs[index] < rhs[index] ? .orderedAscending : .orderedDescending
            }
            if lhs.count == rhs.count { return .orderedSame }
            return lhs.count < rhs.count ? .orderedAscending : .orderedDescending
        }
        #expect(try connection.query("SELECT 'page 10' < 'page 9' AND 'a' < 'ab' COLLATE bytes") == 1)
    }

    @Test func removals() throws {
        let connection = try Notes.connection()
        try connection.addFunction("distance") { (a: Double, b: Double) in abs(a - b) }
        try connection.addCollation("bytes") { (lhs: String, rhs: String) in lhs.utf8.count < rhs.utf8.count ? .orderedAscending : .orderedDescending }
        try connection.removeFunction(named: "distance", argumentCount: 2)
        try connection.removeCollation(named: "bytes")
        do {
            try connection.run("SELECT distance(1, 3)")
        } catch let error as SQLiteError {
            print(error.message)                                // no such function: distance
        }
        let missing = try sqliteError { try connection.run("SELECT distance(1, 3)") }
        #expect(missing.message == "no such function: distance")
        let unordered = try sqliteError { try connection.run("SELECT 'a' < 'b' COLLATE bytes") }
        #expect(unordered.message == "no such collation sequence: bytes")
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_PREUPDATE_HOOK"))) func changes() throws {
        let connection = try Notes.connection()
        var seen: [String] = []
        let token = connection.addUpdateObserver { type, _, table, rowID in
            print(type, table ?? "", rowID)                     // update notes 1
        }
        try connection.addPreUpdateObserver { change in
            print(change.oldValues, change.newValues)       // all columns, before and after
        }
        connection.addCommitObserver { false }                  // true rolls back instead
        connection.addRollbackObserver { print("rolled back") }
        connection.addWALObserver { _, pages in print("\(pages) pages in the log") }
        token.cancel()
        connection.addUpdateObserver { seen.append("\($0) \($2 ?? "") \($3)") }
        try connection.run("UPDATE notes SET size = 1 WHERE id = 1")
        #expect(seen == ["update notes 1"])
        connection.addCommitObserver { true }
        let error = try sqliteError { try connection.run("UPDATE notes SET size = 2 WHERE id = 1") }
        #expect(error.resultCode == .constraint)
        connection.addUpdateObserver { [unowned connection] _, _, _, _ in
            let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT 1") }
            #expect(error?.kind == .hookReentrancy(hook: "update hook"), "\(String(describing: error?.kind))")
        }
        try? connection.run("UPDATE notes SET size = 3 WHERE id = 1")
    }

    @Test func observersOfADatabase() throws {
        let database = try Database.temporary()
        database.addProfileObserver { statement in
            if statement.duration > .milliseconds(100) { print(statement.sql) }
        }
        let observer = database.addUpdateObserver { _, _, table, rowID in
            print(table ?? "", rowID)
        }
        observer.cancel()
    }

    @Test func statements() throws {
        let connection = try Notes.connection()
        var texts: [String] = []
        var scans: [Int] = []
        connection.addTraceObserver(mask: Connection.TraceEvent.statementMask) { event in
            if case .statement(let sql, _) = event { print(sql) }   // with the values
        }
        connection.addProfileObserver { statement in
            print(statement.duration, statement.rows, statement.fullScanSteps, statement.sql)
        }
        connection.traceStatements { texts.append($0) }
        connection.addProfileObserver { scans.append($0.fullScanSteps) }
        let limit = 3
        let _: [Int] = try connection.query("SELECT id FROM notes WHERE size > \(limit)")
        #expect(texts == ["SELECT id FROM notes WHERE size > 3"])
        #expect(scans == [3])
    }

    @Test func authorizer() throws {
        let connection = try Notes.connection()
        try connection.execute("CREATE TABLE secrets(a)")
        let restriction = connection.addAuthorizer { action, table, column, _, _ in
            switch action {
            case .select, .function, .recursive: .ok
            case .read: table == "secrets" ? .deny : column == "size" ? .ignore : .ok
            default: .deny
            }
        }
        let row = try connection.query("SELECT id, size FROM notes")        // size is NULL
        try? connection.run("DELETE FROM notes")                          // SQLITE_AUTH (23)
        restriction.cancel()
        #expect(row?["id"] == 1 && (row?["size"] as Double?) == nil)
        #expect(try connection.count("notes") == 4)
        let token = connection.addAuthorizer { action, _, _, _, _ in action == .delete ? .deny : .ok }
        let error = try sqliteError { try connection.run("DELETE FROM notes") }
        #expect(error.code == 23 && error.message == "not authorized: DELETE notes in main", "\(error.message)")
        token.cancel()
    }
}
