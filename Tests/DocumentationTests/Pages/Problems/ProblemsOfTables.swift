// swift-format-ignore-file
import Foundation
import Squall
import Testing

/// The `swift` blocks of the page "Problems of tables and queries".
struct TableProblemSnippets {
    private let connection: Connection

    init() throws { connection = try Connection(":memory:") }

    @Test func declarations() throws {
        struct Point: TableRecord {
            let x: Int, y: Int, area = 1
            init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
            static let table = Table("points", Point.init) {
                Column("y", \Point.y)
                Column("x", \Point.x)
            }
        }
        expect(TableProblem.columnOrder(column: "y", valueOf: "x"), """
            the columns of the table "points" are not in the order of the \
            initialiser: "y" gets the value of "x"
            """) {
            try connection.create(Point.table)
        }
        expect(TableProblem.repeatedColumn("X"), """
            the table "points" is declared with two columns "X"
            """) {
            let twice = Table("points", Point.init) {
                Column("x", \Point.x)
                Column("X", \Point.y)
            }
            try connection.create(twice)
        }
        expect(TableProblem.noColumns, #"the table "points" is declared without columns"#) {
            try connection.plan(toMatch: [TableDefinition(name: "points", columns: [])])
        }
        struct Circle: Initializable { let radius = 1 }
        let circles = Table("circles", Circle.self) { Column("radius", \Circle.radius) }
        try connection.execute("CREATE TABLE circles(radius); INSERT INTO circles VALUES(2)")
        // Declare the property with `var`, or the table with an initialiser.
        expect(TableProblem.readOnlyProperty(column: "radius"), """
            the property of the column "radius" cannot be set
            """) {
            try connection.table(circles).all()
        }
    }

    @Test func computedProperties() throws {
        struct Word: TableRecord {
            private let stored: String
            var text: String { stored.uppercased() + "!" }
            init(text: String) { stored = text }
            static let table = Table("words", Word.init) { Column("text", \Word.text) }
        }
        // Give the column the stored property.
        expect(TableProblem.computedProperty(column: "text"), """
            the column "text" of the table "words" is a computed property, and does \
            not return what the initialiser was given
            """) {
            try connection.create(Word.table)
        }
    }

    @Test func keys() throws {
        struct Page: TableRecord {
            let text: String, book: String, number: Int
            static let table = Table("pages", Page.init, .primaryKey("book", "number")) {
                Column("text", \Page.text)
                Column("book", \Page.book)
                Column("number", \Page.number)
            }
        }
        struct Line: TableRecord {
            let text: String
            static let table = Table("lines", Line.init) { Column("text", \Line.text) }
        }
        try connection.create(Page.table)
        try connection.create(Line.table)
        expect(TableProblem.noPrimaryKey, """
            the table "lines" is declared without a primary key
            """) {
            try connection.delete(Line(text: "a"))
        }
        expect(TableProblem.primaryKeyIsNotFirst, """
            the primary key of the table "pages" is not its first column: use \
            find(_:key:)
            """) {
            try connection.find(Page.self, "Emma", 3)
        }
        expect(TableProblem.keyCount(columns: ["book", "number"], given: 1), """
            the primary key of the table "pages" is "book", "number", and 1 value was \
            given
            """) {
            try connection.find(Page.self, key: "Emma")
        }
        expect(TableProblem.keyType(column: "book", expected: "String", found: "Int"), """
            the key "book" of the table "pages" has the type String, not Int
            """) {
            try connection.find(Page.self, key: 3, "Emma")
        }
    }

