import Squall
import Testing

/// A record without a column that cannot be NULL.
private struct Note: TableRecord, Equatable {
    let item: Int64?
    let text: String?

    static let table = Table("notes", Note.init) {
        Column("item", \Note.item)
        Column("text", \Note.text)
    }
}

/// A record of a view.
private struct NoteView: TableRecord, Equatable {
    let item: Int64?
    let text: String?

    static let table = Table("note_view", NoteView.init) {
        Column("item", \NoteView.item)
        Column("text", \NoteView.text)
    }
}

/// A record whose key is NULL in a row of the table, as SQLite permits.
private struct Label: TableRecord, Equatable {
    let code: String?
    let item: Int64?

    static let table = Table("labels", Label.init) {
        Column("code", \Label.code, .primaryKey)
        Column("item", \Label.item)
    }
}

/// In an outer join, a row of NULLs is a record, and a missing row is `nil`.
struct OuterJoinTests {
    private let connection: Connection

    init() throws {
        connection = try Shop.connection()
        try connection.create(Note.table)
        try connection.execute("CREATE INDEX note_items ON notes(item); CREATE VIEW note_view AS SELECT * FROM notes")
        try connection.insert(contentsOf: [Note(item: 1, text: "round"), Note(item: nil, text: nil)])
    }

    private let isBoth: @Sendable (Columns<Item>, OptionalColumns<Note>) -> Condition = {
        $0.id == $1.item || $0.id == 3 && $1.item == nil
    }

    /// Shows a record, a record of NULLs, or none.
    private func shown(_ note: Note?) -> String { note.map { $0.text ?? "NULL" } ?? "none" }

