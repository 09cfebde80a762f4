import Squall
import Testing

/// Outer joins that follow other joins: both forms of each kind, on each number of tables.
struct OuterJoinOfManyTests {
    private let connection: Connection

    init() throws {
        connection = try Shop.connection()
    }

    /// Expects SQL in each query, and its rows as text, in the order of the text.
    private func expect<Query: Selection>(
        _ queries: [Query], contain sql: String, _ expected: [String],
        sourceLocation: SourceLocation = #_sourceLocation,
        rows: (Query) -> Select<String>
    ) throws {
        for query in queries {
            #expect(query.printed.contains(sql), sourceLocation: sourceLocation)
            #expect(try connection.all(rows(query)).sorted() == expected, sourceLocation: sourceLocation)
        }
    }

    @Test func afterTwoTables() throws {
        let tables = Customer.join(Customer.self) { $1.id == $0.id }
        let lefts = [
            tables.leftJoin(Order.self) { $2.customer == $1.id },
            tables.leftJoin(Order.table) { $2.customer == $1.id },
        ]
        try expect(
            lefts, contain: #"LEFT JOIN "orders" ON "orders"."customer" = "customers_2"."id""#,
            ["Ada 1", "Ada 2", "Bo 3", "Cy 0"]
        ) {
            $0.select(into: { "\($0) \($1 ?? 0)" }) { a, _, order in (a.name, order.id) }
        }
        let rights = [
            tables.rightJoin(Coupon.self) { $2.id == $1.id + 2 },
            tables.rightJoin(Coupon.table) { $2.id == $1.id + 2 },
        ]
        try expect(rights, contain: #"RIGHT JOIN "coupons" ON "coupons"."id" = ("customers_2"."id" + 2)"#, ["- SPRING"])
        {
            $0.select(into: { "\($0 ?? "-") \($1)" }) { a, _, coupon in (a.name, coupon.code) }
        }
        let fulls = [
            tables.fullJoin(Coupon.self) { $2.id == $1.id - 1 },
            tables.fullJoin(Coupon.table) { $2.id == $1.id - 1 },
        ]
        try expect(
            fulls, contain: #"FULL JOIN "coupons" ON "coupons"."id" = ("customers_2"."id" - 1)"#,
            ["Ada -", "Bo SPRING", "Cy -"]
        ) {
            $0.select(into: { "\($0 ?? "-") \($1 ?? "-")" }) { a, _, coupon in (a.name, coupon.code) }
        }
    }

    @Test func afterThreeTables() throws {
        let tables = Customer.join(Customer.self) { $1.id == $0.id }
            .join(Customer.self) { $2.id == $0.id }
        let lefts = [
            tables.leftJoin(Order.self) { $3.customer == $2.id },
            tables.leftJoin(Order.table) { $3.customer == $2.id },
        ]
        try expect(
            lefts, contain: #"LEFT JOIN "orders" ON "orders"."customer" = "customers_3"."id""#,
            ["Ada 1", "Ada 2", "Bo 3", "Cy 0"]
        ) {
            $0.select(into: { "\($0) \($1 ?? 0)" }) { a, _, _, order in (a.name, order.id) }
        }
        let rights = [
            tables.rightJoin(Coupon.self) { $3.id == $2.id + 2 },
            tables.rightJoin(Coupon.table) { $3.id == $2.id + 2 },
        ]
        try expect(rights, contain: #"RIGHT JOIN "coupons" ON "coupons"."id" = ("customers_3"."id" + 2)"#, ["- SPRING"])
        {
            $0.select(into: { "\($0 ?? "-") \($1)" }) { a, _, _, coupon in (a.name, coupon.code) }
        }
        let fulls = [
            tables.fullJoin(Coupon.self) { $3.id == $2.id - 1 },
            tables.fullJoin(Coupon.table) { $3.id == $2.id - 1 },
        ]
        try expect(
            fulls, contain: #"FULL JOIN "coupons" ON "coupons"."id" = ("customers_3"."id" - 1)"#,
            ["Ada -", "Bo SPRING", "Cy -"]
        ) {
            $0.select(into: { "\($0 ?? "-") \($1 ?? "-")" }) { a, _, _, coupon in (a.name, coupon.code) }
        }
    }

    @Test func rowsOfManyTables() throws {
        let four = Customer.join(Customer.self) { $1.id == $0.id }.join(Customer.self) { $2.id == $0.id }
            .leftJoin(Order.self) { $3.customer == $0.id && $3.id == 2 }
        let fours = try connection.all(four.order { a, _, _, _ in a.id })
        #expect(
            fours.map { "\($0.0.name)\($0.1.id)\($0.2.id) \($0.3?.price ?? 0)" } == [
                "Ada11 20.0", "Bo22 0.0", "Cy33 0.0",
            ])
    }

    @Test func asTheFirstJoinOfAQuery() throws {
        let alias = Customer.as("c")
        func names<Query: Selection>(_ queries: [Query], _ show: (Query.Output) -> String) throws -> [String] {
            try queries.map { try connection.all($0).map(show).sorted().joined(separator: ", ") }
        }
        let lefts = [
            alias.leftJoin(Order.self) { $1.customer == $0.id }, alias.leftJoin(Order.table) { $1.customer == $0.id },
            Customer.table.as("c").leftJoin(Order.self) { $1.customer == $0.id },
        ]
        #expect(
            try names(lefts) { "\($0.0.name) \($0.1?.id ?? 0)" }
                == Array(repeating: "Ada 1, Ada 2, Bo 3, Cy 0", count: 3))
        let rights = [
            alias.rightJoin(Coupon.self) { $1.id == $0.id + 2 }, alias.rightJoin(Coupon.table) { $1.id == $0.id + 2 },
        ]
        #expect(try names(rights) { "\($0.0?.name ?? "-") \($0.1.code)" } == ["- SPRING", "- SPRING"])
        let typed = Customer.rightJoin(Coupon.table) { $1.id == $0.id + 2 }
        #expect(try names([typed]) { "\($0.0?.name ?? "-") \($0.1.code)" } == ["- SPRING"])
        let fulls = [
            alias.fullJoin(Coupon.self) { $1.id == $0.id }, alias.fullJoin(Coupon.table) { $1.id == $0.id },
        ]
        #expect(
            try names(fulls) { "\($0.0?.name ?? "-") \($0.1?.code ?? "-")" }
                == ["Ada SPRING, Bo -, Cy -", "Ada SPRING, Bo -, Cy -"])
        let whole = Customer.fullJoin(Coupon.table) { $1.id == $0.id }
        #expect(try names([whole]) { "\($0.0?.name ?? "-") \($0.1?.code ?? "-")" } == ["Ada SPRING, Bo -, Cy -"])
    }

    @Test func anAliasBeginsAQuery() throws {
        let alias = Customer.as("c")
        #expect(try connection.all(alias.group { $0.city }.select { $0.city }).sorted() == ["Oslo", "Rome"])
        let groups = alias.group { ($0.city, $0.manager) }
        #expect(groups.printed.hasSuffix(#"GROUP BY "c"."city", "c"."manager""#))
        #expect(try connection.all(groups).count == 3)
        let typed = Customer.group { ($0.city, $0.manager) }
        #expect(typed.printed.hasSuffix(#"GROUP BY "customers"."city", "customers"."manager""#))
        #expect(try connection.all(alias.select { ($0.id, $0.name) }).map(\.1) == ["Ada", "Bo", "Cy"])
        #expect(try connection.all(alias.select { ($0.id, $0.name, $0.city) }).map(\.2) == ["Oslo", "Oslo", "Rome"])
        #expect(
            try connection.all(alias.select(into: { "\($0)\($1)" }) { ($0.id, $0.name) }) == ["1Ada", "2Bo", "3Cy"])
        #expect(try connection.all(alias.select(into: { "<\($0)>" }) { $0.name }) == ["<Ada>", "<Bo>", "<Cy>"])
    }
}
