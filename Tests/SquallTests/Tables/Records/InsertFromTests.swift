import Foundation
import Squall
import SquallTestSupport
import Testing

/// `INSERT … SELECT`, and `UPDATE … FROM`.
struct InsertFromTests {
    struct Customer: TableRecord, Equatable {
        let id: Int64?
        let name: String
        let boss: Int64?

        static let table = Table("customers", Customer.init) {
            Column("id", \Customer.id, .primaryKey)
            Column("name", \Customer.name)
            Column("boss", \Customer.boss)
        }
    }

    struct Order: TableRecord, Equatable {
        let id: Int64?
        let customer: Int64
        let name: String?
        let placed: Date

        static let table = Table("orders", Order.init) {
            Column("id", \Order.id, .primaryKey)
            Column("customer", \Order.customer)
            Column("name", \Order.name)
            Column("placed", \Order.placed, as: .unixTime)
        }
    }

    struct Archive: TableRecord, Equatable {
        let number: Int64?
        let client: Int64
        let label: String?
        let date: Date

        static let table = Table("archive", Archive.init) {
            Column("number", \Archive.number, .primaryKey)
            Column("client", \Archive.client)
            Column("label", \Archive.label)
            Column("date", \Archive.date, as: .unixTime)
        }
    }

    struct Texts: TableRecord, Equatable {
        let number: Int64?
        let client: Int64
        let label: String?
        let date: Date

        static let table = Table("texts", Texts.init) {
            Column("number", \Texts.number, .primaryKey)
            Column("client", \Texts.client)
            Column("label", \Texts.label)
            Column("date", \Texts.date)
        }
    }

    struct Summary: TableRecord, Equatable {
        let customer: Int64
        let count: Int
        let doubled: Int?

        static let table = Table("summaries", Summary.init, .withoutRowID) {
            Column("customer", \Summary.customer, .primaryKey)
            Column("count", \Summary.count)
            Column("doubled", \Summary.doubled, .generated("count * 2"))
        }
    }

    let connection: Connection
    private let log = Log()
    private let early = Date(timeIntervalSince1970: 10.5)
    private let late = Date(timeIntervalSince1970: 20.5)

    init() throws {
        connection = try Connection()
        try connection.create(Customer.table)
        try connection.create(Order.table)
        try connection.create(Archive.table)
        try connection.create(Texts.table)
        try connection.create(Summary.table)
        try connection.insert(contentsOf: [
            Customer(id: 1, name: "Ada", boss: nil), Customer(id: 2, name: "Bo", boss: 1),
        ])
        try connection.insert(contentsOf: [
            Order(id: 1, customer: 1, name: nil, placed: early), Order(id: 2, customer: 2, name: "x", placed: late),
            Order(id: 3, customer: 1, name: "y", placed: early),
        ])
        connection.traceStatements { [log] in log.add($0) }
    }

