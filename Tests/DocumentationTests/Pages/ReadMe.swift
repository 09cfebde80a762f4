// swift-format-ignore-file
//
// The `swift` blocks of the README and of the older articles, compiled and run as they stand there; `SnippetTests`
// compares the two.
import Foundation
import Squall
import Testing

struct Snippets {
    // The blocks have relative paths: they run in processes of their own, in directories of their own.

    @Test func readMe() async {
        await #expect(processExitsWith: .success) {
            try Snippets.runReadMe()
            try await Snippets.runThreadsAndTasks()
            try TableSnippets.run()
        }
    }

    @Test func articles() async {
        await #expect(processExitsWith: .success) {
            try Snippets.runArticles()
        }
    }

    private static func runReadMe() throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))

        let connection = try Connection("cars.db")
        try connection.execute("CREATE TABLE IF NOT EXISTS cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER)")

        try connection.run("INSERT INTO cars(name, price) VALUES(?, ?)", "Audi", 52_642)
        try connection.run("INSERT INTO cars(name, price) VALUES(:name, :price)", [":name": "Bentley", ":price": nil])

        let limit = 20_000
        let names: [String] = try connection.query("SELECT name FROM cars WHERE price > \(limit)")     // bound, not spliced
        #expect(names == ["Audi"])

        do {
            let app = try Connection("app.db")                                      // created if it does not exist
            let new = try Connection("new.db", mode: .createNew)                    // must not exist
            let old = try Connection("app.db", mode: .existing)                     // must exist
            let look = try Connection("app.db", mode: .readOnly)
            let memory = try Connection(storageLocation: .inMemory)
            #expect(!app.readOnly && !new.readOnly && !old.readOnly && look.readOnly && !memory.readOnly)
        }
        do {
            var configuration = Configuration.recommended
            configuration.synchronous = .full
            configuration.statementCacheCapacity = 32
            let careful = try Connection("careful.db", configuration: configuration)
            #expect(try careful.query("PRAGMA synchronous") == 2)
        }
        do {
            try connection.execute("""
                CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE visits(owner REFERENCES owners(id), day TEXT NOT NULL);
                """)

            try connection.run("INSERT INTO owners VALUES(?, ?)", 1, "Ada")
            try connection.run("INSERT INTO visits VALUES(:owner, :day)", [":owner": 1, ":day": Date()])

            let insert = try connection.prepare("INSERT INTO owners VALUES(?, ?)")
            for (id, name) in [(2, "Ben"), (3, "Cleo")] {
                try insert.bind(id, name).run()
            }
            print(connection.changes, connection.lastInsertRowID)                   // 1 3
            #expect(connection.changes == 1 && connection.lastInsertRowID == 3)
        }
        do {
            let name = "O'Hara"
            let ids = [1, 2, 3]
            let column = "name"
            let owner: String? = try connection.query("SELECT name FROM owners WHERE name = \(name)")
            let some: [String] = try connection.query("SELECT name FROM owners WHERE id IN \(in: ids)")
            let sorted: [String] = try connection.query("SELECT name FROM owners ORDER BY \(name: column)")

            let condition: SQL = "id > \(1)"
            let rest: SQL = "SELECT name FROM owners WHERE \(condition)"
            print(rest.text, rest.parameters)           // SELECT name FROM owners WHERE id > ? [Squall.BindingValue.integer(1)]
            #expect(owner == nil)
            #expect(some == ["Ada", "Ben", "Cleo"])
            #expect(sorted == some)
            #expect("\(rest.text) \(rest.parameters)" == "SELECT name FROM owners WHERE id > ? [Squall.BindingValue.integer(1)]")
            #expect(try connection.query(rest) as [String] == ["Ben", "Cleo"])
        }
        do {
            let count: Int = try connection.query("SELECT count(*) FROM cars")                           // throws for no row and NULL
            let price: Int? = try connection.query("SELECT price FROM cars WHERE name = ?", "Bentley")   // nil for no row and NULL
            let prices: [Int] = try connection.query("SELECT price FROM cars")                           // leaves NULLs out
            let all: [Int?] = try connection.query("SELECT price FROM cars")                             // keeps them
            let different: Set<Int> = try connection.query("SELECT price FROM cars")                     // leaves NULLs out
            let pairs: [String: Int?] = try connection.query("SELECT name, price FROM cars")             // keys and values
            let byName: [String: Int?] = try connection.query("SELECT name, price FROM cars") {
                try ($0.get(0), $0.get(1))
            }
            let tuples = try connection.query("SELECT name, price FROM cars", as: (String, Int?).self)   // [(String, Int?)]
            let row = try connection.query("SELECT * FROM cars LIMIT 1")                                 // Row?
            let rows: [Row] = try connection.query("SELECT * FROM cars")

            for name: String in try connection.query("SELECT name FROM cars") { print(name) }
            try connection.forEach("SELECT name, price FROM cars") { row, stop in                        // streams, constant memory
                let price: Int? = try row.get("price")
                print(try row.get("name") as String, price ?? 0)
                stop = price == nil                                                                      // { row in … } reads all rows
            }
            var cursor = try connection.rows("SELECT name, price FROM cars", as: (String, Int?).self)    // a loop that can stop
            while let (name, price) = try cursor.next() {
                if price == nil { break }
                print(name)
            }
            #expect(tuples.map(\.0).count == 2)
            #expect(count == 2)
            #expect(price == nil)
            #expect(prices == [52_642])
            #expect(all == [52_642, nil])
            #expect(different == [52_642])
            #expect(pairs == ["Audi": 52_642, "Bentley": nil])
            #expect(byName == pairs)
            #expect(row?["name"] == "Audi")
            #expect(rows.count == 2)
        }
        do {
            struct Car: Decodable {
                let id: Int
                let name: String
                let price: Int?
            }

            let cars: [Car] = try connection.query("SELECT * FROM cars WHERE price > \(limit)")
            let first: Car? = try connection.query("SELECT * FROM cars WHERE id = ?", 1)
            #expect(cars.map(\.name) == ["Audi"])
            #expect(first?.price == 52_642)
        }
        do {
            struct Owner: ExpressibleByRow {
                let id: Int64
                let name: String

                init(row: Row) throws {
                    id = try row.get("id")
                    name = try row.get("name")
                }
            }

            let owners: [Owner] = try connection.query("SELECT * FROM owners")
            #expect(owners.map(\.name) == ["Ada", "Ben", "Cleo"])
        }
        do {
            struct Kilometres: Binding {
                typealias BindingType = Double
                let value: Double

                var bindingValue: BindingValue { .real(value) }

                static func fromBindingValue(_ value: Any) -> Kilometres? {
                    (value as? Double).map { Kilometres(value: $0) }
                }
            }
            let distance: Kilometres = try connection.query("SELECT ?", Kilometres(value: 2.5))
            #expect(distance.value == 2.5)
        }
        do {
            let id = try connection.transaction {
                try connection.run("INSERT INTO cars(name) VALUES(?)", "Saab")
                try? connection.savepoint(named: "maybe") {
                    try connection.run("DELETE FROM cars")
                    throw CancellationError()                                       // rolls back only the savepoint
                }
                return connection.lastInsertRowID
            }
            #expect(id == 3)
            #expect(try connection.query("SELECT count(*) FROM cars") == 3)
        }
        do {
            let history = Schema("library") {
                Version(1) {
                    CreateTable("books") {
                        ColumnDef("id", Int64.self, .primaryKey)
                        ColumnDef("title", String?.self)
                    }
                }
                Version(2) {
                    Execute { try $0.delete(from: "books", where: "title IS NULL") }
                    AlterTable("books") {
                        ChangeColumn("title", to: String.self)                      // now NOT NULL
                        AddColumn("slug", String.self, fillingWith: "lower(title)") // evaluated on the old row
                    }
                    CreateIndex("books_slug", on: "books", "slug")
                }
            }

            print(try history.dryRun(connection).map(\.text))                       // the SQL that it would run
            let hasRun = try history.migrate(connection)                            // true if anything ran
            #expect(hasRun)
            #expect(try connection.tableInfo("books")?.columns.map(\.name) == ["id", "title", "slug"])
            let plan = try connection.plan(toMatch: User.table)
            print(plan.changes, plan.losses)
            try plan.apply()                                                        // apply(allowing: .columns) loses columns
            #expect(plan.losses.isEmpty)
        }
        do {
            try connection.addFunction("distance") { (a: Double, b: Double) in abs(a - b) }
            try connection.addAggregate("longest", initial: "") { (longest: inout String, text: String?) in
                if let text, text.count > longest.count { longest = text }
            } final: { longest in
                longest
            }
            try connection.addCollation("numeric") { $0.compare($1, options: .numeric) }

            let near: [String] = try connection.query("SELECT name FROM cars WHERE distance(coalesce(price, 0), 52000) < 1000")
            let longest: String = try connection.query("SELECT longest(name) FROM cars")
            let inOrder: [String] = try connection.query("SELECT name FROM cars ORDER BY name COLLATE numeric")
            #expect(near == ["Audi"])
            #expect(longest == "Bentley")
            #expect(inOrder == ["Audi", "Bentley", "Saab"])
        }
        do {
            let token = connection.addUpdateObserver { type, _, table, rowID in print(type, table ?? "", rowID) }
            try connection.addPreUpdateObserver { change in print(change.oldValues, change.newValues) }
            try connection.authorizer { action, _, _, _, _ in action == .attach ? .deny : .ok }
            connection.profile { statement in
                if statement.fullScanSteps > 1000 { print(statement.duration, statement.sql) }
            }
            token.cancel()
            try connection.authorizer(nil)
            connection.profile(nil)
        }
        do {
            try connection.busyHandler(.timeout(2))                                 // seconds
            let all: [Row] = try connection.withDeadline(.seconds(1)) {             // ends running statements and waits for locks
                try connection.query("SELECT * FROM cars")
            }
            #expect(all.count == 3)
        }
        do {
            let copy = try Connection("copy.db")
            try connection.backup(to: copy).run()                                   // or: for try await progress in …
            try connection.vacuum(into: "small.db")
            let bytes = try connection.serialize()

            let problems = try connection.integrityCheck()                          // [] when all is well
            print(try connection.explainQueryPlan("SELECT * FROM cars WHERE id = ?", 1))
            print(try connection.checkpoint(mode: .truncate).logFrames)             // 0
            connection.limits[.sqlLength] = 10_000
            #expect(bytes.count > 4096)
            #expect(problems == [])
            #expect(try copy.query("SELECT count(*) FROM cars") == 3)
        }
        do {
            do {
                try connection.run("SELECT nmae FROM cars")
            } catch ResultCode.constraintUnique {                                   // by code; a primary code matches its extended codes
                print("that name is taken")
            } catch let error as SQLiteError where error.kind == .interrupted(.deadline) {  // by kind, for Squall's own errors
                print("too slow")
            } catch let error as SQLiteError {
                print(error.message)                                                // no such column: nmae
                print(error)                                                        // codes, hint, the SQL, and a caret below the place
            }
        }
        let error = try sqliteError { try connection.run("SELECT nmae FROM cars") }
        #expect(error.message == "no such column: nmae")
        #expect(error.location?.column == 8)
    }

    private static func runThreads() throws -> Database {
        let database = try Database("shop.db")                                  // one connection writes while others read
        try database.executeWrite { try $0.execute("CREATE TABLE IF NOT EXISTS orders(id INTEGER PRIMARY KEY, item TEXT)") }
        try database.transaction { try $0.run("INSERT INTO orders(item) VALUES('tyres')") }     // commits, or rolls back
        let orders: Int = try database.executeRead { try $0.query("SELECT count(*) FROM orders") }   // in one snapshot
        #expect(orders == 1)
        return database
    }

    private static func runThreadsAndTasks() async throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
        let database = try runThreads()

        let items: [String] = try await database.read { try $0.query("SELECT item FROM orders") }
        let columns: [[Row.Column]] = try await database.read { try $0.query("SELECT * FROM orders") { $0.columns } }
        try await database.write(deadline: .seconds(2)) { try $0.run("DELETE FROM orders WHERE item = 'tyres'") }
        try await database.writeWithoutTransaction { try $0.vacuum() }           // each statement is a separate transaction

        let snapshot = try await database.snapshot()                            // unchanged while others write
        let seen: Int = try await snapshot.read { try $0.query("SELECT count(*) FROM orders") }
        for try await progress in database.backup(to: "orders-copy.db") { print(progress.fractionCompleted) }
        print(database.statistics.walSize)
        try await database.shutDown()                                           // in synchronous code: close()

        let observer = database.addUpdateObserver { type, _, table, rowID in print(type, table ?? "", rowID) }
        database.addProfileObserver { if $0.duration > .milliseconds(100) { print($0.duration, $0.sql) } }
        observer.cancel()
        #expect(items == ["tyres"])
        #expect(columns.map { $0.map(\.description) }.count == 1 && columns[0][1].bindingValue == .text("tyres"))
        #expect(seen == 0)
    }

    private static func runArticles() throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
        try Connection("cars.db").execute("CREATE TABLE cars(name, price); INSERT INTO cars VALUES('Audi', 52642)")

        let connection = try Connection("cars.db")
        let limit = 20_000
        let names: [String] = try connection.query("SELECT name FROM cars WHERE price > \(limit)")
        #expect(names == ["Audi"])
    }
}

