import Foundation
import Squall
import Testing

/// UNION, INTERSECT and EXCEPT.
struct CompoundTests {
    private let connection: Connection

    init() throws { connection = try Shop.connection() }

    private let names = Customer.select { $0.name }
    private let cities = Customer.select { $0.city }

    @Test func theFourOperators() throws {
        let a = Order.select { $0.item }
        let b = Item.where { $0.id > 1 }.select { $0.id }
        let parts = (
            #"SELECT "orders"."item" FROM "orders""#, #"SELECT "items"."id" FROM "items" WHERE "items"."id" > 1"#
        )
        #expect(a.union(b).printed == "\(parts.0) UNION \(parts.1)")
        #expect(try connection.all(a.union(b)).sorted() == [1, 2, 3])
        #expect(a.unionAll(b).printed == "\(parts.0) UNION ALL \(parts.1)")
        #expect(try connection.all(a.unionAll(b)).sorted() == [1, 1, 2, 2, 3])
        #expect(a.intersect(b).printed == "\(parts.0) INTERSECT \(parts.1)")
        #expect(try connection.all(a.intersect(b)) == [2])
        #expect(a.except(b).printed == "\(parts.0) EXCEPT \(parts.1)")
        #expect(try connection.all(a.except(b)) == [1])
    }

    @Test func aCompoundQueryIsOrderedByItsColumnsAndLimited() throws {
        let query = Customer.select { ($0.name, $0.id) }.union(Item.select { ($0.name, $0.id) })
            .order {
                $1.descending; $0.ascending.nullsLast
            }.limit(4, offset: 1)
        #expect(
            query.printed == """
                SELECT "customers"."name", "customers"."id" FROM "customers" UNION \
                SELECT "items"."name", "items"."id" FROM "items" ORDER BY 2 DESC, 1 ASC NULLS LAST LIMIT 4 OFFSET 1
                """
        )
        let rows: [(String, Int64)] = try connection.all(query)
        #expect(rows.map { "\($0) \($1)" } == ["Cy 3", "Bo 2", "Lamp 2", "Ada 1"])
        #expect(try connection.count(query) == 4)
        #expect(try connection.exists(query))
        #expect(try connection.first(query)?.0 == "Cy")
        let records = Customer.where { $0.id < 2 }.union(Customer.where { $0.city == "Rome" })
            .order { $0.name.descending }
        #expect(records.printed.hasSuffix("ORDER BY 2 DESC"))
        #expect(try connection.all(records).map(\.name) == ["Cy", "Ada"])
    }

    @Test func aPartWithItsOwnOrderOrLimitIsASubquery() throws {
        let first = names.order { $0.id.descending }.limit(1)
        let query = first.unionAll(Item.select { $0.name }.limit(1))
        #expect(
            query.printed == """
                SELECT * FROM (SELECT "customers"."name" FROM "customers" ORDER BY "customers"."id" DESC LIMIT 1) \
                UNION ALL SELECT * FROM (SELECT "items"."name" FROM "items" LIMIT 1)
                """
        )
        #expect(try connection.all(query) == ["Cy", "Tyre"])
    }

    /// SQLite evaluates from left to right: a compound query on the right is in parentheses.
    @Test func compoundQueriesAreChained() throws {
        let left = names.unionAll(cities).except(SQL.row("Oslo"))
        #expect(
            left.printed == """
                SELECT "customers"."name" FROM "customers" UNION ALL SELECT "customers"."city" FROM "customers" \
                EXCEPT SELECT 'Oslo'
                """
        )
        #expect(try connection.all(left).sorted() == ["Ada", "Bo", "Cy", "Rome"])
        let right = names.unionAll(cities.except(SQL.row("Oslo")))
        #expect(
            right.printed == """
                SELECT "customers"."name" FROM "customers" UNION ALL \
                SELECT * FROM (SELECT "customers"."city" FROM "customers" EXCEPT SELECT 'Oslo')
                """
        )
        #expect(try connection.all(right) == ["Ada", "Bo", "Cy", "Rome"])
        let limited = names.union(cities).order { $0.ascending }.limit(2).unionAll(SQL.row("Zug"))
        #expect(try connection.all(limited) == ["Ada", "Bo", "Zug"])
    }

    @Test func aCompoundQueryIsASubqueryAndACommonTable() throws {
        let ids = Order.select { $0.customer }.union(Customer.where { $0.city == "Rome" }.select { $0.id })
        #expect(try connection.all(Customer.where { $0.id.in(ids) }).count == 3)
        #expect(
            Customer.select { _ in ids.count }.limit(1).printed == """
                SELECT (SELECT count(*) FROM (SELECT "orders"."customer" FROM "orders" UNION \
                SELECT "customers"."id" FROM "customers" WHERE "customers"."city" = 'Rome')) FROM "customers" LIMIT 1
                """
        )
        let known = ids.named("known")
        let query = Customer.join(known) { $0.id == $1 }.select { ($0.name, $1) }
        #expect(
            query.printed == """
                WITH "known"("c1") AS (SELECT "orders"."customer" FROM "orders" UNION SELECT "customers"."id" \
                FROM "customers" WHERE "customers"."city" = 'Rome') SELECT "customers"."name", "known"."c1" \
                FROM "customers" JOIN "known" ON "customers"."id" = "known"."c1"
                """
        )
        #expect(try connection.all(query).map(\.0).sorted() == ["Ada", "Bo", "Cy"])
    }

    @Test func rowsOfAnotherTypeAreCombined() throws {
        let query = Customer.select(into: Summary.init) { ($0.name, Expr<Double?>("NULL")) }
            .unionAll(Item.select(into: Summary.init) { ($0.name, Expr<Double?>("1.5")) }).limit(4)
        #expect(try connection.all(query).map(\.total) == [nil, nil, nil, 1.5])
    }

    @Test func partsOfDifferentStoredFormsThrow() throws {
        try connection.create(Dated.table)
        let query = Dated.select { $0.text }.union(Dated.select { $0.millis })
        let error = try #require(throws: SQLiteError.self) { try connection.all(query) }
        guard case .differentForms? = error.problem(ExpressionProblem.self) else { throw error }
        #expect(try connection.all(Dated.select { $0.millis }.union(Dated.select { $0.millis })) == [])
    }

    /// A column is a number there, of which an expression would be a constant: SQLite refuses it.
    @Test func aCompoundQueryIsNotOrderedByExpressions() throws {
        let query = Order.select { $0.item }.union(Item.select { $0.id }).order { ($0 + 1).descending }
        let error = try #require(throws: SQLiteError.self) { try connection.all(query) }
        #expect("\(error)".contains("does not match any column"))
    }

    @Test func aConstantRowMayHaveNULL() throws {
        let row = SQL.row(1, nil as String?)
        #expect(row.select.sql.text == "SELECT ?, NULL")
        let rows: [(Int, String?)] = try connection.all(row.unionAll(SQL.row(2, "b" as String?)))
        #expect(rows.map(\.0) == [1, 2] && rows.map(\.1) == [nil, "b"])
    }
}
