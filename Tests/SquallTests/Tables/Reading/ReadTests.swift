import Squall
import SquallTestSupport
import Testing

struct ReadTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(User.table)
        try connection.create(Post.table)
        try connection.insert(
            contentsOf: [
                User(id: 1, name: "Ada", email: "ada@x.org", age: 36), User(id: 2, name: "Bo", email: nil, age: 17),
                User(id: 3, name: "Cy", email: nil, age: 36),
            ]
        )
        try connection.insert(
            contentsOf: [
                Post(id: 1, author: 1, title: "One", score: 1), Post(id: 2, author: 1, title: "Two", score: 2.5),
                Post(id: 3, author: 2, title: "Three", score: 4),
            ]
        )
    }

    @Test func findAndFirst() throws {
        #expect(try connection.find(User.self, 2)?.name == "Bo")
        #expect(try connection.find(User.self, 99) == nil)
        #expect(try connection.find(User.self, nil) == nil)
        #expect(try connection.first(User.self) { $0.age == 36 }?.name == "Ada")
        #expect(try connection.first(User.order { $0.name.descending })?.name == "Cy")
        #expect(try connection.first(User.self) { $0.age > 100 } == nil)
        let count = try sqliteError { _ = try connection.find(User.self, 1, 2) }
        #expect(count.kind == .problem(TableProblem.keyCount(columns: ["id"], given: 2), of: .table("users")))
        #expect(count.message.hasSuffix(#"the primary key of the table "users" is "id", and 2 values were given"#))
    }

    @Test func aKeyIsFoundWhereverItsColumnsAre() throws {
        struct Page: TableRecord, Equatable {
            let text: String
            let number: Int64
            let book: String
            static let table = Table("pages", Page.init, .primaryKey("book", "number")) {
                Column("text", \Page.text)
                Column("number", \Page.number)
                Column("book", \Page.book)
            }
        }
        try connection.create(Page.table)
        let page = Page(text: "a", number: 3, book: "b")
        try connection.insert(page)
        #expect(try connection.find(Page.self, key: "b", 3) == page)
        #expect(try connection.table(Page.table).find(key: "c", 3) == nil)
        let place = try sqliteError { _ = try connection.find(Page.self, "b", 3) }
        #expect(place.message.contains("is not its first column"))
        let type = try sqliteError { _ = try connection.find(Page.self, key: 3, "b") }
        #expect(type.message.hasSuffix(#"the key "book" of the table "pages" has the type String, not Int"#))
        let count = try sqliteError { _ = try connection.find(Page.self, key: "b") }
        #expect(
            count.kind == .problem(TableProblem.keyCount(columns: ["book", "number"], given: 1), of: .table("pages")))
        #expect(
            count.message.hasSuffix(#"the primary key of the table "pages" is "book", "number", and 1 value was given"#)
        )
        #expect(try sqliteError { _ = try connection.find(Page.self, key: "b", 3, 4) }.kind != count.kind)
    }

    @Test func expressionsWithAnOptionalOperandAreOptional() throws {
        let connection = try Connection()
        try connection.create(User.table)
        try connection.insert(User(id: 1, name: "Ada", email: nil, age: 4))
        let query = User.select {
            ($0.name.appending($0.email), $0.id + $0.id.cast(to: Int64.self), $0.age / ($0.age - 4))
        }
        let rows: [(String?, Int64?, Int?)] = try connection.all(query)
        #expect(rows.map(\.0) == [nil])
        #expect(rows.map(\.1) == [2])
        #expect(rows.map(\.2) == [nil])
        let others: [(Int, Int, String)] = try connection.all(
            User.select { ($0.age + $0.age, $0.age / 3, $0.name.appending($0.name)) }
        )
        #expect(others.map(\.0) == [8])
        #expect(others.map(\.1) == [1])
        #expect(others.map(\.2) == ["AdaAda"])
        let joined = User.leftJoin(Post.self) { $0.id == $1.author }.select { $0.name.appending($1.title) }
        try connection.create(Post.table)
        #expect(try connection.all(joined) == [nil])
        for query in [User.select { $0.age / 0 }, User.select { $0.age.remainder(dividingBy: 0) }] {
            #expect(try sqliteError { _ = try connection.all(query) }.message == "a division by 0")
        }
    }

    @Test func aStoredValueThatItsFormDoesNotReadThrowsAlsoInASelect() throws {
        struct Count: Initializable { var id = 0, number = 0 }
        let hex = StorageForm<Int>(
            "hex", type: "TEXT", encode: { .text(String($0, radix: 16)) },
            decode: { String.fromSQLiteValue($0).flatMap { Int($0, radix: 16) } }
        )
        let counts = Table("counts", Count.self) {
            Column("id", \Count.id, .primaryKey)
            Column("number", \Count.number, as: hex)
        }
        try connection.create(counts)
        try connection.table(counts).insert(Count(id: 1, number: 255))
        #expect(try connection.all(counts.select { $0.number }) == [255])
        try connection.run("UPDATE counts SET number = 7")
        // 7 is stored as TEXT, and is a hexadecimal number.
        #expect(try connection.all(counts.select { $0.number }) == [7])
        try connection.run("UPDATE counts SET number = x'07'")
        let inSelect = try #require(throws: ConversionError.self) {
            _ = try connection.all(counts.select { $0.number })
        }
        let inRecord = try #require(throws: ConversionError.self) { _ = try connection.table(counts).all() }
        #expect(inSelect.columnName == "number")
        #expect(inSelect.description.contains("found BLOB") == inRecord.description.contains("found BLOB"))
    }

    @Test func aNestedPropertyIsAColumnOfAQuery() throws {
        struct Address { var city = "", zip: String? }
        struct Shop: Initializable { var id = 0, address = Address() }
        let shops = Table("shops", Shop.self) {
            Column("id", \Shop.id, .primaryKey)
            Column("city", \Shop.address.city)
            Column("zip", \Shop.address.zip)
        }
        try connection.create(shops)
        try connection.table(shops).insert(Shop(id: 1, address: Address(city: "Oslo", zip: nil)))
        try connection.table(shops).insert(Shop(id: 2, address: Address(city: "Rome", zip: "1")))
        #expect(try connection.table(shops).all { $0[\.address.city] == "Rome" }.map(\.id) == [2])
        #expect(try connection.all(shops.where { $0[\.address.zip] == nil }.select { $0[\.address.city] }) == ["Oslo"])
    }

    @Test func numbers() throws {
        #expect(try connection.count(User.self) == 3)
        #expect(try connection.count(User.where { $0.age > 17 }) == 2)
        #expect(try connection.exists(User.self) { $0.name == "Bo" })
        #expect(try !connection.exists(User.where { $0.name == "Zoe" }))
        #expect(try connection.sum(\User.age) == 89)
        #expect(try connection.sum(\User.age) { $0.age > 100 } == nil)
        #expect(try connection.total(\User.age) { $0.age > 100 } == 0)
        #expect(try connection.average(\Post.score) == 2.5)
        #expect(try connection.min(\User.name) == "Ada")
        #expect(try connection.max(\User.email) == "ada@x.org")
        #expect(try connection.max(\User.age) { $0.name == "Bo" } == 17)
        #expect(try connection.groupConcat(\User.name, separator: "/") == "Ada/Bo/Cy")
    }

    @Test func forEachStreams() throws {
        var names: [String] = []
        try connection.forEach(User.self, where: { $0.age == 36 }) { names.append($0.name) }
        try connection.forEach(User.order { $0.id.descending }) { names.append($0.name) }
        #expect(names == ["Ada", "Cy", "Cy", "Bo", "Ada"])
        #expect(throws: CancellationError.self) {
            try connection.forEach(User.self) { _ in throw CancellationError() }
        }
    }

    @Test func groups() throws {
        let query = Post.query.group { $0.author }.having { _ in Expr.rowCount > 0 }.order { $0.author.ascending }
            .select { ($0.author, Expr.rowCount, $0.score.sum(), $0.title.groupConcat()) }
        let rows = try connection.all(query)
        #expect(rows.map(\.1) == [2, 1])
        #expect(rows.map(\.2) == [3.5, 4])
        #expect(rows.map(\.3) == ["One,Two", "Three"])
        #expect(try connection.all(User.query.distinct().select { $0.age }) == [36, 17])
    }

    @Test func joins() throws {
        let pairs = try connection.all(
            User.join(Post.self) { $0.id == $1.author }.where { $1.score > 1 }.order { $1.score.descending }
        )
        #expect(pairs.map(\.0.name) == ["Bo", "Ada"])
        #expect(pairs.map(\.1.title) == ["Three", "Two"])
        let left = try connection.all(User.leftJoin(Post.self) { $0.id == $1.author && $1.score > 3 })
        #expect(left.map { $0.1?.title } == [nil, "Three", nil])
        let same = try connection.all(
            User.join(User.self) { $0.age == $1.age && $0.id < $1.id }.select { ($0.name, $1.name) }
        )
        #expect(same.map { "\($0.0) \($0.1)" } == ["Ada Cy"])
        let three = User.join(Post.self) { $0.id == $1.author }.leftJoin(User.self) { _, post, other in
            other.id == post.id && other.age > 20
        }
        #expect(
            try connection.all(three.order { _, post, _ in post.id.ascending }).map { $0.2?.name } == [
                "Ada", nil, "Cy",
            ])
        #expect(try connection.count(three) == 3)
        #expect(try connection.all(User.where { $0.id.in(Post.select { $0.author }) }).map(\.name) == ["Ada", "Bo"])
    }

    @Test func theFileMayHaveOtherColumns() throws {
        try connection.execute(
            "DROP TABLE users; CREATE TABLE users(more, age INT, email TEXT, name TEXT, id INTEGER PRIMARY KEY)")
        try connection.insert(User(id: 4, name: "Dee", email: nil, age: 5))
        #expect(try connection.find(User.self, 4) == User(id: 4, name: "Dee", email: nil, age: 5))
        try connection.execute("ALTER TABLE users DROP COLUMN email")
        let error = try sqliteError { _ = try connection.all(User.self) }
        #expect(error.message == "no such column: users.email")
        try connection.execute("DROP TABLE users")
        #expect(try sqliteError { _ = try connection.find(User.self, 4) }.message == "no such table: users")
    }

    @Test func badRowsAreErrorsThatNameThePlace() throws {
        try connection.execute("DROP TABLE users; CREATE TABLE users(id, name, email, age)")
        func error(_ values: SQL) throws -> ConversionError {
            try connection.run("INSERT INTO users VALUES(\(values))")
            defer { try? connection.run("DELETE FROM users") }
            return try conversionError { _ = try connection.all(User.self) }
        }
        let null = try error("1, NULL, NULL, 3")
        #expect(null.reason == .null)
        #expect(null.tableName == "users")
        #expect(
            null.description == """
                column 1 "name" of table "users": expected String, found NULL in: SELECT "users"."id", "users"."name", \
                "users"."email", "users"."age" FROM "users"
                """
        )
        let text = try error("1, 'a', NULL, 'old'")
        #expect(text.reason == .storageClass)
        #expect(text.columnName == "age")
        let range = try error("1, 'a', NULL, 1.5")
        #expect(range.reason == .outOfRange)
        #expect(range.value == .real(1.5))
        let blob = try error("1, x'ff', NULL, 1")
        #expect(blob.found == .blob)
        let optional = try error("1, 'a', 5, 1")
        #expect(optional.columnName == "email" && optional.reason == .storageClass)
        try connection.run("INSERT INTO users VALUES(1, 'a', 5, 1)")
        let selected = try conversionError { _ = try connection.all(User.select { ($0.name, $0.email) }) }
        #expect(selected.columnIndex == 1)
        #expect(selected.columnName == "email")
    }

    private struct Optionals: TableRecord, Equatable {
        let text: String?, long: Int64?, integer: Int?, real: Double?
        static let table = Table("optionals", Optionals.init) {
            Column("text", \Optionals.text)
            Column("long", \Optionals.long)
            Column("integer", \Optionals.integer)
            Column("real", \Optionals.real)
        }
    }

    /// NULL is the only value that is read as `nil`.
    @Test func anOptionalPropertyOfAnotherTypeIsAnError() throws {
        try connection.execute("CREATE TABLE optionals(text, long, integer, real)")
        try connection.run("INSERT INTO optionals DEFAULT VALUES")
        #expect(
            try connection.all(Optionals.self) == [Optionals(text: nil, long: nil, integer: nil, real: nil)])
        for column in ["text", "long", "integer", "real"] {
            try connection.run("UPDATE optionals SET \(name: column) = x'ff'")
            let error = try conversionError { _ = try connection.all(Optionals.self) }
            #expect(error.columnName == column && error.found == .blob)
            try connection.run("UPDATE optionals SET \(name: column) = NULL")
        }
    }
}
