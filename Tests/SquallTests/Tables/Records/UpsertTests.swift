import Foundation
import Squall
import SquallTestSupport
import Testing

/// Upserts of one record and of many: the SQL that runs, and the rows after it.
struct UpsertTests {
    struct Page: TableRecord, Equatable {
        let id: Int64?
        let path: String
        let hits: Int
        let seen: Date?
        let length: Int?

        static let table = Table("pages", Page.init) {
            Column("id", \Page.id, .primaryKey)
            Column("path", \Page.path, .unique)
            Column("hits", \Page.hits)
            Column("seen", \Page.seen, as: .unixTime)
            Column("length", \Page.length, .generated("length(path)"))
        }
    }

    /// A page as it is read: with the length of its path.
    private func page(id: Int64? = nil, path: String, hits: Int, seen: Date? = nil) -> Page {
        Page(id: id, path: path, hits: hits, seen: seen, length: path.count)
    }

    struct Stock: TableRecord, Equatable {
        let shop: String
        let item: String
        let amount: Int

        static let table = Table("stock", Stock.init, .withoutRowID) {
            Column("shop", \Stock.shop, .primaryKey)
            Column("item", \Stock.item, .primaryKey)
            Column("amount", \Stock.amount)
        }
    }

    let connection: Connection
    private let log = Log()
    private let early = Date(timeIntervalSince1970: 10.5)
    private let late = Date(timeIntervalSince1970: 20.5)

    init() throws {
        connection = try Connection()
        try connection.create(Page.table)
        try connection.create(Stock.table)
        try connection.insert(Page(id: nil, path: "a", hits: 1, seen: early, length: nil))
        connection.traceStatements { [log] in log.add($0) }
    }

    /// The inserts that were run.
    private func inserts() -> [String] { log.take().filter { $0.hasPrefix("INSERT") } }

    private func pages() throws -> [Page] { try connection.all(Page.self) }