    @Test func recordsOfAnotherTableWithEqualTypes() throws {
        #expect(try connection.insert(into: Archive.self, from: Order.where { $0.placed < late }) == 2)
        #expect(
            log.take() == [
                """
                INSERT INTO "archive"("number", "client", "label", "date") SELECT "orders"."id", "orders"."customer", \
                "orders"."name", "orders"."placed" FROM "orders" WHERE "orders"."placed" < 20.5
                """
            ])
        #expect(
            try connection.all(Archive.self) == [
                Archive(number: 1, client: 1, label: nil, date: early),
                Archive(number: 3, client: 1, label: "y", date: early),
            ])
    }

    /// The columns of `Order`, in another order.
    struct Moved: TableRecord, Equatable {
        let customer: Int64?
        let id: Int64
        let name: String?
        let placed: Date

        static let table = Table("moved", Moved.init) {
            Column("CUSTOMER", \Moved.customer)
            Column("id", \Moved.id, .primaryKey)
            Column("name", \Moved.name)
            Column("placed", \Moved.placed, as: .unixTime)
        }
    }

    struct Pair: TableRecord, Equatable {
        let key: Int64?
        let first: String
        let second: String

        static let table = Table("pairs", Pair.init) {
            Column("key", \Pair.key, .primaryKey)
            Column("first", \Pair.first)
            Column("second", \Pair.second)
        }
    }

    struct Swapped: TableRecord, Equatable {
        let key: Int64?
        let second: String
        let first: String

        static let table = Table("swapped", Swapped.init) {
            Column("key", \Swapped.key, .primaryKey)
            Column("SECOND", \Swapped.second)
            Column("first", \Swapped.first)
        }
    }

    @Test func recordsGoIntoTheColumnsWithTheirNames() throws {
        try connection.create(Pair.table)
        try connection.create(Swapped.table)
        try connection.insert(Pair(key: 1, first: "a", second: "b"))
        _ = log.take()
        try connection.insert(into: Swapped.self, from: Pair.query)
        #expect(
            log.take() == [
                """
                WITH "squall_selected"("key", "first", "SECOND") AS (SELECT "pairs"."key", "pairs"."first", \
                "pairs"."second" FROM "pairs") INSERT INTO "swapped"("key", "SECOND", "first") \
                SELECT "key", "SECOND", "first" FROM "squall_selected"
                """
            ])
        #expect(try connection.all(Swapped.self) == [Swapped(key: 1, second: "b", first: "a")])
        try connection.update(Pair.self) {
            $0.first.set(to: "c")
        } where: {
            $0.key == 1
        }
        try connection.insert(into: Swapped.self, from: Pair.query, onConflict: \.key)
        #expect(try connection.all(Swapped.self) == [Swapped(key: 1, second: "b", first: "c")])
        try connection.insert(into: Swapped.self, from: Pair.query, onConflict: \.key) {
            $0.second.set(to: $0.excluded.first)
        }
        #expect(try connection.all(Swapped.self) == [Swapped(key: 1, second: "c", first: "c")])
        // Selected values have no names.
        try connection.delete(Swapped.self) { _ in "TRUE" }
        try connection.insert(into: Swapped.self, from: Pair.select { ($0.key, $0.first, $0.second) })
        #expect(try connection.all(Swapped.self) == [Swapped(key: 1, second: "c", first: "b")])
    }

    @Test func anOptionalColumnMayHaveTheName() throws {
        try connection.create(Moved.table)
        try connection.insert(into: Moved.self, from: Order.where { $0.id == 3 })
        #expect(try connection.all(Moved.self) == [Moved(customer: 1, id: 3, name: "y", placed: early)])
    }

    struct Other: TableRecord, Equatable {
        let name: Int64?
        let boss: String
        let id: Int64?

        static let table = Table("others", Other.init) {
            Column("name", \Other.name)
            Column("boss", \Other.boss)
            Column("id", \Other.id, .primaryKey)
        }
    }

    @Test func recordsGoByPositionIfAColumnWithTheNameHasAnotherType() throws {
        try connection.create(Other.table)
        try connection.insert(into: Other.self, from: Customer.where { $0.id == 2 })
        #expect(try connection.all(Other.self) == [Other(name: 2, boss: "Bo", id: 1)])
    }

    @Test func theValuesOfASelect() throws {
        let count = try connection.insert(
            into: Archive.self,
            from: Order.where { $0.id == 2 }.select { ($0.id, $0.customer, $0.name, $0.placed) })
        #expect(count == 1)
        #expect(try connection.all(Archive.self) == [Archive(number: 2, client: 2, label: "x", date: late)])
    }

    private struct Misordered: TableRecord {
        let first: String, last: String
        static let table = Table("misordered", Misordered.init) {
            Column("last", \Misordered.last)
            Column("first", \Misordered.first)
        }
    }

    @Test func aTableWithAMistakeIsNotWrittenTo() throws {
        try connection.execute(
            "CREATE TABLE misordered(last TEXT, first TEXT); INSERT INTO misordered VALUES('a', 'b')")
        let message = "not in the order of the initialiser"
        let selection = Customer.select { ($0.name, $0.name) }
        #expect(
            try sqliteError { try connection.insert(into: Misordered.self, from: selection) }.message.contains(message))
        #expect(
            try sqliteError { try connection.insert(into: Misordered.self, from: Misordered.query) }.message
                .contains(message))
        #expect(try connection.count("misordered") == 1)
    }

    @Test func columnsInOtherFormsAreRefused() throws {
        #expect(throws: SQLiteError.self) { try connection.insert(into: Texts.self, from: Order.query) }
        let error = try sqliteError {
            try connection.insert(into: Texts.self, from: Order.select { ($0.id, $0.customer, $0.name, $0.placed) })
        }
        guard case .differentForms? = error.problem(ExpressionProblem.self) else { throw error }
        #expect(try connection.count(Texts.self) == 0)
    }

    @Test func aGeneratedColumnIsLeftOut() throws {
        let query = Order.query.group { $0.customer }
            .select { ($0.customer, Expr<Int>("count(*)"), Expr<Int?>("NULL")) }
        #expect(try connection.insert(into: Summary.self, from: query) == 2)
        #expect(
            log.take() == [
                """
                WITH "squall_selected"("customer", "count", "doubled") AS (SELECT "orders"."customer", count(*), NULL \
                FROM "orders" GROUP BY "orders"."customer") INSERT INTO "summaries"("customer", "count") \
                SELECT "customer", "count" FROM "squall_selected"
                """
            ])
        #expect(
            try connection.all(Summary.self) == [
                Summary(customer: 1, count: 2, doubled: 4), Summary(customer: 2, count: 1, doubled: 2),
            ])
        let updated = try connection.insert(into: Summary.self, from: query, onConflict: \.customer) {
            $0.count.set(to: $0.count + $0.excluded.count)
        } where: {
            $0.customer == 1
        }
        #expect(updated == 1)
        #expect(try connection.all(Summary.self).map(\.count) == [4, 1])
    }

    @Test func rowsThatAreThereAreUpdatedOrLeft() throws {
        try connection.insert(Archive(number: 2, client: 9, label: "old", date: early))
        _ = log.take()
        #expect(
            try connection.insert(into: Archive.self, from: Order.query, onConflict: \.number, doNothing: true) == 2)
        #expect(
            log.take() == [
                """
                INSERT INTO "archive"("number", "client", "label", "date") SELECT * FROM (SELECT "orders"."id", \
                "orders"."customer", "orders"."name", "orders"."placed" FROM "orders") WHERE TRUE \
                ON CONFLICT("number") DO NOTHING
                """
            ])
        #expect(try connection.find(Archive.self, 2)?.label == "old")
        let values = Order.where { $0.id < 3 }.limit(2).select { ($0.id, $0.customer, $0.name, $0.placed) }
        #expect(try connection.insert(into: Archive.self, from: values, onConflict: \.number) == 2)
        #expect(try connection.find(Archive.self, 2) == Archive(number: 2, client: 2, label: "x", date: late))
        let count = try connection.insert(into: Archive.self, from: Order.query, onConflict: \.number) {
            $0.label.set(to: "again")
        } where: {
            $0.excluded.client == 2
        }
        #expect(count == 1)
        #expect(try connection.find(Archive.self, 2)?.label == "again")
        #expect(try connection.insert(into: Archive.self, from: values, onConflict: \.number, doNothing: true) == 0)
    }

    @Test func anUpdateSetsAColumnToSQL() throws {
        let count = try connection.update(Order.self, from: Customer.self) { order, customer in
            order[\.name].set(sql: "upper(\(customer.name.sql))")
        } where: { order, customer in
            order.customer == customer.id && customer.id == 1
        }
        #expect(count > 0)
        let names: [String] = try connection.query("SELECT DISTINCT name FROM orders WHERE customer = 1")
        let name: String = try connection.query("SELECT upper(name) FROM customers WHERE id = 1")
        #expect(names == [name])
    }

    @Test func anUpdateTakesValuesFromAnotherTable() throws {
        let count = try connection.update(Order.self, from: Customer.self) { order, customer in
            order.name.set(to: customer.name)
            order.placed.set(to: late)
        } where: { order, customer in
            order.customer == customer.id && order.name == nil
        }
        #expect(count == 1)
        #expect(
            log.take() == [
                """
                UPDATE "orders" SET "name" = "customers"."name", "placed" = 20.5 FROM "customers" \
                WHERE "orders"."customer" = "customers"."id" AND "orders"."name" IS NULL
                """
            ])
        #expect(try connection.find(Order.self, 1) == Order(id: 1, customer: 1, name: "Ada", placed: late))
    }

    @Test func aTableCanBeUpdatedFromItself() throws {
        let count = try connection.update(Customer.self, from: Customer.self) { customer, boss in
            customer.name.set(to: boss.name.appending(customer.name))
        } where: { customer, boss in
            customer.boss == boss.id
        }
        #expect(count == 1)
        #expect(
            log.take() == [
                """
                UPDATE "customers" SET "name" = "customers_2"."name" || "customers"."name" FROM "customers" AS "customers_2" \
                WHERE "customers"."boss" = "customers_2"."id"
                """
            ])
        #expect(try connection.find(Customer.self, 2)?.name == "AdaBo")
        #expect(
            try errorKind {
                try connection.update(Order.self, from: Customer.self) { _, _ in
                } where: { order, customer in
                    order.customer == customer.id
                }
            } == .problem(QueryProblem.noAssignments, of: .table("orders")))
    }
}