nonisolated struct User: TableRecord {
    let id: Int64?
    let name: String
    let email: String?
    let age: Int

    static let table = Table("users", User.init) {
        Column("id", \User.id, .primaryKey)             // NOT NULL follows from whether the property is optional
        Column("name", \User.name)
        Column("email", \User.email, .unique)
        Column("age", \User.age, .default(0))           // .default("x") does not compile
    }
}

private enum TableSnippets {
    nonisolated struct Post: TableRecord {
        let id: Int64?
        let author: Int64
        let title: String

        static let author = Relation(\Post.author, to: \User.id)            // Relation<Post, User?>
        static let table = Table("posts", Post.init, .foreignKey(author)) {
            Column("id", \Post.id, .primaryKey)
            Column("author", \Post.author)
            Column("title", \Post.title)
        }
    }

    static func run() throws {
        let connection = try Connection()
        try connection.create(User.table)

        let insertUser = try connection.prepareInsert(into: User.table)
        try insertUser.run(nil, "Ada", "ada@example.org", 36)                   // a wrong type or number does not compile
        let id = try connection.insert(User(id: nil, name: "Cy", email: nil, age: 3))   // SQLite assigns the key
        try connection.insert(contentsOf: [                                     // all or none, many rows per statement
            User(id: nil, name: "Bo", email: nil, age: 20), User(id: nil, name: "Dee", email: "d@example.org", age: 40),
        ])
        try connection.upsert(User(id: nil, name: "Ada L.", email: "ada@example.org", age: 36), onConflict: \.email)

        let cy = try connection.find(User.self, id)                             // nil when there is none
        let adults = try connection.all(User.self) { $0.age > 17 && $0.email != nil }
        let oldest = try connection.max(\User.age)
        try connection.update(User.self) { $0.age.set(to: $0.age + 1) } where: { $0.name == "Cy" }
        let input = "bo"
        try connection.delete(User.self) { "\($0.name) COLLATE NOCASE = \(input)" }       // SQL fits everywhere
        #expect(cy?.name == "Cy")
        #expect(adults.map(\.name) == ["Ada L.", "Dee"])
        #expect(oldest == 40)

        let page = User.where { $0.age > 17 }.order { $0.name }.limit(20, offset: 0)
        print(page.sql)                                                         // SELECT "users"."id", … ORDER BY … LIMIT ? OFFSET ?
        print(try connection.all(page))

        let pairs = try connection.all(User.join(User.self) { $0.age == $1.age && $0.id < $1.id }.select { ($0.name, $1.name) })
        #expect(try connection.all(page).map(\.name) == ["Ada L.", "Dee"])
        #expect(pairs.isEmpty)

        try connection.create(Post.table)
        try connection.insert(Post(id: nil, author: 1, title: "Notes"))
        let counts = User.leftJoin(Post.self) { $0.id == $1.author }.group { user, _ in user.id }
            .select { ($0.record, $1.id.count()) }                              // [(User, Int)]
        let old = User.where { $0.age > User.select { $0.age.average() }.value }
        let byAda = Post.join(Post.author).where { _, author in author.name == "Ada L." }        // (Post, User)
        let withPosts = try connection.all(User.self, including: Post.author.inverse())          // [(User, [Post])], two queries
        #expect(try connection.all(counts).map(\.1) == [1, 0, 0])
        #expect(try connection.all(old).map(\.name) == ["Ada L.", "Dee"])
        #expect(try connection.all(byAda).map(\.0.title) == ["Notes"])
        #expect(withPosts.map { $0.1.map(\.title) } == [["Notes"], [], []])

        let limit = 3
        try connection.createTable("contacts", ["id INTEGER PRIMARY KEY", "name TEXT", "hits INTEGER DEFAULT 0"])
        let contactID = try connection.insert(into: "contacts", ["name": "Amelia Grey", "hits": 3])
        try connection.update("contacts", set: ["hits": "hits + 1" as SQL], where: "id = \(contactID)")
        let contactNames: [String] = try connection.select("name", from: "contacts", where: "hits > \(limit)", orderBy: "name")
        #expect(contactNames == ["Amelia Grey"])
    }
}