    @Test func manyRecordsUpdateTheRowsThatAreThere() throws {
        let count = try connection.insert(
            contentsOf: [page(path: "a", hits: 5, seen: late), page(path: "b", hits: 6)], onConflict: \.path)
        #expect(count == 2)
        let update = #"ON CONFLICT("path") DO UPDATE SET "hits" = excluded."hits", "seen" = excluded."seen""#
        #expect(
            inserts() == [
                #"INSERT INTO "pages"("id", "path", "hits", "seen") VALUES(NULL, 'a', 5, 20.5) "# + update,
                #"INSERT INTO "pages"("id", "path", "hits", "seen") VALUES(NULL, 'b', 6, NULL) "# + update,
            ])
        #expect(try pages() == [page(id: 1, path: "a", hits: 5, seen: late), page(id: 2, path: "b", hits: 6)])
    }

    @Test func doNothingLeavesTheRowsThatAreThere() throws {
        let count = try connection.insert(
            contentsOf: [page(path: "a", hits: 5), page(path: "b", hits: 6)], onConflict: \.path, doNothing: true)
        #expect(count == 1)
        #expect(inserts().allSatisfy { $0.hasSuffix(#" ON CONFLICT("path") DO NOTHING"#) })
        #expect(try pages().map(\.hits) == [1, 6])
    }

    @Test func assignmentsUseBothRows() throws {
        let most = 100
        let count = try connection.insert(
            contentsOf: [
                page(path: "a", hits: 5, seen: late), page(path: "b", hits: 2, seen: late),
                page(path: "b", hits: 3, seen: early), page(path: "b", hits: 4, seen: late),
            ], onConflict: \.path
        ) {
            $0.hits.set(to: $0.hits + $0.excluded.hits)
            $0.seen.set(to: $0.excluded.seen)
        } where: {
            $0.excluded.seen >= late && $0.hits < most
        }
        #expect(count == 3)
        #expect(
            inserts().first == """
                INSERT INTO "pages"("id", "path", "hits", "seen") VALUES(NULL, 'a', 5, 20.5) ON CONFLICT("path") DO UPDATE SET \
                "hits" = "pages"."hits" + "excluded"."hits", "seen" = "excluded"."seen" \
                WHERE "excluded"."seen" >= 20.5 AND "pages"."hits" < 100
                """)
        #expect(try pages().map(\.hits) == [6, 6])
        #expect(try pages().map(\.seen) == [late, late])
    }

    @Test func eachRowThatIsWrittenReturnsAValue() throws {
        let ids = try connection.insert(
            contentsOf: [page(path: "b", hits: 2), page(path: "a", hits: 3), page(path: "a", hits: 0)],
            onConflict: \.path
        ) {
            $0.hits.set(to: $0.excluded.hits)
        } where: {
            $0.excluded.hits > 0
        } returning: {
            $0.id
        }
        #expect(ids == [2, 1])
        #expect(inserts().first?.hasSuffix(#"WHERE "excluded"."hits" > 0 RETURNING "pages"."id""#) == true)
        let dates = try connection.insert(contentsOf: [page(path: "a", hits: 9, seen: late)], onConflict: \.path) {
            $0.seen.set(to: $0.excluded.seen)
        } returning: {
            $0.seen
        }
        #expect(dates == [late])
    }

    @Test func manyRecordsAreWrittenWithManyRowsInAStatement() throws {
        let first = (0..<300).map { page(path: "\($0)", hits: 1) }
        #expect(try connection.insert(contentsOf: first, onConflict: \.path) == 300)
        let second = (0..<400).lazy.map { page(path: "\($0 % 350)", hits: 2) }
        let limit = 1_000
        let count = try connection.insert(contentsOf: second, onConflict: \.path) {
            $0.hits.set(to: $0.hits + $0.excluded.hits)
        } where: {
            $0.hits < limit
        }
        #expect(count == 400)
        #expect(inserts().contains { $0.contains("), (") })
        #expect(try connection.sum(\Page.hits) == 1 + 300 + 800)
        #expect(try connection.count(Page.self) == 351)
        #expect(!connection.isInTransaction)
    }

    @Test func aBadRecordUndoesAllAndIsNamed() throws {
        let bad = (0..<200).map {
            page(path: "\($0)", hits: 1, seen: $0 == 150 ? Date(timeIntervalSince1970: .nan) : nil)
        }
        let error = try #require(throws: InsertionError.self) {
            try connection.insert(contentsOf: bad, onConflict: \.path)
        }
        #expect(error.index == 150)
        let returning = try #require(throws: InsertionError.self) {
            try connection.insert(contentsOf: bad, onConflict: \.path) {
                $0.hits.set(to: 1)
            } returning: {
                $0.id
            }
        }
        #expect(returning.index == 150)
        #expect(try connection.count(Page.self) == 1)
    }

    @Test func aRecordWithoutAKeyIsRefusedWhereTheKeyIsTheConstraint() throws {
        let error = try #require(throws: InsertionError.self) {
            try connection.insert(
                contentsOf: [page(id: 1, path: "x", hits: 1), page(path: "y", hits: 1)], onConflict: \.id)
        }
        #expect(error.index == 1)
        #expect(
            (error.reason as? SQLiteError)?.kind == .problem(TableProblem.missingKey(column: "id"), of: .table("pages"))
        )
        #expect(
            try errorKind {
                try connection.upsert(page(path: "y", hits: 1)) { $0.hits.set(to: $0.excluded.hits) }
            } == .problem(TableProblem.missingKey(column: "id"), of: .table("pages")))
    }

    struct Excluded: TableRecord {
        let id: Int
        let name: String

        static let table = Table("Excluded", Excluded.init) {
            Column("id", \Excluded.id, .primaryKey)
            Column("name", \Excluded.name)
        }
    }

    /// `excluded.name` would be the row that is there, so that nothing would change.
    @Test func aTableWithTheNameExcludedIsRefused() throws {
        try connection.create(Excluded.table)
        let record = Excluded(id: 1, name: "a")
        try connection.insert(record)
        let verbs: [() throws -> Void] = [
            { try connection.upsert(record) },
            { try connection.upsert(record) { $0.name.set(to: $0.excluded.name) } },
            { try connection.insert(contentsOf: [record], onConflict: \.id) },
            { try connection.upsert(into: "Excluded", ["id": 1, "name": "b"], onConflict: "id") },
        ]
        for verb in verbs {
            #expect(try sqliteError(verb).kind == .problem(QueryProblem.repeatedTableName("Excluded")))
        }
        try connection.insert(contentsOf: [record], onConflict: \.id, doNothing: true)
    }

    @Test func oneRecordSetsItsOwnColumns() throws {
        let isWritten = try connection.upsert(page(path: "a", hits: 4), onConflict: \.path) {
            $0.hits.set(to: $0.hits + $0.excluded.hits)
        }
        #expect(isWritten)
        #expect(try pages().map(\.hits) == [5])
        let least = 10
        let isRefused = try connection.upsert(page(id: 1, path: "z", hits: 4)) {
            $0.path.set(to: "changed")
        } where: {
            $0.hits > least
        }
        #expect(!isRefused)
        #expect(
            inserts().last == """
                INSERT INTO "pages"("id", "path", "hits", "seen") VALUES(1, 'z', 4, NULL) ON CONFLICT("id") DO UPDATE SET \
                "path" = 'changed' WHERE "pages"."hits" > 10
                """)
        let id = try connection.upsert(page(path: "a", hits: 1), onConflict: \.path) {
            $0.hits.set(to: 0)
        } returning: {
            $0.id
        }
        #expect(id == 1)
        let none = try connection.upsert(page(path: "a", hits: 1), onConflict: \.path) {
            $0.hits.set(to: 0)
        } where: {
            $0.hits > 99
        } returning: {
            $0.hits
        }
        #expect(none == nil)
        #expect(
            try errorKind { try connection.upsert(page(path: "a", hits: 1), onConflict: \.path) { _ in } }
                == .problem(QueryProblem.noAssignments, of: .table("pages")))
    }

    @Test func tablesWithACompositeKeyAndWithoutRowIDs() throws {
        let count = try connection.insert(
            contentsOf: [
                Stock(shop: "x", item: "i", amount: 1), Stock(shop: "x", item: "i", amount: 2),
                Stock(shop: "x", item: "j", amount: 3),
            ], onConflict: \.shop, \.item
        ) {
            $0.amount.set(to: $0.amount + $0.excluded.amount)
        }
        #expect(count == 3)
        #expect(try connection.all(Stock.self).map(\.amount) == [3, 3])
        try connection.upsert(Stock(shop: "x", item: "j", amount: 1)) { $0.amount.set(to: $0.excluded.amount) }
        #expect(try connection.all(Stock.self).map(\.amount) == [3, 1])
        try connection.create(points)
        try connection.table(points).insert(
            contentsOf: [Point(x: 1, y: 1, label: "a"), Point(x: 1, y: 1, label: "b")], onConflict: \.x,
            \.y)
        #expect(try connection.table(points).all() == [Point(x: 1, y: 1, label: "b")])
        let labels = try connection.table(points).insert(
            contentsOf: [Point(x: 1, y: 1, label: "c")], onConflict: \.x, \.y
        ) {
            $0.label.set(to: $0.label.appending($0.excluded.label))
        } returning: {
            $0.label
        }
        #expect(labels == ["bc"])
        let label = try connection.table(points).upsert(Point(x: 1, y: 1, label: "d")) {
            $0.label.set(to: $0.excluded.label)
        } returning: {
            $0.label
        }
        #expect(label == "d")
    }

    @Test func aRecordThatBreaksAConstraintIsIgnored() throws {
        #expect(try connection.insert(page(path: "b", hits: 1), orIgnore: true) == 2)
        #expect(try connection.insert(page(path: "a", hits: 9), orIgnore: true) == nil)
        #expect(
            inserts().last == #"INSERT OR IGNORE INTO "pages"("id", "path", "hits", "seen") VALUES(NULL, 'a', 9, NULL)"#
        )
        #expect(throws: SQLiteError.self) { try connection.insert(page(path: "a", hits: 9), orIgnore: false) }
        #expect(try connection.insert(Stock(shop: "x", item: "i", amount: 1), orIgnore: true) != nil)
        #expect(try connection.insert(Stock(shop: "x", item: "i", amount: 2), orIgnore: true) == nil)
        #expect(try pages().map(\.hits) == [1, 1])
    }

    @Test func manyRecordsReplaceTheRowsThatAreThere() throws {
        let records = [page(path: "a", hits: 7)] + (0..<100).map { page(path: "\($0)", hits: 1, seen: early) }
        try connection.replace(contentsOf: records)
        #expect(
            inserts().first?.hasPrefix(
                #"INSERT OR REPLACE INTO "pages"("id", "path", "hits", "seen") VALUES(NULL, 'a'"#) == true)
        #expect(try connection.first(Page.self) { $0.path == "a" } == page(id: 2, path: "a", hits: 7))
        #expect(try connection.count(Page.self) == 101)
        try connection.create(points)
        try connection.table(points).replace(
            contentsOf: [Point(x: 1, y: 1, label: "a"), Point(x: 1, y: 1, label: "b")])
        #expect(try connection.table(points).all().map(\.label) == ["b"])
    }

    @Test func columnsOfATableWithoutARecordType() throws {
        try connection.create(points)
        let (first, second) = (Point(x: 1, y: 2, label: "a"), Point(x: 1, y: 2, label: "b"))
        _ = log.take()
        #expect(
            try connection.table(points).upsert(first, onConflict: \.x, \.y) { $0.label.set(to: "never") })
        #expect(
            try connection.table(points).upsert(second, onConflict: \.x, \.y) {
                $0.label.set(to: $0.excluded.label)
            } where: {
                $0.label == "a"
            })
        #expect(
            try connection.table(points).upsert(first, onConflict: \.x, \.y) {
                $0.label.set(to: "not set")
            } where: {
                $0.label == "a"
            } == false)
        #expect(try connection.table(points).all() == [second])
        let more = [Point(x: 1, y: 2, label: "c"), Point(x: 3, y: 4, label: "d")]
        #expect(
            try connection.table(points).insert(contentsOf: more, onConflict: \.x, \.y) {
                $0.label.set(to: $0.excluded.label)
            } == 2)
        #expect(try connection.table(points).all() == more)
    }

    @Test func optionalKeysThatAllHaveValuesAreTheConstraint() throws {
        let count = try connection.insert(
            contentsOf: [page(id: 1, path: "z", hits: 2), page(id: 7, path: "b", hits: 3)], onConflict: \.id)
        #expect(count == 2)
        #expect(try pages().map(\.path) == ["z", "b"])
    }

    @Test func aColumnOfAnAssignmentIsNamedByItsKeyPath() throws {
        try connection.upsert(page(path: "a", hits: 4), onConflict: \.path) {
            $0[\.hits].set(to: $0[\.hits] + 10)
        }
        #expect(inserts().last?.contains(#"DO UPDATE SET "hits" = "pages"."hits" + 10"#) == true)
        #expect(try pages().map(\.hits) == [11])
    }

    private struct Day: TableRecord {
        let id: Int64, date: Date
        static let table = Table("days", Day.init) {
            Column("id", \Day.id, .primaryKey)
            Column("date", \Day.date)
        }
    }

    @Test func aValueThatCannotBeStoredLeavesNothingBound() throws {
        try connection.create(Day.table)
        func upsert(_ date: Date) throws {
            try connection.upsert(Day(id: 1, date: date)) { $0.date.set(to: $0.excluded.date) }
        }
        let error = try errorKind { try upsert(Date(timeIntervalSince1970: 1e15)) }
        #expect(error == .unstorable(type: "Date", reason: .yearOutOfRange))
        #expect(try connection.count(Day.self) == 0)
        try upsert(early)
        #expect(try connection.all(Day.self).map(\.date) == [early])
    }
}
