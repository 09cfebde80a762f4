// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

// The `swift` blocks of the articles, as `SnippetTests` requires. Those of the older articles are in `ReadMe.swift`.

struct ArticleSnippets {
    @Test func rollbacks() throws {
        let connection = try Connection()
        try connection.execute("CREATE TABLE orders(item); CREATE TABLE cars(id INTEGER PRIMARY KEY); INSERT INTO cars VALUES(1)")
        let error = try sqliteError {
            try connection.transaction {
                try connection.run("INSERT INTO orders(item) VALUES('tyres')")
                // The id exists: SQLite rolls back.
                try? connection.run("INSERT OR ROLLBACK INTO cars(id) VALUES(1)")
                // Throws transactionLost:
                try connection.run("INSERT INTO orders(item) VALUES('oil')")
            }
        }
        #expect(error.kind == .transactionLost)
        #expect(try connection.count("orders") == 0)
    }

    @Test func typedQueries() throws {
        let connection = try Shop.connection()
        let orders = Order.where { $0.price > 6 }.order { $0.id }.limit(10)
        // SELECT … FROM "orders" WHERE "orders"."price" > 6.0
        // ORDER BY "orders"."id" ASC LIMIT 10
        let found = try connection.all(orders)  // [Order]
        #expect(found.allSatisfy { $0.price > 6 })
        func orderQuery(under price: Double?, of customer: Int64?) -> Query<Columns<Order>> {
            var query = Order.order { $0.id }
            if let price { query = query.where { $0.price < price } }
            if let customer { query = query.where { $0.customer == customer } }
            return query
        }
        let byCity = Customer.order { ($0.city, $0.name) }
        var page = try connection.page(byCity, size: 2)  // Page<Customer>
        while let next = page.next {
            page = try connection.page(byCity, after: next, size: 2)
            // SELECT … FROM "customers"
            // WHERE ("customers"."city", "customers"."name", "customers"."id")
            //     > ('Oslo', 'Bo', 2)
            // ORDER BY "customers"."city" ASC, "customers"."name" ASC,
            //     "customers"."id" ASC LIMIT 3
        }
        let cities = Customer.group { $0.city }.select { ($0.city, $0.id.count()) }
            .having { $0.id.count() > 1 }  // [(String, Int)]
        // SELECT "customers"."city", count("customers"."id") FROM "customers"
        // GROUP BY … HAVING count("customers"."id") > 1

        let counts = Customer.leftJoin(Order.self) { $0.id == $1.customer }
            .group { customer, _ in customer.id }
            .select { ($0.record, $1.id.count()) }  // [(Customer, Int)]
        struct Summary { let name: String; let total: Double? }
        let summaries = Customer.join(Order.self) { $0.id == $1.customer }
            .group { customer, _ in customer.id }
            .select(into: Summary.init) { ($0.name, $1.price.sum()) }  // [Summary]
        let natives = Customer.select { ($0.name, $0.city == "Oslo") }  // [(String, Bool)]
        // SELECT "customers"."name", ("customers"."city" = ?) IS TRUE FROM "customers"
        #expect(natives.sql.text == #"SELECT "customers"."name", ("customers"."city" = ?) IS TRUE FROM "customers""#)
        let manager = Customer.as("manager")
        let pairs = Customer.join(manager) { $0.manager == $1.id }
            .select { ($0.name, $1.name) }
        // … FROM "customers"
        // JOIN "customers" AS "manager" ON "customers"."manager" = "manager"."id"
        let families = Item.join(Category.self) { $0.category == $1.id }
            .join(Category.self) { $1.parent == $2.id }
            .select { ($0.id, $0.name, $2.name) }.named("families")
        let bought = Order.join(Customer.self) { $0.customer == $1.id }
            .leftJoin(Customer.self) { $1.manager == $2.id }
            .join(families) { $0.item == $3.0 }
            .select { ($1.name, $2.name, $3.1, $3.2) }
        // WITH "families"("c1", "c2", "c3") AS (SELECT … FROM "items" JOIN … JOIN …)
        // SELECT … FROM "orders" JOIN "customers" ON … LEFT JOIN … JOIN "families" ON …

        let lines = try connection.query("""
            SELECT customers.name, items.name FROM orders
            JOIN customers ON customers.id = orders.customer
            JOIN items ON items.id = orders.item ORDER BY orders.id
            """, as: (String, String).self)  // [(String, String)]
        let buyers = Customer.where { customer in
            Order.where { $0.customer == customer.id }.exists
        }
        // … WHERE EXISTS (
        //     SELECT 1 FROM "orders" WHERE "orders"."customer" = "customers"."id")

        let numbers = Customer.select { customer in
            (customer.name, Order.where { $0.customer == customer.id }.count)
        }
        // SELECT "customers"."name", (SELECT count(*) FROM "orders" WHERE …)
        // FROM "customers"

        let expensive = Order.where { $0.price > Order.select { $0.price.average() }.value }
        // … WHERE "orders"."price" > (
        //     SELECT avg("orders_2"."price") FROM "orders" AS "orders_2")
        let names = Customer.select { $0.name }.union(Item.select { $0.name })
            .order { $0.ascending }.limit(10)
        // SELECT "customers"."name" FROM "customers"
        // UNION SELECT "items"."name" FROM "items" ORDER BY 1 ASC LIMIT 10
        let totals = Order.group { $0.customer }.select { ($0.customer, $0.price.sum()) }
            .named("totals")
        let best = Customer.join(totals) { $0.id == $1.0 }
            .where { _, totals in totals.1 > 6 }
            .select { ($0.name, $1.1) }
        // WITH "totals"("c1", "c2") AS (
        //     SELECT "orders"."customer", sum("orders"."price") FROM "orders" GROUP BY …)
        // SELECT "customers"."name", "totals"."c2" FROM "customers"
        // JOIN "totals" ON "customers"."id" = "totals"."c1" WHERE …
        let tree = Category.recursive {
            Category.where { $0.parent == nil }
        } step: { tree in
            Category.join(tree) { $0.parent == $1.id }
                .select { category, _ in category.record }
        }
        // WITH RECURSIVE "categories_tree"(…) AS (
        //     SELECT … WHERE "categories"."parent" IS NULL UNION ALL SELECT … JOIN …)
        // SELECT … FROM "categories_tree"

        let numbersToTen = SQL.row(1).recursive("numbers") { numbers in
            numbers.where { $0 < 10 }.select { $0 + 1 }
        }.query
        #expect(try connection.all(orders).map(\.id) == [1, 2])
        #expect(page == Page(items: [Customer(id: 3, name: "Cy", city: "Rome", manager: 1)], next: nil))
        #expect(try connection.all(cities).map(\.0) == ["Oslo"])
        #expect(try connection.all(counts).map(\.1) == [2, 1, 0])
        #expect(try connection.all(summaries).map(\.total) == [30, 5])
        #expect(try connection.count(pairs) == 2 && connection.count(buyers) == 2 && connection.count(best) == 1)
        #expect(try connection.all(numbers).map(\.1) == [2, 1, 0])
        let boughtRows: [(String, String?, String, String)] = try connection.all(bought)
        #expect(boughtRows.map { "\($0) \($1 ?? "-") \($2) \($3)" } == ["Ada - Tyre Car", "Ada - Lamp Car", "Bo Ada Tyre Car"])
        #expect(lines.map { "\($0) \($1)" } == ["Ada Tyre", "Ada Lamp", "Bo Tyre"])
        #expect(try connection.all(expensive).map(\.id) == [2])
        #expect(try connection.count(names) == 6 && connection.count(tree) == 4 && connection.count(numbersToTen) == 10)
    }