    @Test func keysOfRecords() throws {
        struct Car: TableRecord {
            var id: Int64?
            var name: String
            let wheels = 4
            static let table = Table("cars", Car.init) {
                Column("id", \Car.id, .primaryKey)
                Column("name", \Car.name)
            }
        }
        try connection.create(Car.table)
        // Insert the record first, and keep the key that `insert` returns.
        expect(TableProblem.missingKey(column: "id"), """
            the record has no value for "id", the primary key of the table "cars"
            """) {
            try connection.update(Car(id: nil, name: "Audi"))
        }
        // Delete the old record, and insert the new one.
        expect(TableProblem.changedKey(column: "id"), """
            the record has another value for "id", the primary key of the table \
            "cars", than the old one
            """) {
            let old = Car(id: 1, name: "Audi")
            try connection.update(Car(id: 2, name: "Audi"), changedFrom: old)
        }
        // Declare a column for the property, or select what it is made of.
        expect(TableProblem.unknownProperty("\\Car.wheels"), """
            the table "cars" has no column for \\Car.wheels
            """) {
            try connection.all(Car.self) { $0.wheels == 4 }
        }
    }

    @Test func keysOfRelations() throws {
        struct Label: TableRecord {
            let code: String
            static let notes = Relation(\Note.label, to: \Label.code).inverse()
            static let table = Table("labels", Label.init) {
                Column("code", \Label.code, .primaryKey)
            }
        }
        struct Note: TableRecord {
            let label: String
            static let table = Table("notes", Note.init) { Column("label", \Note.label) }
        }
        try connection.execute("""
            CREATE TABLE notes(label COLLATE NOCASE);
            INSERT INTO notes VALUES('a1');
            """)
        // Declare the column of the file in its table: `.collate("NOCASE")`.
        expect(TableProblem.unequalKeys(column: "label"), """
            the keys of a relation to the table "notes" are equal for SQLite, and not \
            byte for byte: the column "label" or the one that refers to it has a \
            collation
            """) {
            try connection.all(Label.notes, of: Label(code: "A1"))
        }
    }
}

/// More blocks of the page, on a shop's tables.
struct QueryProblemSnippets {
    private let connection: Connection

    init() throws { connection = try Shop.connection() }

    @Test func clauses() throws {
        expect(QueryProblem.negativeLimit(-1), "a limit or an offset of -1") {
            try connection.all(Customer.query.limit(-1))
        }
        expect(QueryProblem.noAssignments, "the update sets no column") {
            try connection.update("customers", set: [:])
        }
        // Give the common table a name that no table has.
        let totals = Order.group { $0.customer }.select { ($0.customer, $0.price.sum()) }
        expect(QueryProblem.repeatedTableName("customers"), """
            the query has two tables, or common table expressions, named "customers"
            """) {
            try connection.all(Customer.join(totals.named("customers")) { $0.id == $1.0 })
        }
        // Give one of them another name: Customer.as("managed").where { … }.
        let managed = Customer.where { $0.manager != nil }
        expect(QueryProblem.hiddenTable(name: "customers"), """
            a query that began before an outer query with a table "customers" has a \
            table of this name too; begin it inside the closure, or add its clauses \
            outside
            """) {
            try connection.all(Customer.where { customer in
                managed.where { $0.manager == customer.id }.exists
            })
        }
        let numbers = SQL.row(1).recursive("numbers", union: .all) { numbers in
            numbers.where { $0 < 4 }.select { $0 + 1 }.union(SQL.row(9))
        }
        expect(QueryProblem.recursionOperator(step: "UNION", recursion: "UNION ALL"), """
            the step of a recursive query combines queries with UNION, which must be \
            UNION ALL as in the recursion
            """) {
            try connection.all(numbers.query)
        }
    }

