import Squall
import Testing

/// The call sites of the design, and what they do.
struct CallSiteTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(User.table)
        try connection.create(Post.table)
        try connection.create(points, ifNotExists: true)
    }

    @Test func createdTables() throws {
        #expect(
            User.table.createSQL.text == """
                CREATE TABLE "users"("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "email" TEXT UNIQUE, \
                "age" INTEGER NOT NULL DEFAULT 0)
                """
        )
        #expect(
            points.createSQL.text == """
                CREATE TABLE "points"("x" INTEGER NOT NULL, "y" INTEGER NOT NULL, "label" TEXT NOT NULL, \
                PRIMARY KEY ("x", "y"))
                """
        )
        #expect(
            Post.table.createSQL.text == """
                CREATE TABLE "posts"("id" INTEGER PRIMARY KEY AUTOINCREMENT, "author" INTEGER NOT NULL \
                REFERENCES "users"("id") ON DELETE CASCADE, "title" TEXT NOT NULL COLLATE "NOCASE", \
                "score" REAL NOT NULL CHECK (score >= 0))
                """
        )
        #expect(try connection.tableInfo("users") == User.table.definition)
        #expect(try connection.tableInfo("points") == points.definition)
        #expect(try connection.tableInfo("posts") == Post.table.definition)
    }

    @Test func theDesign() throws {
        let insert = try connection.prepareInsert(into: User.table)
        try insert.run(nil, "Ada", "ada@example.org", 36)
        let id = try connection.insert(User(id: nil, name: "Cy", email: nil, age: 3))
        #expect(id == 2)
        let users = [User(id: 10, name: "Bo", email: "b", age: 20), User(id: nil, name: "Dee", email: "d", age: 40)]
        try connection.insert(contentsOf: users)
        var user = User(id: id, name: "Cyd", email: "c", age: 4)
        try connection.replace(user)
        try connection.upsert(User(id: nil, name: "Cyrus", email: "c", age: 5), onConflict: \.email)
        let cy = try connection.find(User.self, id)
        #expect(cy == User(id: 2, name: "Cyrus", email: "c", age: 5))
        user = User(id: 2, name: "Cy", email: "c", age: 6)
        #expect(try connection.update(user))
        #expect(try connection.find(User.self, 2) == user)
        let adults = try connection.all(User.self) { $0.age > 17 && $0.name == "Ada" }
        #expect(adults.map(\.name) == ["Ada"])
        let oldest = try connection.max(\User.age)
        let n = try connection.count(User.self) { $0.email == nil }
        #expect(oldest == 40)
        #expect(n == 0)
        let page = try connection.all(User.where { $0.age > 17 }.order { $0.name.ascending }.limit(20, offset: 1))
        #expect(page.map(\.name) == ["Bo", "Dee"])

        try connection.insert(Post(id: nil, author: 1, title: "Notes", score: 1.5))
        let titles = try connection.all(User.join(Post.self) { $0.id == $1.author }.select { ($0.name, $1.title) })
        #expect(titles.map { "\($0.0): \($0.1)" } == ["Ada: Notes"])
        let drafts = try connection.all(User.leftJoin(Post.self) { $0.id == $1.author }.select { ($0.name, $1.title) })
        let missing: [String] = drafts.filter { $0.1 == nil }.map(\.0)
        #expect(missing == ["Cy", "Bo", "Dee"])

        try connection.table(points).insert(Point(x: 1, y: 2, label: "p"))
        #expect(try connection.table(points).find(1, 2) == Point(x: 1, y: 2, label: "p"))
        #expect(try connection.table(points).all { $0.x == 1 }.count == 1)
        try connection.delete(user)
        #expect(try connection.count(User.self) == 3)
    }

    @Test func twoSelectedValuesAreNotAPack() throws {
        // The compiler would refuse each statement with a pack.
        try connection.insert(User(id: nil, name: "Ada", email: nil, age: 36))
        var printed = ""
        print(try connection.all(User.select { ($0.name, $0.email) }).count, to: &printed)
        #expect(printed == "1\n")
        let pairs = User.select { ($0.id, $0.age) }.named("pairs").where { $0.0 == 3 && $0.1 > 1 }
        #expect(pairs.sql.text.hasSuffix(#"FROM "pairs" WHERE "pairs"."c1" = ? AND "pairs"."c2" > ?"#))
        _ = Post.select { ($0.score, $0.title) }.named("rates").where { $0.0 == 3 && $0.1 == "x" }
        _ = User.select { ($0.id, $0.email) }.named("mails").where { $0.1 == "x" || $0.0 != nil }
    }
}