    @Test func relations() throws {
        let connection = try Connection()
        for table: any RecordTable in [Author.table, Book.table, Genre.table, BookGenre.table] { try connection.create(table) }
        let ada = Author(id: 1, name: "Ada")
        let book = Book(id: 1, author: 1, title: "Notes")
        try connection.insert(ada)
        try connection.insert(contentsOf: [book, Book(id: 2, author: 1, title: "Mort")])
        try connection.insert(Genre(id: 7, name: "science"))
        try connection.insert(BookGenre(book: 1, genre: 7))
        let books = try connection.all(Author.books, of: ada)     // [Book]
        let author = try connection.first(Book.author, of: book)  // Author?
        let recent = try connection.all(
            Author.books.where { $0.title != "Mort" }.order { $0.title.descending },
            of: ada)
        let authors = try connection.all(Author.self, including: Author.books)
        // [(Author, [Book])], two queries
        let ones = try connection.all(
            Author.where { $0.name == "Ada" },
            including: Author.books.including(Book.genres, Book.author))
        // [(Author, [(Book, [Genre], Author?)])], four queries
        let page = try connection.page(
            Book.order { $0.title }, size: 20, including: Book.author, Book.genres)
        // page.items: [(Book, Author?, [Genre])]
        let siblings = try connection.all(
            Book.self, including: Book.author.including(Author.books))
        // [(Book, (Author, [Book])?)], three queries
        #expect(siblings[0].1?.1.count == 2)
        #expect(page.items.map(\.0.title) == ["Mort", "Notes"] && page.items.map(\.2.count) == [0, 1] && page.next == nil)
        let titles = Author.join(Author.books)
            .where { author, _ in author.name == "Ada" }
            .select { ($0.name, $1.title) }
        // SELECT "authors"."name", "books"."title" FROM "authors"
        // JOIN "books" ON "authors"."id" = "books"."author" WHERE …
        #expect(books.map(\.title) == ["Notes", "Mort"] && author?.name == "Ada" && recent.map(\.title) == ["Notes"])
        #expect(authors.map { $0.1.count } == [2])
        #expect(ones.map { $0.1.map { $0.1.map(\.name) } } == [[["science"], []]])
        #expect(ones.map { $0.1.map { $0.2?.name } } == [["Ada", "Ada"]])
        #expect(try connection.all(titles).map(\.1) == ["Notes", "Mort"])
        #expect(titles.sql.debugDescription.hasPrefix(#"SELECT "authors"."name", "books"."title" FROM "authors" JOIN "books" ON "authors"."id" = "#))
        #expect(try Schema("books") { Version(1) { CreateTable(Book.table.definition) } }.migrate(Connection()))
    }