    @Test func aRowOfNullsIsARecord() throws {
        let query = Item.leftJoin(Note.self, on: isBoth).order { item, _ in item.id }
        #expect(
            query.printed == """
                SELECT "items"."id", "items"."name", "items"."category", "notes"."item", "notes"."text", \
                "notes"."squall_row" FROM "items" LEFT JOIN (SELECT *, 1 AS "squall_row" FROM "notes") AS "notes" \
                ON "items"."id" = "notes"."item" OR ("items"."id" = 3 AND "notes"."item" IS NULL) ORDER BY "items"."id" ASC
                """
        )
        #expect(try connection.all(query).map { shown($0.1) } == ["round", "none", "NULL"])
        let third = try #require(try connection.first(query.where { item, _ in item.id == 3 }))
        #expect(third.1 == Note(item: nil, text: nil))
        var rows = try connection.rows(query)
        var notes: [String] = []
        while let row = try rows.next() { notes.append(shown(row.1)) }
        #expect(notes == ["round", "none", "NULL"])
        #expect(try connection.count(query) == 3)
    }

    @Test func onlyASelectedRecordIsMarked() throws {
        let query = Item.leftJoin(Note.self, on: isBoth).order { item, _ in item.id }
        #expect(query.select { ($0.name, $1.text) }.printed.contains(#"LEFT JOIN "notes" ON"#))
        let records = query.select { ($1.record, $0.name) }
        #expect(
            records.printed.hasPrefix(
                #"SELECT "notes"."item", "notes"."text", "notes"."squall_row", "items"."name" FROM "items" LEFT JOIN (SELECT"#
            ))
        #expect(
            try connection.all(records).map { "\(shown($0.0)) \($0.1)" } == ["round Tyre", "none Lamp", "NULL Belt"])
        let made = query.select(into: { "\($0?.text ?? "-") \($1)" }) { ($1.record, $0.name) }
        #expect(try connection.all(made) == ["round Tyre", "- Lamp", "- Belt"])
        // A column that is never NULL is the marker.
        let orders = Customer.leftJoin(Order.self) { $0.id == $1.customer }
        #expect(!orders.printed.contains("squall_row"))
    }

    @Test func theIndexOfAMarkedTableIsUsed() throws {
        let query = Item.leftJoin(Note.self) { $0.id == $1.item }
        for query in [query, query.group { item, _ in item.id }] {
            let plan: [String] = try connection.query("EXPLAIN QUERY PLAN \(query.sql)") { $0[3] }
            #expect(plan.contains { $0.contains("USING INDEX note_items") }, "\(plan)")
        }
    }

    @Test func aPageHasMarkedRows() throws {
        try connection.execute("CREATE TABLE labels(code TEXT PRIMARY KEY, item INTEGER)")
        try connection.insert(contentsOf: [Label(code: "a", item: 1), Label(code: nil, item: nil)])
        let query = Item.leftJoin(Label.self) { $0.id == $1.item || $0.id == 3 && $1.item == nil }.order { item, _ in
            item.id
        }
        var found: [String] = []
        var page = try connection.page(query, size: 1)
        found += page.items.map { $0.1.map { $0.code ?? "NULL" } ?? "none" }
        while let next = page.next {
            page = try connection.page(query, after: next, size: 1)
            found += page.items.map { $0.1.map { $0.code ?? "NULL" } ?? "none" }
        }
        #expect(found == ["a", "none", "NULL"])
    }

    @Test func aViewIsMarkedAsATableIs() throws {
        let query = Item.leftJoin(NoteView.self) { $0.id == $1.item || $0.id == 3 && $1.item == nil }
            .order { item, _ in item.id }
        #expect(
            try connection.all(query).map { $0.1.map { $0.text ?? "NULL" } ?? "none" } == ["round", "none", "NULL"])
    }

    @Test func anEarlierTableAndAnAliasAreMarked() throws {
        let note = Note.as("note")
        let query = note.query.rightJoin(Item.self) { $0.item == $1.id || $1.id == 3 && $0.item == nil }
            .order { _, item in item.id }
        #expect(
            query.printed == """
                SELECT "note"."item", "note"."text", "note"."squall_row", "items"."id", "items"."name", "items"."category" \
                FROM (SELECT *, 1 AS "squall_row" FROM "notes") AS "note" RIGHT JOIN "items" \
                ON "note"."item" = "items"."id" OR ("items"."id" = 3 AND "note"."item" IS NULL) ORDER BY "items"."id" ASC
                """
        )
        #expect(try connection.all(query).map { shown($0.0) } == ["round", "none", "NULL"])
        let full = Item.fullJoin(Note.self) { $0.id == $1.item }.order { item, _ in item.id }
        #expect(
            try connection.all(full).map { "\($0.0?.name ?? "-") \(shown($0.1))" }
                == ["- NULL", "Tyre round", "Lamp none", "Belt none"])
        let twice = Item.leftJoin(Note.self, on: isBoth).leftJoin(Note.self) { $1.item == $2.item }.distinct()
            .order { item, _, _ in item.id }
        #expect(
            try connection.all(twice).map { "\(shown($0.1)) \(shown($0.2))" }
                == ["round round", "none none", "NULL none"])
    }

    @Test func aCommonTableIsMarked() throws {
        let notes = Note.query.named("q")
        let query = Item.leftJoin(notes, on: isBoth).order { item, _ in item.id }
        #expect(
            query.printed.contains(
                #"LEFT JOIN (SELECT *, 1 AS "squall_row" FROM "q") AS "q" ON "items"."id" = "q"."item""#))
        #expect(try connection.all(query).map { shown($0.1) } == ["round", "none", "NULL"])

        let values = Note.select { ($0.item, $0.text) }.named("v")
        let tuples = Item.leftJoin(values) { $0.id == $1.0 || $0.id == 3 && $1.0 == nil }.order { item, _ in item.id }
        #expect(try connection.all(tuples).map { $0.1.map { $0.1 ?? "NULL" } ?? "none" } == ["round", "none", "NULL"])

        let both = tuples.named("both")
        let nested = try connection.all(both.query.select { ($0.0.id, $0.0.name) })
        #expect(nested.map(\.1) == ["Tyre", "Lamp", "Belt"])
        let unioned = tuples.union(tuples).named("both")
        let inner = try connection.all(unioned.query)
        #expect(inner.map { $0.1.map { $0.1 ?? "NULL" } ?? "none" }.sorted() == ["NULL", "none", "round"])

        let made = Note.select(into: Note.init) { ($0.item, $0.text) }.named("m")
        let makes = Item.leftJoin(made) { item, _ in item.id == 3 }.order { item, _ in item.id }
        #expect(try connection.all(makes).map { shown($0.1) } == ["none", "none", "round", "NULL"])
    }

    @Test func aCommonTableKeepsTheMarkerOfItsRecords() throws {
        let joined = Item.leftJoin(Note.self, on: isBoth)
        let one = joined.order { item, _ in item.id }.select { $1.record }.named("one")
        #expect(
            one.query.printed == """
                WITH "one"("item", "text", "squall_record") AS (SELECT "notes"."item", "notes"."text", "notes"."squall_row" \
                FROM "items" LEFT JOIN (SELECT *, 1 AS "squall_row" FROM "notes") AS "notes" \
                ON "items"."id" = "notes"."item" OR ("items"."id" = 3 AND "notes"."item" IS NULL) ORDER BY "items"."id" ASC) \
                SELECT "one"."item", "one"."text", "one"."squall_record" FROM "one"
                """
        )
        #expect(try connection.all(one.query).map(shown) == ["round", "none", "NULL"])
        // Two levels: no row of the common table expression, and a row without a record.
        let outer = Category.leftJoin(one) { $0.id == $1.item || $0.id == 2 && $1.item == nil }.order { category, _ in
            category.id
        }
        #expect(
            try connection.all(outer).map { $0.1.map(shown) ?? "no row" }.sorted()
                == ["NULL", "no row", "no row", "none", "round"])
        let pairs = joined.select { ($0.name, $1.record, $0.id) }
        let two = pairs.union(pairs).order { $2.ascending }
        #expect(two.printed.hasSuffix("ORDER BY 5 ASC"))
        #expect(try connection.all(two).map { shown($0.1) } == ["round", "none", "NULL"])
        #expect(
            try connection.all(pairs.named("two").order { $2.ascending }.select { ($0.1.record, $0.0) }).map {
                shown($0.0)
            }
                == ["round", "none", "NULL"])
    }

    @Test func rowsThatAClosureMakesInSeveralOuterJoins() throws {
        let made = Note.select(into: Note.init) { ($0.item, $0.text) }.named("m")
        let left = Item.leftJoin(made) { item, _ in item.id == 3 }.order { item, _ in item.id }
        #expect(try connection.all(left.named("both").query).map { shown($0.1) } == ["none", "none", "round", "NULL"])
        let full = Item.leftJoin(made) { item, _ in item.id == 3 }
            .fullJoin(Note.self) { item, _, note in item.id == note.item }
            .where { item, _, _ in item.id == nil || item.id == 2 }
        let rows = try connection.all(full)
        #expect(
            rows.map { "\($0.0?.name ?? "no item"), \(shown($0.1)), \(shown($0.2))" } == [
                "Lamp, none, none", "no item, none, NULL",
            ])
    }

    @Test func valuesOfAnInnerQueryInSeveralOuterJoins() throws {
        let values = Note.select { ($0.item, $0.text) }.named("v")
        let full = Item.leftJoin(values) { item, value in item.id == value.0 }
            .fullJoin(Note.self) { item, _, note in item.id == note.item }
            .where { item, _, note in item.id == nil || note.item == 1 }
        let rows = try connection.all(full)
        #expect(
            rows.map { "\($0.0?.name ?? "no item"), \($0.1?.1 ?? "none"), \(shown($0.2))" }.sorted() == [
                "Tyre, round, round", "no item, none, NULL",
            ])
    }
}
