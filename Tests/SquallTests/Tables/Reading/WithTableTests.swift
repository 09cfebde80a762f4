import Squall
import SquallTestSupport
import Testing

/// Arrays of records that SQL reads as tables.
struct WithTableTests {
    let connection: Connection
    let users = [
        User(id: 10, name: "Ada", email: nil, age: 36), User(id: nil, name: "Bo \0", email: "b@x.org", age: 17),
        User(id: 12, name: "Cy", email: "", age: 36),
    ]

    init() throws {
        connection = try Connection()
    }

    @Test func theTableHasTheColumnsAndValuesOfTheRecords() throws {
        let rows: [Row] = try connection.withTable("incoming", users) {
            try $0.query("SELECT rowid, * FROM incoming ORDER BY rowid")
        }
        #expect(
            rows.map(\.valuesText) == [
                "[1, 10, 'Ada', NULL, 36]", "[2, NULL, 'Bo \0', 'b@x.org', 17]", "[3, 12, 'Cy', '', 36]",
            ])
        let types: [String] = try connection.withTable("incoming", users) {
            try $0.query("SELECT name || ' ' || type FROM pragma_table_info('incoming') ORDER BY cid")
        }
        #expect(types == ["id INTEGER", "name TEXT", "email TEXT", "age INTEGER"])
    }

    @Test func itJoinsOtherTables() throws {
        try connection.create(Post.table)
        try connection.insert(Post(id: 1, author: 12, title: "One", score: 1))
        let title: String? = try connection.withTable("incoming", users) {
            try $0.query(
                "SELECT title FROM posts JOIN incoming ON incoming.id = posts.author WHERE incoming.name = 'Cy'")
        }
        #expect(title == "One")
        try connection.withTable("incoming", users) {
            try $0.run(
                "INSERT INTO posts(author, title, score) SELECT id, name, age FROM incoming WHERE id IS NOT NULL")
        }
        #expect(try connection.query("SELECT group_concat(title) FROM posts") == "One,Ada,Cy")
        let found = try connection.withTable("incoming", users) { connection in
            try connection.withTable("more", [users[2]]) {
                try $0.query("SELECT count(*) FROM incoming JOIN more USING (age, name)") as Int
            }
        }
        #expect(found == 1)
    }

    @Test func aDeclaredCollationHolds() throws {
        let posts = [Post(id: 1, author: 1, title: "One", score: 1)]
        let count: Int = try connection.withTable("incoming", posts) {
            try $0.query("SELECT count(*) FROM incoming WHERE title = 'ONE'")
        }
        #expect(count == 1)
    }

    @Test func recordsOfATableWithoutATypeOfItsOwnPass() throws {
        let sum: Int = try connection.withTable("p", [Point(x: 1, y: 2), Point(x: 3, y: 4)], as: points) {
            try $0.query("SELECT sum(x * y) FROM p")
        }
        #expect(sum == 14)
    }

    @Test func outsideTheClosureItCannotBeRead() throws {
        let statement = try connection.withTable("incoming", users) { try $0.prepare("SELECT count(*) FROM incoming") }
        let error = try sqliteError { try statement.step() }
        #expect(error.message == "the records of incoming are no longer a table")
        #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM incoming") }
        // A scan that has begun keeps its records.
        let other = try connection.withTable("incoming", users) {
            let other = try $0.prepare("SELECT name FROM incoming")
            #expect(try other.step())
            return other
        }
        #expect(try other.step())
        try other.reset()
        #expect(throws: SQLiteError.self) { try other.step() }
    }

    @Test func theSameNameServesOtherRecordsLater() throws {
        for count in [3, 1, 0, 2] {
            let found: Int = try connection.withTable("incoming", Array(users.prefix(count))) {
                try $0.query("SELECT count(*) FROM incoming")
            }
            #expect(found == count)
        }
        let titles: [String] = try connection.withTable("Incoming", [Post(id: 1, author: 1, title: "One", score: 1)]) {
            try $0.query("SELECT title FROM incoming")
        }
        #expect(titles == ["One"])
    }

    @Test func anErrorOfTheClosureEndsTheTable() throws {
        #expect(throws: ScanError.three) { try connection.withTable("incoming", users) { _ in throw ScanError.three } }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM incoming") }
        #expect(
            try connection.withTable("incoming", users) { try $0.query("SELECT count(*) FROM incoming") as Int } == 3)
    }

    @Test func namesThatAreTakenAreErrors() throws {
        try connection.execute("CREATE TABLE a(x); CREATE VIEW b AS SELECT 1; CREATE TEMP TABLE c(x)")
        try connection.register(named: "d") { _ in Squares() }
        for name in ["a", "B", "c", "d", "json_each", "sqlite_master"] {
            #expect(throws: SQLiteError.self, "\(name)") { try connection.withTable(name, users) { _ in } }
        }
        try connection.withTable("e", users) { connection in
            let error = try sqliteError { try connection.withTable("E", users) { _ in } }
            #expect(error.message == "a table, a view or a module is already named E")
            #expect(try connection.query("SELECT count(*) FROM e") == 3)
        }
        // The name is free for a table that is stored, which then has it.
        try connection.execute("CREATE TABLE e(x)")
        #expect(throws: SQLiteError.self) { try connection.withTable("e", users) { _ in } }
        #expect(throws: SQLiteError.self) { try connection.withTable("a\0b", users) { _ in } }
        let odd: Int = try connection.withTable("my \"table\"", users) {
            try $0.query("SELECT count(*) FROM \"my \"\"table\"\"\"")
        }
        #expect(odd == 3)
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func modulesKeepTheirNames() throws {
        try connection.register(named: "created", use: .created) { _ in Squares() }
        for name in ["fts5", "RTREE", "created", "squall_array", "Squall_other", "pragma_table_info"] {
            #expect(throws: SQLiteError.self, "\(name)") { try connection.withTable(name, users) { _ in } }
        }
        try connection.execute("CREATE VIRTUAL TABLE f USING fts5(a); CREATE VIRTUAL TABLE c USING created")
    }

    @Test func aModuleThatTakesTheNameIsNotTakenForTheRecords() throws {
        try connection.withTable("incoming", users) { _ in }
        try connection.register(named: "incoming") { _ in Squares(7) }
        #expect(throws: SQLiteError.self) { try connection.withTable("incoming", users) { _ in } }
        try connection.removeModule(named: "incoming")
        let count: Int = try connection.withTable("incoming", users) { try $0.query("SELECT count(*) FROM incoming") }
        #expect(count == 3)
    }

    @Test func aReaderOfADatabaseUsesItToo() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("a.db"))
        try database.blocking.writeWithoutTransaction { try $0.create(User.table) }
        let count = try database.blocking.read {
            try $0.withTable("incoming", users) {
                try $0.query("SELECT count(*) FROM incoming LEFT JOIN users USING (id)") as Int
            }
        }
        #expect(count == 3)
    }

    @Test func itsRowsAreReadOnly() throws {
        try connection.withTable("incoming", users) { connection in
            #expect(throws: SQLiteError.self) { try connection.run("DELETE FROM incoming") }
        }
    }
}