    struct Author: TableRecord {
        let id: Int64?
        let name: String

        static let books = Book.author.inverse()  // Relation<Author, [Book]>
        static let table = Table("authors", Author.init) {
            Column("id", \Author.id, .primaryKey)
            Column("name", \Author.name)
        }
    }

    struct Book: TableRecord {
        let id: Int64?
        let author: Int64
        let title: String

        // Relation<Book, Author?>
        static let author = Relation(\Book.author, to: \Author.id)
        // Relation<Book, [Genre]>: many to many
        static let genres = Relation(
            \Book.id, through: \BookGenre.book, \BookGenre.genre, to: \Genre.id)
        static let table = Table(
            "books", Book.init, .foreignKey(author, onDelete: .cascade)
        ) {
            Column("id", \Book.id, .primaryKey)
            Column("author", \Book.author)
            Column("title", \Book.title)
        }
    }

    struct Genre: TableRecord {
        let id: Int64
        let name: String

        static let table = Table("genres", Genre.init) {
            Column("id", \Genre.id, .primaryKey)
            Column("name", \Genre.name)
        }
    }

    struct BookGenre: TableRecord {
        let book: Int64
        let genre: Int64

        static let table = Table("books_genres", BookGenre.init, .withoutRowID) {
            Column("book", \BookGenre.book, .primaryKey)
            Column("genre", \BookGenre.genre, .primaryKey)
        }
    }

