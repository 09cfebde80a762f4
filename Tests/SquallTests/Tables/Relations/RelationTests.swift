import Foundation
import Squall
import SquallTestSupport
import Testing

private struct Author: TableRecord, Equatable {
    let id: Int64?, name: String, city: Int64?
    static let city = Relation(\Author.city, to: \City.id)
    static let books = Book.author.inverse()
    static let table = Table("authors", Author.init, .foreignKey(city, onDelete: .setNull)) {
        Column("id", \Author.id, .primaryKey)
        Column("name", \Author.name)
        Column("city", \Author.city)
    }
}

private struct City: TableRecord, Equatable {
    let id: Int64?, name: String, mayor: Int64?
    // The two tables refer to each other.
    static let mayor = Relation(\City.mayor, to: \Author.id)
    static let table = Table("cities", City.init, .foreignKey(mayor)) {
        Column("id", \City.id, .primaryKey)
        Column("name", \City.name)
        Column("mayor", \City.mayor)
    }
}

private struct Book: TableRecord, Equatable {
    let id: Int64?, author: Int64, title: String, sequelOf: Int64?
    static let author = Relation(\Book.author, to: \Author.id)
    static let sequelOf = Relation(\Book.sequelOf, to: \Book.id)
    static let sequels = sequelOf.inverse()
    static let tags = Relation(\Book.id, through: \Tagging.book, \Tagging.tag, to: \Tag.id)
    static let table = Table(
        "books", Book.init, .foreignKey(author, onDelete: .cascade), .foreignKey(sequelOf)
    ) {
        Column("id", \Book.id, .primaryKey)
        Column("author", \Book.author)
        Column("title", \Book.title)
        Column("sequel_of", \Book.sequelOf)
    }
}

private struct Tag: TableRecord, Equatable {
    let id: UUID, name: String
    static let books = Relation(\Tag.id, through: \Tagging.tag, \Tagging.book, to: \Book.id)
    static let table = Table("tags", Tag.init) {
        Column("id", \Tag.id, as: .text, .primaryKey)
        Column("name", \Tag.name)
    }
}

private struct Tagging: TableRecord {
    let book: Int64, tag: UUID
    static let table = Table("taggings", Tagging.init, .withoutRowID) {
        Column("book", \Tagging.book, .primaryKey)
        Column("tag", \Tagging.tag, as: .text, .primaryKey)
    }
}

private struct LooseTagging: TableRecord {
    let book: Int64, tag: UUID
    static let tags = Relation(\Book.id, through: \LooseTagging.book, \LooseTagging.tag, to: \Tag.id)
    static let table = Table("taggings", LooseTagging.init) {
        Column("book", \LooseTagging.book, .primaryKey)
        Column("tag", \LooseTagging.tag, .primaryKey)  // a BLOB
    }
}

/// A label whose trailing spaces do not count.
private struct Rack: TableRecord, Equatable {
    let code: String
    static let crates = Crate.rack.inverse()
    static let table = Table("racks", Rack.init) {
        Column("code", \Rack.code, .primaryKey, .collate("RTRIM"))
    }
}

/// A state of which no value is known before a record is read.
private enum Fill: Int, Binding { case half = 1000, full = 2000 }

private struct Crate: TableRecord, Equatable {
    let id: Int64, rack: String, top: Fill, bottom: Fill
    static let rack = Relation(\Crate.rack, to: \Rack.code)
    static let table = Table("crates", Crate.init) {
        Column("id", \Crate.id, .primaryKey)
        Column("rack", \Crate.rack, .collate("RTRIM"))
        Column("top", \Crate.top)
        Column("bottom", \Crate.bottom)
    }
}

private struct SwappedCrate: TableRecord {
    let id: Int64, rack: String, top: Fill, bottom: Fill
    static let rack = Relation(\SwappedCrate.rack, to: \Rack.code)
    static let table = Table("crates", SwappedCrate.init) {
        Column("id", \SwappedCrate.id, .primaryKey)
        Column("rack", \SwappedCrate.rack, .collate("RTRIM"))
        Column("bottom", \SwappedCrate.bottom)
        Column("top", \SwappedCrate.top)
    }
}