    @Test func expressions() throws {
        expect(ExpressionProblem.divisionByZero, "a division by 0") {
            try connection.all(Order.select { $0.customer / 0 })
        }
        expect(ExpressionProblem.notAColumn(sql: #""orders"."price" + ?"#), """
            only a column can be set, not "orders"."price" + ?
            """) {
            try connection.update(Order.self) {
                ($0.price + 1).set(to: 3)
            } where: {
                $0.id == 1
            }
        }
        expect(ExpressionProblem.assignedTwice(column: "price"), """
            the update sets "price" twice
            """) {
            try connection.update(Order.self) {
                $0.price.set(to: 1)
                $0.price.set(to: 2)
            } where: {
                $0.id == 1
            }
        }
    }

    @Test func storedForms() throws {
        struct Size: Codable { var width = 0, height = 0 }
        struct File: TableRecord {
            let id: UUID, owner: UUID, bytes: [UInt8], price: Decimal, size: Size
            static let table = Table("files", File.init) {
                Column("id", \File.id, .primaryKey)
                Column("owner", \File.owner, as: .text)
                Column("bytes", \File.bytes)
                Column("price", \File.price)
                Column("size", \File.size, as: .json)
            }
        }
        try connection.create(File.table)
        // Declare both columns in one form.
        expect(ExpressionProblem.differentForms(sql: #""files"."id" = "files"."owner""#), """
            columns that are stored in different forms: "files"."id" = \
            "files"."owner"
            """) {
            try connection.all(File.self) { $0.id == $0.owner }
        }
        // Store the array in the form `.json`.
        expect(ExpressionProblem.notJSON(sql: #""files"."bytes""#), """
            "files"."bytes" has bytes, and not a JSON array
            """) {
            try connection.all(File.self) { $0.bytes.contains(2) }
        }
        expect(ExpressionProblem.computedForm(sql: #""files"."price""#, form: "Decimal"), """
            "files"."price" is stored in the form Decimal: a query would order and \
            compute with the stored values, which `cast(to:)` returns
            """) {
            try connection.all(File.self) { $0.price < 20 }
        }
        // Read the value in the JSON: $0.size["$.width", as: Int.self].
        let size = #""files"."size""#
        expect(ExpressionProblem.nestedInColumn(sql: size, property: "\\Size.width"), """
            "files"."size" has no column for its property \\Size.width
            """) {
            try connection.all(File.self) { $0.size.width > 100 }
        }
    }

    @Test func nestedAndRelatedColumns() throws {
        struct Home { var street = "", zip: String? }
        struct Owner: Initializable { var id = 0, home: Home? }
        let owners = Table("owners", Owner.self) {
            Column("id", \Owner.id, .primaryKey)
            Column("zip", \Owner.home?.zip)
        }
        let (outer, inner) = ("\\Owner.home", "\\Home.zip")
        expect(ExpressionProblem.optionalProperty(outer: outer, inner: inner), """
            \\Owner.home is optional: the column of its property \\Home.zip is named \
            as in `$0[\\.outer?.inner]`
            """) {
            try connection.all(owners.where { $0.home.zip == "0150" })
        }
        struct Shelf: TableRecord {
            let code: String
            static let table = Table("shelves", Shelf.init) {
                Column("code", \Shelf.code, .primaryKey, .collate("NOCASE"))
            }
        }
        struct Book: TableRecord {
            let shelf: String
            static let shelf = Relation(\Book.shelf, to: \Shelf.code)
            static let table = Table("books", Book.init) { Column("shelf", \Book.shelf) }
        }
        // Declare both columns with one collation.
        let condition = #""books"."shelf" = "shelves"."code""#
        expect(ExpressionProblem.differentCollations(sql: condition), """
            columns that are compared by different collations: "books"."shelf" = \
            "shelves"."code"
            """) {
            try connection.all(Book.join(Book.shelf))
        }
    }

    @Test func pages() throws {
        expect(PageProblem.pageSize(0), "a page has at least 1 row, not 0") {
            try connection.page(Order.query, size: 0)
        }
        expect(PageProblem.notPageable(sql: "price DESC"), """
            only a query on declared tables with a condition and an order of \
            expressions has pages: price DESC
            """) {
            try connection.page(Order.order { _ in "price DESC" }, size: 2)
        }
        // Read the first page of the new order.
        let cursor = try connection.page(Order.order { $0.price }, size: 1).next
        expect(PageProblem.cursorOfOtherOrder(sql: #""orders"."id" ASC"#), """
            the cursor of the page belongs to another order than "orders"."id" ASC
            """) {
            try connection.page(Order.query, after: cursor, size: 2)
        }
    }
}