    @Test func writingRecords() throws {
        let connection = try Connection()
        try connection.create(User.table)
        try connection.create(Visitor.table)
        let users = [
            User(id: nil, name: "Bo", email: "bo@example.org", visits: 2), User(id: nil, name: "Cy", email: "cy@example.org", visits: 0),
        ]
        let guests = [User(id: nil, name: "Dee", email: nil, visits: 5)]
        var statements: [String] = []
        connection.traceStatements { statements.append($0) }
        do {
            // Returns the rowid:
            let id = try connection.insert(
                User(id: nil, name: "Ada", email: "ada@example.org", visits: 1))
            // INSERT OR IGNORE:
            try connection.insert(
                User(id: 1, name: "Eve", email: nil, visits: 0), orIgnore: true)
            try connection.insert(contentsOf: users)   // many rows for each statement
            try connection.replace(contentsOf: users)  // INSERT OR REPLACE

            let insertUser = try connection.prepareInsert(User.self)
            for user in guests { try insertUser.run(user) }
            #expect(id == 1)
        }
        let ada = try #require(try connection.find(User.self, 1))
        #expect(try connection.all(User.self).map(\.name) == ["Ada", "Bo", "Cy", "Dee"])
        statements = []
        do {
            try connection.upsert(ada, onConflict: \.email)
            // INSERT INTO "users"(…) VALUES(…) ON CONFLICT("email")
            // DO UPDATE SET "name" = excluded."name", "visits" = excluded."visits"

            let ids = try connection.insert(contentsOf: users, onConflict: \.email) {
                $0.visits.set(to: $0.visits + $0.excluded.visits)
            } where: {
                $0.visits < 100
            } returning: {
                $0.id
            }
            // … ON CONFLICT("email")
            // DO UPDATE SET "visits" = "users"."visits" + "excluded"."visits" WHERE …
            // RETURNING "users"."id"
            #expect(ids.count == 2)
        }
        #expect(statements.first?.contains(#"DO UPDATE SET "name" = excluded."name", "visits" = excluded."visits""#) == true)
        #expect(statements.contains { $0.contains(#"SET "visits" = "users"."visits" + "excluded"."visits" WHERE"#) })
        try connection.create(Member.table)
        let member = Member(id: nil, name: "Ada", email: "ada@example.org", deleted: nil)
        do {
            // CREATE UNIQUE INDEX … ON "members"("email") WHERE deleted IS NULL
            try connection.upsert(member, onConflict: \.email, indexWhere: { $0.deleted == nil })
            // … ON CONFLICT("email") WHERE "members"."deleted" IS NULL DO UPDATE SET …

            // CREATE UNIQUE INDEX … ON "members"(lower(name))
            try connection.upsert(member, onExpression: "lower(name)") {
                $0.email.set(to: $0.excluded.email)
            }
            // … ON CONFLICT(lower(name)) DO UPDATE SET "email" = "excluded"."email"
        }
        #expect(statements.contains { $0.contains(#"ON CONFLICT("email") WHERE "members"."deleted" IS NULL DO UPDATE SET"#) })
        #expect(statements.last?.hasSuffix(#"ON CONFLICT(lower(name)) DO UPDATE SET "email" = "excluded"."email""#) == true)
        #expect(try connection.count(Member.self) == 1)
        let changed = User(id: 1, name: "Ada", email: "ada@example.org", visits: 7)
        statements = []
        do {
            try connection.update(User.self) {
                $0.visits.set(to: $0.visits + 1)
            } where: {
                $0.name == "Ada"
            }
            try connection.update(changed, changedFrom: ada)  // only the columns that differ
            try connection.delete(User.self) { $0.visits == 0 }
            try connection.delete(ada)                        // by its key
        }
        #expect(statements.contains { $0 == #"UPDATE "users" SET "visits" = 7 WHERE "users"."id" = 1"# })
        #expect(try connection.all(User.self).map(\.name) == ["Bo", "Dee"])
        statements = []
        do {
            try connection.insert(into: Visitor.self, from: User.where { $0.visits > 0 })
            // INSERT INTO "visitors"(…)
            // SELECT "users"."id", … FROM "users" WHERE "users"."visits" > 0

            try connection.update(User.self, from: Visitor.self) { user, visitor in
                user.visits.set(to: visitor.visits)
            } where: { user, visitor in
                user.id == visitor.id
            }
            // UPDATE "users" SET "visits" = "visitors"."visits" FROM "visitors"
            // WHERE "users"."id" = "visitors"."id"
        }
        #expect(statements.last?.hasSuffix(#"SET "visits" = "visitors"."visits" FROM "visitors" WHERE "users"."id" = "visitors"."id""#) == true)
        #expect(try connection.count(Visitor.self) == 2)
    }

    struct User: TableRecord {
        let id: Int64?
        let name: String
        let email: String?
        let visits: Int

        static let table = Table("users", User.init) {
            Column("id", \User.id, .primaryKey)
            Column("name", \User.name)
            Column("email", \User.email, .unique)
            Column("visits", \User.visits)
        }
    }

    struct Member: TableRecord {
        let id: Int64?
        let name: String
        let email: String?
        let deleted: Date?

        static let table = Table(
            "members", Member.init, .index("members_email", on: "email", unique: true, where: "deleted IS NULL"),
            .index("members_name", on: .expression("lower(name)"), unique: true)
        ) {
            Column("id", \Member.id, .primaryKey)
            Column("name", \Member.name)
            Column("email", \Member.email)
            Column("deleted", \Member.deleted)
        }
    }

    struct Visitor: TableRecord {
        let id: Int64?
        let name: String
        let email: String?
        let visits: Int

        static let table = Table("visitors", Visitor.init) {
            Column("id", \Visitor.id, .primaryKey)
            Column("name", \Visitor.name)
            Column("email", \Visitor.email)
            Column("visits", \Visitor.visits)
        }
    }
}