private let fantasy = Tag(id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0F)), name: "fantasy")
private let short = Tag(id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xAA)), name: "short")
private let ursula = Author(id: 1, name: "Ursula", city: 1)
private let terry = Author(id: 2, name: "Terry", city: nil)
private let earthsea = Book(id: 1, author: 1, title: "A Wizard of Earthsea", sequelOf: nil)
private let tombs = Book(id: 2, author: 1, title: "The Tombs of Atuan", sequelOf: 1)
private let mort = Book(id: 3, author: 2, title: "Mort", sequelOf: nil)

struct RelationTests {
    let connection: Connection
    private let statements: Statements

    /// The statements that a connection has run.
    private final class Statements {
        var texts: [String] = []
    }

    init() throws {
        connection = try Connection()
        for table: any RecordTable in [City.table, Author.table, Book.table, Tag.table, Tagging.table] {
            try connection.create(table)
        }
        try connection.insert(City(id: 1, name: "Portland", mayor: nil))
        try connection.insert(contentsOf: [ursula, terry, Author(id: 3, name: "Nobody", city: 99)])
        try connection.insert(contentsOf: [earthsea, tombs, mort])
        try connection.insert(contentsOf: [fantasy, short])
        try connection.insert(contentsOf: [
            Tagging(book: 1, tag: fantasy.id), Tagging(book: 2, tag: fantasy.id), Tagging(book: 2, tag: short.id),
        ])
        let statements = Statements()
        self.statements = statements
        connection.traceStatements { statements.texts.append($0) }
    }

    // MARK: One record

