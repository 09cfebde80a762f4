import Foundation
import Squall
import SquallTestSupport
import Testing

struct PageTests {
    private struct Item: TableRecord, Equatable {
        let id: Int64?, name: String, rank: Int?
        static let table = Table("items", Item.init) {
            Column("id", \Item.id, .primaryKey)
            Column("name", \Item.name)
            Column("rank", \Item.rank)
        }
    }

    private struct Tag: TableRecord {
        let id: Int64, item: Int64
        static let table = Table("tags", Tag.init) {
            Column("id", \Tag.id, .primaryKey)
            Column("item", \Tag.item)
        }
    }

    private struct Keyless: TableRecord {
        let name: String, count: Int
        static let table = Table("keyless", Keyless.init) {
            Column("name", \Keyless.name)
            Column("count", \Keyless.count)
        }
    }

    private static let columns = #"SELECT "items"."id", "items"."name", "items"."rank" FROM "items""#

    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(Item.table)
        try connection.create(Tag.table)
        try connection.create(Keyless.table)
        try connection.insert(
            contentsOf: (0..<40).map { number in
                Item(id: Int64(number), name: "n\(number % 7)", rank: number % 5 == 0 ? nil : number % 3)
            })
        for number in Int64(0)..<30 { try connection.insert(Tag(id: number, item: number * 7 % 20)) }
    }

    /// Reads all pages and returns their rows.
    private func all<Q: ClauseQuery>(
        _ query: Q, size: Int, between: () throws -> Void = {}
    ) throws -> [Q.Output] {
        var page = try connection.page(query, size: size)
        var items = page.items
        while let next = page.next {
            #expect(page.items.count == size)
            try between()
            page = try connection.page(query, after: next, size: size)
            #expect(!page.items.isEmpty)
            items += page.items
        }
        return items
    }

    // MARK: - Pages

    @Test func aPageBeginsAfterThePlaceOfTheCursor() throws {
        let query = Item.where { $0.id > 2 }.order { $0.name }
        let first = try connection.page(query, size: 2)
        let second = try connection.page(query, after: first.next, size: 2)
        #expect(first.items.map(\.id) == [7, 14])
        #expect(second.items.map(\.id) == [21, 28])
        #expect(
            query.page(size: 2).sql.debugDescription
                == Self.columns + #" WHERE "items"."id" > 2 ORDER BY "items"."name" ASC, "items"."id" ASC LIMIT 3"#)
        #expect(
            query.page(after: first.next, size: 2).sql.debugDescription
                == Self.columns + #" WHERE "items"."id" > 2 AND ("items"."name", "items"."id") > ('n0', 14) "#
                + #"ORDER BY "items"."name" ASC, "items"."id" ASC LIMIT 3"#)
        #expect(try connection.page(query.page(after: first.next, size: 2)) == second)
    }

    @Test func theLastPageHasNoNext() throws {
        #expect(try connection.page(Item.query, size: 41).next == nil)
        let whole = try connection.page(Item.query, size: 40)
        #expect(whole.items.count == 40)
        #expect(whole.next == nil)
        #expect(try connection.page(Item.query, size: 39).next != nil)
        #expect(try connection.page(Item.where { $0.id > 99 }, size: 3) == Page(items: [], next: nil))
    }

    @Test(arguments: [1, 3, 7, 39, 40, 41, Int.max])
    func pagesHaveEveryRecordOnceInTheOrderOfTheQuery(size: Int) throws {
        let orders: [Query<Columns<Item>>] = [
            Item.query,
            Item.order { $0.name.descending },
            Item.order { ($0.name, $0.id.descending) },
            Item.order { $0.id.descending },
            Item.order { $0.rank },
            Item.order { $0.rank.descending },
            Item.order { ($0.rank.ascending.nullsLast, $0.name.descending) },
            Item.order { ($0.rank.descending.nullsFirst, $0.name) },
            Item.order { ($0.rank.descending, $0.name, $0.id.descending) },
            Item.order { ($0.name.descending, $0.rank.descending) },
            Item.where { $0.id < 30 }.order { ($0.name.uppercased(), $0.rank) },
        ]
        for query in orders {
            let expected = try connection.all(query.order { $0.id }).map(\.id)
            #expect(try all(query, size: size).map(\.id) == expected, "\(query.sql)")
        }
    }

    @Test func theConditionComparesOneColumnAfterTheOther() throws {
        func condition(_ query: Query<Columns<Item>>, after id: Int64) throws -> String {
            var next: PageCursor?
            for _ in 0..<50 {
                let page = try connection.page(query, after: next, size: 1)
                next = page.next
                if page.items.first?.id == id { break }
            }
            let sql = query.page(after: next, size: 1).sql.debugDescription
            return String(sql.components(separatedBy: " WHERE ")[1].components(separatedBy: " ORDER BY")[0])
                .replacing("\"items\".", with: "").replacing("\"", with: "")
        }
        #expect(try condition(Item.order { $0.id.descending }, after: 9) == "id < 9")
        #expect(
            try condition(Item.order { $0.name.descending }, after: 1) == "name <= 'n1' AND (name < 'n1' OR id > 1)")
        #expect(try condition(Item.order { $0.rank }, after: 1) == "rank >= 1 AND (rank > 1 OR id > 1)")
        #expect(try condition(Item.order { $0.rank }, after: 5) == "rank IS NOT NULL OR id > 5")
        #expect(
            try condition(Item.order { $0.rank.descending }, after: 1)
                == "rank IS NULL OR (rank <= 1 AND (rank < 1 OR id > 1))")
        #expect(try condition(Item.order { $0.rank.descending }, after: 5) == "rank IS NULL AND id > 5")
    }

    @Test func insertionsAndDeletionsMoveNoOtherRecord() throws {
        var number: Int64 = 100
        let found = try all(Item.order { $0.name }, size: 5) {
            number += 1
            try connection.insert(Item(id: number, name: "a", rank: nil))  // before every page
            try connection.delete(Item.self) { $0.name == "a" && $0.id < number }
        }
        #expect(found.count == 40)
        #expect(Set(found.map(\.id)).count == 40)
    }

    @Test func joinsAndSelectedValuesHavePages() throws {
        let inner = Item.join(Tag.self) { $0.id == $1.item }.order { item, _ in item.name.descending }
        let innerKeys = try all(inner, size: 4).map { $0.1.id }
        #expect(try innerKeys == connection.all(inner.order { ($0.id, $1.id) }).map { $0.1.id })
        let outer = Item.leftJoin(Tag.self) { $0.id == $1.item }.order { _, tag in tag.item.descending }
            .select { ($0.name, $1.id) }
        let expected = try connection.all(outer.order { ($0.id, $1.id) })
        let found = try all(outer, size: 4)
        #expect(found.map(\.0) == expected.map(\.0))
        #expect(found.map(\.1) == expected.map(\.1))
        #expect(
            outer.page(size: 4).sql.text
                == #"SELECT "items"."name", "tags"."id", "tags"."item", "items"."id" FROM "items" "#
                + #"LEFT JOIN "tags" ON "items"."id" = "tags"."item" "#
                + #"ORDER BY "tags"."item" DESC, "items"."id" ASC, "tags"."id" ASC LIMIT ?"#)
    }

    @Test func aPageIsFoundByAnIndex() throws {
        try connection.execute("CREATE INDEX by_name ON items(name, rank)")
        let cursor = { (query: Query<Columns<Item>>) in
            try #require(try connection.page(query, size: 9).next)
        }
        for query in [
            Item.order { $0.name }, Item.order { ($0.name, $0.rank) }, Item.order { $0.id.descending },
            Item.order { ($0.name, $0.rank.descending) },
        ] {
            let page = query.page(after: try cursor(query), size: 9)
            let plan: [String] = try connection.query("EXPLAIN QUERY PLAN \(page.sql)") { $0[3] }
            #expect(plan.first?.hasPrefix("SEARCH items USING") == true, "\(plan)")
        }
        let names = Item.order { ($0.name, $0.rank) }
        let plan: [String] = try connection.query(
            "EXPLAIN QUERY PLAN \(names.page(after: try cursor(names), size: 9).sql)"
        ) { $0[3] }
        #expect(plan.count == 1 && plan[0].contains("by_name (name>?)"), "\(plan)")
    }

    @Test func aDatabaseHasPages() async throws {
        let database = try Database(storageLocation: .inMemory)
        try await database.write { connection in
            try connection.create(Item.table)
            try connection.insert(contentsOf: (1...5).map { Item(id: $0, name: "x", rank: nil) })
        }
        let first = try await database.read { try $0.page(Item.order { $0.name }, size: 3) }
        let second = try await database.read { try $0.page(Item.order { $0.name }, after: first.next, size: 3) }
        #expect(first.items.map(\.id) == [1, 2, 3])
        #expect(second.items.map(\.id) == [4, 5])
        #expect(second.next == nil)
    }

    // MARK: - Cursors

    @Test func aCursorIsATextAndBack() throws {
        let values: [(any Bindable)?] = [
            nil, Int64.min, -0.1, Double.infinity, "ä\u{0}\"\\\u{301}", "\u{301}", "", Data([0, 255]),
            BindingValue.malformedText(Data([0x61, 0xff])),
        ]
        try connection.execute("CREATE TABLE anything(id INTEGER PRIMARY KEY, name)")
        for value in values {
            try connection.run("DELETE FROM items")
            try connection.run("INSERT INTO items(id, name, rank) VALUES(1, 'x', 1), (2, 'y', 2)")
            let query = Item.order { _ in Expr<String?>("\(value)") }
            let cursor = try #require(try connection.page(query, size: 1).next)
            #expect(PageCursor(cursor.description) == cursor)
            #expect(try JSONDecoder().decode(PageCursor.self, from: JSONEncoder().encode(cursor)) == cursor)
            #expect(cursor.description.utf8.allSatisfy { "\(UnicodeScalar($0))".contains(/[A-Za-z0-9_-]/) })
            #expect(try connection.page(query, after: cursor, size: 1).items.map(\.id) == [2])
        }
    }

    @Test func anotherTextIsNoCursor() throws {
        let cursor = try #require(try connection.page(Item.order { $0.rank }, size: 3).next)
        #expect(String(cursor.description.dropLast(3)).count > 8)
        for text in ["", "x", "W10", "WyJ4Il0x", "!!", "\u{0}", String(cursor.description.dropLast(3))] {
            #expect(PageCursor(text) == nil, "\(text)")
        }
        for part in ["n1", "ix", "rx", "b!", "m!", "z1", ""] {
            #expect(PageCursor(Data("[\"1\",\"\(part)\"]".utf8).base64EncodedString()) == nil, "\(part)")
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PageCursor.self, from: Data(#""x""#.utf8)) }
    }

    @Test func aPageIsCodable() throws {
        struct Name: Codable, Equatable { let name: String }
        let cursor = try connection.page(Item.query, size: 1).next
        let page = Page(items: [Name(name: "Ada")], next: cursor)
        #expect(try JSONDecoder().decode(Page<Name>.self, from: JSONEncoder().encode(page)) == page)
    }

    // MARK: - Errors

    @Test func aQueryWithoutPlacesThrows() throws {
        func kind<Q: ClauseQuery>(_ query: Q) throws -> SQLiteError.Kind {
            try sqliteError { _ = try connection.page(query, size: 2) }.kind
        }
        #expect(try kind(Item.order { _ in "name DESC" }) == .problem(PageProblem.notPageable(sql: "name DESC")))
        #expect(
            try kind(Item.query.distinct()) == .problem(PageProblem.notPageable(sql: Item.query.distinct().sql.text)))
        #expect(try kind(Item.query.limit(3)) == .problem(PageProblem.notPageable(sql: Item.query.limit(3).sql.text)))
        let groups = Item.group { $0.name }.select { ($0.name, $0.id.count()) }
        #expect(try kind(groups) == .problem(PageProblem.notPageable(sql: groups.sql.text)))
        let named = Item.query.named("named").query
        #expect(try kind(named) == .problem(PageProblem.notPageable(sql: named.sql.text)))
        #expect(try kind(Keyless.order { $0.name }) == .problem(TableProblem.noPrimaryKey, of: .table("keyless")))
    }

    @Test func theCursorOfAnotherOrderThrows() throws {
        let cursor = try #require(try connection.page(Item.order { $0.rank }, size: 2).next)
        for query in [
            Item.query, Item.order { $0.name }, Item.order { $0.rank.descending },
            Item.order { $0.rank.ascending.nullsLast },
        ] {
            let error = try sqliteError { _ = try connection.page(query, after: cursor, size: 2) }
            guard case .cursorOfOtherOrder? = error.problem(PageProblem.self) else {
                Issue.record("\(error)")
                continue
            }
        }
        let error = try sqliteError { _ = try connection.page(Item.order { $0.name }, after: cursor, size: 2) }
        #expect(error.kind == .problem(PageProblem.cursorOfOtherOrder(sql: #""items"."name" ASC, "items"."id" ASC"#)))
        #expect(
            try connection.page(Item.where { $0.name != "n3" }.order { $0.rank }, after: cursor, size: 2).items.count
                == 2)
    }

    @Test(arguments: [0, -1, Int.min]) func aPageHasAtLeastOneRow(size: Int) throws {
        #expect(
            try sqliteError { _ = try connection.page(Item.query, size: size) }.kind
                == .problem(PageProblem.pageSize(size)))
    }

    @Test func aTableWithAnAliasHasPagesInTheOrderOfItsKey() throws {
        let query = Item.as("i").where { $0.id < 7 }
        let page = try connection.page(query, size: 4)
        #expect(page.items.map(\.id) == [0, 1, 2, 3])
        let next = try #require(page.next)
        #expect(try connection.page(query, after: next, size: 4).items.map(\.id) == [4, 5, 6])
    }
}
