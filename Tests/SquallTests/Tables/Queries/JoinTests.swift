import Squall
import Testing

/// Joins of up to four tables, of every kind, with aliases.
struct JoinTests {
    private let connection: Connection

    init() throws { connection = try Shop.connection() }

    @Test func fourTablesAreJoined() throws {
        let query = Order.join(Customer.self) { $0.customer == $1.id }.join(Item.self) { $0.item == $2.id }
            .leftJoin(Coupon.self) { $0.coupon == $3.id }
            .where { order, customer, item, coupon in
                order.price > 6 && customer.city == "Oslo" && item.name != "Belt" && coupon.id < 9 || coupon.id == nil
            }
            .order { order, _, _, _ in order.id.ascending }
            .select { ($1.name, $2.name, $3.code) }
        #expect(
            query.printed == """
                SELECT "customers"."name", "items"."name", "coupons"."code" FROM "orders" \
                JOIN "customers" ON "orders"."customer" = "customers"."id" \
                JOIN "items" ON "orders"."item" = "items"."id" \
                LEFT JOIN "coupons" ON "orders"."coupon" = "coupons"."id" \
                WHERE ("orders"."price" > 6.0 AND "customers"."city" = 'Oslo' AND "items"."name" <> 'Belt' \
                AND "coupons"."id" < 9) OR "coupons"."id" IS NULL ORDER BY "orders"."id" ASC
                """
        )
        let rows: [(String, String, String?)] = try connection.all(query)
        #expect(rows.map { "\($0) \($1) \($2 ?? "-")" } == ["Ada Tyre -", "Ada Lamp SPRING", "Bo Tyre -"])
    }

    @Test func aTableIsJoinedTwiceAndGivesRecords() throws {
        let query = Order.join(Customer.self) { $0.customer == $1.id }.leftJoin(Coupon.self) { $0.coupon == $2.id }
            .leftJoin(Customer.self) { $1.manager == $3.id }
            .order { order, _, _, _ in order.id.ascending }
        #expect(
            query.select { ($0.id, $1.name, $2.code, $3.name) }.printed == """
                SELECT "orders"."id", "customers"."name", "coupons"."code", "customers_2"."name" FROM "orders" \
                JOIN "customers" ON "orders"."customer" = "customers"."id" \
                LEFT JOIN "coupons" ON "orders"."coupon" = "coupons"."id" \
                LEFT JOIN "customers" AS "customers_2" ON "customers"."manager" = "customers_2"."id" \
                ORDER BY "orders"."id" ASC
                """
        )
        let rows: [(Order, Customer, Coupon?, Customer?)] = try connection.all(query)
        #expect(
            rows.map { "\($0.id) \($1.name) \($2?.code ?? "-") \($3?.name ?? "-")" }
                == ["1 Ada - -", "2 Ada SPRING -", "3 Bo - Ada"]
        )
    }

    @Test func aRightJoinKeepsAllRowsOfTheNewTable() throws {
        let query = Order.rightJoin(Item.self) { $0.item == $1.id }.order {
            $1.id.ascending; $0.id.ascending
        }
        #expect(
            query.select { ($0.id, $1.name) }.printed == """
                SELECT "orders"."id", "items"."name" FROM "orders" \
                RIGHT JOIN "items" ON "orders"."item" = "items"."id" ORDER BY "items"."id" ASC, "orders"."id" ASC
                """
        )
        let rows: [(Order?, Item)] = try connection.all(query)
        #expect(rows.map { "\($0?.id ?? 0) \($1.name)" } == ["1 Tyre", "3 Tyre", "2 Lamp", "0 Belt"])
        let values: [(Int64?, String)] = try connection.all(query.select { ($0.id, $1.name) })
        #expect(values.map(\.0) == [1, 3, 2, nil])
    }

    @Test func aFullJoinKeepsAllRowsOfBothSides() throws {
        let query = Customer.leftJoin(Order.self) { $0.id == $1.customer }
            .fullJoin(Item.table) { _, order, item in order.item == item.id }
            .order { customer, order, _ in
                customer.id.ascending.nullsLast; order.id.ascending
            }
        #expect(
            query.select { ($0.name, $1.id, $2.name) }.printed == """
                SELECT "customers"."name", "orders"."id", "items"."name" FROM "customers" \
                LEFT JOIN "orders" ON "customers"."id" = "orders"."customer" \
                FULL JOIN "items" ON "orders"."item" = "items"."id" \
                ORDER BY "customers"."id" ASC NULLS LAST, "orders"."id" ASC
                """
        )
        let rows: [(Customer?, Order?, Item?)] = try connection.all(query)
        #expect(
            rows.map { "\($0?.name ?? "-") \($1?.id ?? 0) \($2?.name ?? "-")" }
                == ["Ada 1 Tyre", "Ada 2 Lamp", "Bo 3 Tyre", "Cy 0 -", "- 0 Belt"]
        )
    }

    @Test func anAliasIsTheNameOfATableInItsQuery() throws {
        let manager = Customer.as("manager")
        let query = Customer.join(manager) { $0.manager == $1.id }.order { customer, _ in customer.id.ascending }
            .select { ($0.name, $1.name) }
        #expect(
            query.printed == """
                SELECT "customers"."name", "manager"."name" FROM "customers" \
                JOIN "customers" AS "manager" ON "customers"."manager" = "manager"."id" ORDER BY "customers"."id" ASC
                """
        )
        #expect(try connection.all(query).map { "\($0) \($1)" } == ["Bo Ada", "Cy Ada"])
        #expect(
            manager.where { $0.id == 1 }.printed == """
                SELECT "manager"."id", "manager"."name", "manager"."city", "manager"."manager" \
                FROM "customers" AS "manager" WHERE "manager"."id" = 1
                """
        )
        #expect(try connection.all(manager.where { $0.id == 1 }).map(\.name) == ["Ada"])
        let twice = manager.query.leftJoin(manager) { $0.manager == $1.id }.select { ($0.name, $1.name) }
        #expect(twice.printed.contains(#"FROM "customers" AS "manager" LEFT JOIN "customers" AS "manager_2" ON"#))
        #expect(try connection.all(twice).map { "\($0) \($1 ?? "-")" } == ["Ada -", "Bo Ada", "Cy Ada"])
    }

    @Test func aRecordIsSelectedBesideAggregates() throws {
        let query = Customer.leftJoin(Order.self) { $0.id == $1.customer }.group { customer, _ in customer.id }
            .order { customer, _ in customer.id.ascending }.select { ($0.record, $1.id.count()) }
        #expect(
            query.printed == """
                SELECT "customers"."id", "customers"."name", "customers"."city", "customers"."manager", \
                count("orders"."id") FROM "customers" LEFT JOIN "orders" ON "customers"."id" = "orders"."customer" \
                GROUP BY "customers"."id" ORDER BY "customers"."id" ASC
                """
        )
        let rows: [(Customer, Int)] = try connection.all(query)
        #expect(rows.map { "\($0.name) \($1)" } == ["Ada 2", "Bo 1", "Cy 0"])
        let missing: [(Int64, Order?)] = try connection.all(
            Customer.leftJoin(Order.self) { $0.id == $1.customer }.order { $1.id.ascending }.limit(1)
                .select { ($0.id, $1.record) })
        #expect(missing.map(\.1) == [nil])
    }

    @Test func rowsBecomeAnotherTypeThroughItsInitialiser() throws {
        let query = Customer.join(Order.self) { $0.id == $1.customer }.group { customer, _ in customer.id }
            .order { customer, _ in customer.id.ascending }
            .select(into: Summary.init) { ($0.name, $1.price.sum()) }
        #expect(
            query.printed == """
                SELECT "customers"."name", sum("orders"."price") FROM "customers" \
                JOIN "orders" ON "customers"."id" = "orders"."customer" GROUP BY "customers"."id" \
                ORDER BY "customers"."id" ASC
                """
        )
        #expect(try connection.all(query) == [Summary(name: "Ada", total: 30), Summary(name: "Bo", total: 5)])
        struct Name: Sendable { let name: String }
        let names = Customer.select(into: Name.init) { $0.name }
        #expect(try connection.all(names).map(\.name) == ["Ada", "Bo", "Cy"])
    }

    @Test func aQueryBeginsWithAGroupingAndIsRefinedAfterItsSelection() throws {
        let query = Customer.group { $0.city }.select { ($0.city, $0.id.count(), $0.id.average()) }
            .having { $0.id.count() > 1 }
        #expect(
            query.printed == """
                SELECT "customers"."city", count("customers"."id"), avg("customers"."id") FROM "customers" \
                GROUP BY "customers"."city" HAVING count("customers"."id") > 1
                """
        )
        let rows: [(String, Int, Double?)] = try connection.all(query)
        #expect(rows.map { "\($0) \($1) \($2 ?? 0)" } == ["Oslo 2 1.5"])
    }

    /// `record` is the whole record; the column of a property with this name is named by its key path.
    @Test func aPropertyNamedRecordIsNamedByItsKeyPath() throws {
        struct Sound: TableRecord {
            let id: Int64
            let record: String
            static let table = Table("sounds", Sound.init) {
                Column("id", \Sound.id, .primaryKey)
                Column("record", \Sound.record)
            }
        }
        try connection.create(Sound.table)
        try connection.insert(Sound(id: 1, record: "Abbey Road"))
        #expect(Sound.select { $0[\.record] }.printed == #"SELECT "sounds"."record" FROM "sounds""#)
        #expect(try connection.all(Sound.select { $0[\.record] }) == ["Abbey Road"])
        #expect(try connection.all(Sound.select { $0.record }).map(\.id) == [1])
    }
}