    @Test func theRecordsOfARelationAreReadByKey() throws {
        #expect(try connection.all(Author.books, of: ursula) == [earthsea, tombs])
        #expect(
            statements.texts == [
                #"SELECT "books"."id", "books"."author", "books"."title", "books"."sequel_of", "books"."author" FROM "books" "#
                    + #"WHERE "books"."author" = 1"#
            ])
        #expect(try connection.first(Book.author, of: mort) == terry)
        #expect(try connection.first(Book.sequelOf, of: tombs) == earthsea)
        #expect(try connection.all(Book.sequels, of: earthsea) == [tombs])
    }

    @Test func aRelationTakesAConditionWhereItIsRead() throws {
        #expect(try connection.all(Author.books, of: ursula) { $0.sequelOf == nil } == [earthsea])
        #expect(
            statements.texts == [
                #"SELECT "books"."id", "books"."author", "books"."title", "books"."sequel_of", "books"."author" FROM "books" "#
                    + #"WHERE "books"."author" = 1 AND "books"."sequel_of" IS NULL"#
            ])
        #expect(try connection.first(Book.author, of: earthsea) { $0.city == 1 } == ursula)
        #expect(try connection.first(Book.author, of: mort) { $0.city == 1 } == nil)
    }

    @Test func nullAndAMissingRowHaveNoRecord() throws {
        #expect(try connection.first(Author.city, of: terry) == nil)
        #expect(statements.texts.isEmpty, "no query for NULL")
        #expect(try connection.first(Author.city, of: Author(id: 3, name: "Nobody", city: 99)) == nil)
        #expect(try connection.all(Author.books, of: Author(id: nil, name: "new", city: nil)) == [])
    }

    @Test func aTableBetweenTwoRelatesManyToMany() throws {
        #expect(try connection.all(Book.tags, of: tombs) == [fantasy, short])
        #expect(try connection.all(Tag.books, of: fantasy) == [earthsea, tombs])
        let sql = """
            SELECT "books"."id", "books"."author", "books"."title", "books"."sequel_of", "taggings"."tag" \
            FROM "taggings" JOIN "books" ON "books"."id" = "taggings"."book" \
            WHERE "taggings"."tag" = '00000000-0000-0000-0000-00000000000F'
            """
        #expect(statements.texts.last == sql)
    }

    @Test func aRelationHasConditionsAndAnOrder() throws {
        let sorted = Author.books.where { $0.title != "Mort" }.order { $0.title.descending }
        #expect(try connection.all(sorted, of: ursula) == [tombs, earthsea])
        #expect(
            statements.texts.last?.hasSuffix(#"AND "books"."title" <> 'Mort' ORDER BY "books"."title" DESC"#) == true)
    }

    // MARK: Several records

    @Test func includingRunsOneQueryForEachRelation() throws {
        let authors = try connection.all(Author.self, including: Author.books, Author.city)
        #expect(authors.map(\.0.name) == ["Ursula", "Terry", "Nobody"])
        #expect(authors.map(\.1) == [[earthsea, tombs], [mort], []])
        #expect(authors.map { $0.2?.name } == ["Portland", nil, nil])
        #expect(statements.texts.count { $0.hasPrefix("SELECT") } == 3)
        #expect(statements.texts.first?.hasPrefix("BEGIN DEFERRED") == true, "one state of the database")
        #expect(statements.texts.last?.hasPrefix("COMMIT") == true)
    }

    @Test func keysOfACollationWithoutTrailingSpacesAreOne() throws {
        try connection.create(Rack.table)
        try connection.create(Crate.table)
        try connection.insert(contentsOf: [Rack(code: "a "), Rack(code: "b")])
        let crates = [("a", 1), ("a  ", 2), (" a", 3)].map {
            Crate(id: $1, rack: $0, top: .half, bottom: .half)
        }
        try connection.insert(contentsOf: crates)
        let racks = try connection.all(Rack.order { $0.code }, including: Rack.crates)
        #expect(racks.map { $0.1.map(\.id) } == [[1, 2], []])
    }

    @Test func swappedColumnsAreFoundInRelatedRecords() throws {
        try connection.create(Rack.table)
        try connection.create(Crate.table)
        try connection.insert(Rack(code: "a"))
        try connection.insert(Crate(id: 1, rack: "a", top: .half, bottom: .full))
        let error = try sqliteError { _ = try connection.all(Rack.self, including: SwappedCrate.rack.inverse()) }
        #expect(error.message.contains(#"the columns of the table "crates" are not in the order of the initialiser"#))
    }

    @Test func theNumberOfQueriesDoesNotDependOnTheNumberOfRecords() throws {
        try connection.insert(contentsOf: (100..<40_100).map { Author(id: $0, name: "a\($0)", city: nil) })
        try connection.insert(contentsOf: (100..<40_100).map { Book(id: $0, author: $0, title: "b", sequelOf: nil) })
        statements.texts = []
        let authors = try connection.all(Author.self, including: Author.books)
        #expect(authors.count == 40_003)
        #expect(authors.suffix(40_000).allSatisfy { $0.1.map(\.author) == [$0.0.id] })
        #expect(statements.texts.count { $0.hasPrefix("SELECT") } == 2)
    }

    @Test func includingNestsAndStartsFromAQuery() throws {
        let query = Author.where { $0.id == 1 }
        let found = try connection.all(query, including: Author.books.including(Book.tags, Book.author))
        #expect(found.count == 1)
        #expect(found.first?.1.map(\.0) == [earthsea, tombs])
        #expect(found.first?.1.map(\.1) == [[fantasy], [fantasy, short]])
        #expect(found.first?.1.map(\.2) == [ursula, ursula])
        #expect(statements.texts.count { $0.hasPrefix("SELECT") } == 4)
        #expect(try connection.first(query, including: Author.city)?.1?.name == "Portland")
        #expect(try connection.first(Author.where { $0.id == 77 }, including: Author.city) == nil)
    }

    @Test func aPageComesWithRelatedRecords() throws {
        let query = Author.order { $0.name.descending }
        let first = try connection.page(query, size: 2, including: Author.books, Author.city)
        #expect(first.items.map(\.0.name) == ["Ursula", "Terry"])
        #expect(first.items.map(\.1) == [[earthsea, tombs], [mort]])
        #expect(first.items.map { $0.2?.name } == ["Portland", nil])
        #expect(statements.texts.count { $0.hasPrefix("SELECT") } == 3)
        #expect(statements.texts.first?.hasPrefix("BEGIN DEFERRED") == true, "one state of the database")

        let last = try connection.page(query, after: first.next, size: 2, including: Author.books)
        #expect(last.items.map(\.0.name) == ["Nobody"])
        #expect(last.items.map(\.1) == [[]])
        #expect(last.next == nil)
        let other = Author.order { $0.id }
        #expect {
            try connection.page(other, after: first.next, size: 2, including: Author.books)
        } throws: { error in
            if case .cursorOfOtherOrder? = (error as? SQLiteError)?.problem(PageProblem.self) { true } else { false }
        }
    }

    @Test func includingInsideATransactionBeginsNone() throws {
        try connection.transaction {
            statements.texts = []
            _ = try connection.all(Author.self, including: Author.books)
            #expect(statements.texts.allSatisfy { $0.hasPrefix("SELECT") })
        }
    }

    // MARK: Joins and declarations

    @Test func aRelationJoinsTwoTables() throws {
        let toOne = Book.join(Book.author).where { $1.name == "Terry" }
        #expect(toOne.sql.text.contains(#"FROM "books" JOIN "authors" ON "books"."author" = "authors"."id""#))
        #expect(try connection.all(toOne).map(\.0) == [mort])
        let toMany = Author.join(Author.books.where { $0.title != "Mort" }.order { $0.title.ascending }).select {
            ($0.name, $1.title)
        }
        #expect(try connection.all(toMany).map(\.1) == [earthsea.title, tombs.title])
        let through = Book.join(Book.tags).select { ($0.title, $1.name) }
        #expect(
            through.sql.text.hasSuffix(
                #"JOIN "taggings" ON "books"."id" = "taggings"."book" JOIN "tags" ON "taggings"."tag" = "tags"."id""#))
        #expect(try connection.all(through).count == 3)
        let own = Book.join(Book.sequels.where { $0.title != "x" })
        #expect(own.sql.text.hasSuffix(#"ON "books"."id" = "books_2"."sequel_of" AND "books_2"."title" <> ?"#))
        #expect(try connection.all(own).map { [$0.0, $0.1] } == [[earthsea, tombs]])
    }

    @Test func aRelationIsTheForeignKeyOfItsTable() throws {
        #expect(
            Book.table.createSQL.text.hasSuffix(
                #"FOREIGN KEY ("author") REFERENCES "authors"("id") ON DELETE CASCADE, "#
                    + #"FOREIGN KEY ("sequel_of") REFERENCES "books"("id"))"#))
        #expect(City.table.createSQL.text.hasSuffix(#"FOREIGN KEY ("mayor") REFERENCES "authors"("id"))"#))
        #expect(try connection.plan(toMatch: Book.table).changes.isEmpty)
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.delete(terry)
        #expect(try connection.count(Book.self) == 2)
    }

    // MARK: Errors

    @Test func columnsOfDifferentFormsThrow() throws {
        let error = try sqliteError { _ = try connection.all(LooseTagging.tags, of: earthsea) }
        #expect(error.kind == .problem(ExpressionProblem.differentForms(sql: #""books"."id" = "tags"."id""#)))
    }

    @Test func aPropertyWithoutAColumnThrows() throws {
        let wrong = Relation(\Author.name.description, to: \Book.title)
        let error = try sqliteError { _ = try connection.first(wrong, of: ursula) }
        #expect(error.message.contains("has no column for"))
    }

    @Test func columnsWithDifferentCollationsThrowInBothDirections() throws {
        struct Shelf: TableRecord {
            let code: String
            static let items = Item.shelf.inverse()
            static let table = Table("shelves", Shelf.init) {
                Column("code", \Shelf.code, .primaryKey, .collate("NOCASE"))
            }
        }
        struct Item: TableRecord {
            let shelf: String, other: String
            static let shelf = Relation(\Item.shelf, to: \Shelf.code)
            static let other = Relation(\Item.other, to: \Shelf.code)
            static let linked = Relation(\Item.other, through: \Item.other, \Item.shelf, to: \Shelf.code)
            static let table = Table("items", Item.init) {
                Column("shelf", \Item.shelf)
                Column("other", \Item.other, .collate("nocase"))
            }
        }
        try connection.create(Shelf.table)
        try connection.create(Item.table)
        let (shelf, item) = (Shelf(code: "A1"), Item(shelf: "a1", other: "A1"))
        try connection.insert(shelf)
        let kind = SQLiteError.Kind.problem(
            ExpressionProblem.differentCollations(sql: #""items"."shelf" = "shelves"."code""#))
        #expect(try sqliteError { _ = try connection.first(Item.shelf, of: item) }.kind == kind)
        #expect(try sqliteError { _ = try connection.all(Item.join(Item.shelf)) }.kind == kind)
        let inverse = SQLiteError.Kind.problem(
            ExpressionProblem.differentCollations(sql: #""shelves"."code" = "items"."shelf""#))
        #expect(try sqliteError { _ = try connection.all(Shelf.items, of: shelf) }.kind == inverse)
        #expect(try sqliteError { _ = try connection.all(Shelf.join(Shelf.items)) }.kind == inverse)
        let linked = SQLiteError.Kind.problem(
            ExpressionProblem.differentCollations(sql: #""items"."other" = "shelves"."code""#))
        #expect(try sqliteError { _ = try connection.all(Item.linked, of: item) }.kind == linked)
        #expect(try connection.first(Item.other, of: item)?.code == "A1")
    }

    private struct Shelf: TableRecord {
        let code: String
        static let items = Item.shelf.inverse()
        static let table = Table("shelves", Shelf.init) {
            Column("code", \Shelf.code, .primaryKey, .collate("NOCASE"))
        }
    }

    private struct Item: TableRecord {
        let shelf: String, name: String
        static let shelf = Relation(\Item.shelf, to: \Shelf.code)
        static let table = Table("items", Item.init) {
            Column("shelf", \Item.shelf, .collate("NOCASE"))
            Column("name", \Item.name)
        }
    }

    @Test func keysThatNocaseMakesEqualAreRelated() throws {
        try connection.create(Shelf.table)
        try connection.create(Item.table)
        for code in ["A1", "b2"] { try connection.insert(Shelf(code: code)) }
        for (shelf, name) in [("a1", "x"), ("A1", "y"), ("B2", "z"), ("É", "u")] {
            try connection.insert(Item(shelf: shelf, name: name))
        }
        #expect(try connection.all(Shelf.items, of: Shelf(code: "A1")).map(\.name) == ["x", "y"])
        let shelves = try connection.all(Shelf.self, including: Shelf.items)
        #expect(shelves.map { "\($0.0.code) \($0.1.map(\.name))" } == [#"A1 ["x", "y"]"#, #"b2 ["z"]"#])
        let items = try connection.all(Item.self, including: Item.shelf)
        #expect(items.map { $0.1?.code ?? "-" } == ["A1", "A1", "b2", "-"])
        #expect(try connection.all(Item.join(Item.shelf)).map(\.1.code) == ["A1", "A1", "b2"])
    }

    @Test func keysThatAnUndeclaredCollationMakesEqualThrow() throws {
        struct Label: TableRecord {
            let code: String
            static let notes = Relation(\Note.label, to: \Label.code).inverse()
            static let table = Table("labels", Label.init) { Column("code", \Label.code, .primaryKey) }
        }
        struct Note: TableRecord {
            let label: String
            static let table = Table("notes", Note.init) { Column("label", \Note.label) }
        }
        try connection.execute("CREATE TABLE notes(label COLLATE NOCASE); INSERT INTO notes VALUES('a1')")
        let error = try sqliteError { _ = try connection.all(Label.notes, of: Label(code: "A1")) }
        #expect(error.kind == .problem(TableProblem.unequalKeys(column: "label"), of: .table("notes")))
    }

    /// In columns without a type, SQLite keeps 2 and 2.0 as they are, and compares them as numbers.
    @Test func keysOfTheSameNumberAreRelated() throws {
        struct Owner: TableRecord {
            let id: Int
            static let things = Relation(\Thing.owner, to: \Owner.id).inverse()
            static let table = Table("owners", Owner.init) { Column("id", \Owner.id, .primaryKey) }
        }
        struct Thing: TableRecord {
            let owner: Int
            static let table = Table("things", Thing.init) { Column("owner", \Thing.owner) }
        }
        try connection.execute("CREATE TABLE things(owner); INSERT INTO things VALUES(2.0), (2), (3)")
        #expect(try connection.all(Owner.things, of: Owner(id: 2)).map(\.owner) == [2, 2])
    }
}
