import Squall
import SquallTestSupport
import Testing

/// Queries inside the expressions of others.
struct SubqueryTests {
    private let connection: Connection

    init() throws { connection = try Shop.connection() }

    @Test func aConditionIsThatAQueryHasARow() throws {
        let query = Customer.where { customer in Order.where { $0.customer == customer.id && $0.price > 4 }.exists }
            .where { $0.id.in(Order.select { $0.customer }) }.order { $0.id.ascending }
        #expect(
            query.select { $0.name }.printed == """
                SELECT "customers"."name" FROM "customers" \
                WHERE EXISTS (SELECT 1 FROM "orders" WHERE "orders"."customer" = "customers"."id" \
                AND "orders"."price" > 4.0) AND "customers"."id" IN (SELECT "orders"."customer" FROM "orders") \
                ORDER BY "customers"."id" ASC
                """
        )
        #expect(try connection.all(query).map(\.name) == ["Ada", "Bo"])
        let others = Customer.where { customer in !Order.where { $0.customer == customer.id }.exists }
        #expect(try connection.all(others).map(\.name) == ["Cy"])
    }

    /// A query with a limit or groups keeps them, and an aggregate always has a row.
    @Test func existsKeepsTheClausesThatMatter() throws {
        let none = Customer.where { _ in Order.query.limit(0).exists }
        #expect(none.printed.contains(#"EXISTS (SELECT "orders"."id","#))
        #expect(try connection.all(none) == [])
        let all = Customer.where { _ in Order.where { $0.id > 99 }.select { $0.id.count() }.exists }
        #expect(
            all.printed.hasSuffix(
                #"WHERE EXISTS (SELECT count("orders"."id") FROM "orders" WHERE "orders"."id" > 99)"#))
        #expect(try connection.count(all) == 3)
    }

    @Test func aCountIsAValueOfEachRow() throws {
        let query = Customer.select { customer in (customer.name, Order.where { $0.customer == customer.id }.count) }
        #expect(
            query.printed == """
                SELECT "customers"."name", (SELECT count(*) FROM "orders" \
                WHERE "orders"."customer" = "customers"."id") FROM "customers"
                """
        )
        let rows: [(String, Int)] = try connection.all(query)
        #expect(rows.map { "\($0) \($1)" } == ["Ada 2", "Bo 1", "Cy 0"])
        let limited = Customer.select { customer in
            Order.where { $0.customer == customer.id }.select { $0.item }.distinct().limit(1).count
        }
        #expect(
            limited.printed == """
                SELECT (SELECT count(*) FROM (SELECT DISTINCT "orders"."item" FROM "orders" \
                WHERE "orders"."customer" = "customers"."id" LIMIT 1)) FROM "customers"
                """
        )
        #expect(try connection.all(limited) == [1, 1, 0])
        let first = Customer.select { customer in Order.where { $0.customer == customer.id }.limit(1).count }
        #expect(first.printed.contains(#""orders"."customer" = "customers"."id" LIMIT 1))"#))
        #expect(try connection.all(first) == [1, 1, 0])
    }

    @Test func theValueOfAQueryIsAnExpression() throws {
        let query = Customer.select { customer in
            (customer.name, Order.where { $0.customer == customer.id }.select { $0.price.max() }.value)
        }
        #expect(
            query.printed == """
                SELECT "customers"."name", (SELECT max("orders"."price") FROM "orders" \
                WHERE "orders"."customer" = "customers"."id") FROM "customers"
                """
        )
        let rows: [(String, Double?)] = try connection.all(query)
        #expect(rows.map { "\($0) \($1 ?? 0)" } == ["Ada 20.0", "Bo 5.0", "Cy 0.0"])
        let above = Order.where { $0.price > Order.select { $0.price.average() }.value }
        #expect(
            above.select { $0.id }.printed == """
                SELECT "orders"."id" FROM "orders" \
                WHERE "orders"."price" > (SELECT avg("orders_2"."price") FROM "orders" AS "orders_2")
                """
        )
        #expect(try connection.all(above.select { $0.id }) == [2])
    }

    @Test func aSubqueryOnTheSameTableHasAnotherName() throws {
        let youngest = Customer.where { customer in
            !Customer.where { $0.city == customer.city && $0.id > customer.id }.exists
        }
        #expect(
            youngest.select { $0.name }.printed == """
                SELECT "customers"."name" FROM "customers" WHERE NOT (EXISTS (SELECT 1 FROM "customers" AS "customers_2" \
                WHERE "customers_2"."city" = "customers"."city" AND "customers_2"."id" > "customers"."id"))
                """
        )
        #expect(try connection.all(youngest).map(\.name) == ["Bo", "Cy"])
    }

    @Test func subqueriesNestTwiceOnTheSameTable() throws {
        let query = Customer.where { outer in
            Customer.where { middle in
                middle.manager == outer.id
                    && Customer.where { $0.id > middle.id && $0.manager == outer.id && $0.city != middle.city }.exists
            }.exists
        }
        #expect(
            query.select { $0.name }.printed == """
                SELECT "customers"."name" FROM "customers" WHERE EXISTS (SELECT 1 FROM "customers" AS "customers_2" \
                WHERE "customers_2"."manager" = "customers"."id" AND EXISTS (SELECT 1 FROM "customers" AS "customers_3" \
                WHERE "customers_3"."id" > "customers_2"."id" AND "customers_3"."manager" = "customers"."id" \
                AND "customers_3"."city" <> "customers_2"."city"))
                """
        )
        #expect(try connection.all(query).map(\.name) == ["Ada"])
    }

    @Test func everyClosureIsAScope() throws {
        let count: (Columns<Customer>) -> Expr<Int> = { customer in
            Customer.where { $0.city == customer.city }.count
        }
        let inner = """
            (SELECT count(*) FROM "customers" AS "customers_2" WHERE "customers_2"."city" = "customers"."city")
            """
        #expect(Customer.order { count($0).descending }.printed.contains("ORDER BY \(inner) DESC"))
        #expect(Customer.group { count($0) }.printed.contains("GROUP BY \(inner)"))
        #expect(Customer.query.having { count($0) > 1 }.printed.contains("HAVING \(inner) > 1"))
        #expect(Customer.select { count($0) }.printed.contains("SELECT \(inner) FROM"))
        #expect(Customer.join(Item.self) { customer, _ in count(customer) > 1 }.printed.contains("ON \(inner) > 1"))
        #expect(try connection.all(Customer.self) { count($0) > 1 }.map(\.name) == ["Ada", "Bo"])
        #expect(try connection.first(Customer.self) { count($0) == 1 }?.name == "Cy")
        #expect(try connection.count(Customer.self) { count($0) > 1 } == 2)
        #expect(try connection.delete(Customer.self) { count($0) == 1 } == 1)
    }

    /// A join in a subquery renames its tables as well.
    @Test func aJoinedTableOfASubqueryHasAnotherName() throws {
        let query = Customer.where { customer in
            Order.join(Customer.self) { $0.customer == $1.id }.where { $1.manager == customer.id }.exists
        }
        #expect(
            query.select { $0.name }.printed == """
                SELECT "customers"."name" FROM "customers" WHERE EXISTS (SELECT "orders"."id", "orders"."customer", \
                "orders"."item", "orders"."coupon", "orders"."price", "customers_2"."id", "customers_2"."name", \
                "customers_2"."city", "customers_2"."manager" FROM "orders" \
                JOIN "customers" AS "customers_2" ON "orders"."customer" = "customers_2"."id" \
                WHERE "customers_2"."manager" = "customers"."id")
                """
        )
        #expect(try connection.all(query).map(\.name) == ["Ada"])
    }

    @Test func aQueryThatBeganBeforeIsASubqueryByItself() throws {
        let managers = Customer.where { $0.manager != nil }.select { $0.manager }
        let query = Customer.where { $0.id.in(managers) }
        #expect(
            query.select { $0.name }.printed == """
                SELECT "customers"."name" FROM "customers" WHERE "customers"."id" IN \
                (SELECT "customers"."manager" FROM "customers" WHERE "customers"."manager" IS NOT NULL)
                """
        )
        #expect(try connection.all(query).map(\.name) == ["Ada"])
    }

    /// In all of them, the name of the outer table would mean the inner one.
    @Test func aQueryThatBeganBeforeHasNoClausesBesideTheSameTable() throws {
        let managed = Customer.where { $0.manager != nil }
        let totals = Order.group { $0.customer }.select { ($0.customer, $0.price.sum()) }.named("totals")
        let orders = totals.query
        let queries: [Query<Columns<Customer>>] = [
            Customer.where { customer in managed.where { $0.manager == customer.id }.exists },
            Customer.where { customer in managed.select { ($0.id, customer.record) }.exists },
            Customer.where { customer in
                let id = customer.id
                return managed.where { $0.manager == id }.exists
            },
            managed.where { customer in managed.where { $0.manager == customer.id }.exists },
            Customer.where { customer in managed.join(Order.self) { _, order in order.customer == customer.id }.exists
            },
        ]
        for query in queries {
            let error = try #require(throws: SQLiteError.self) { try connection.all(query) }
            #expect(error.kind == .problem(QueryProblem.hiddenTable(name: "customers")))
        }
        let joined = Customer.join(totals) { $0.id == $1.0 }.where { _, total in orders.where { $0.1 > total.1 }.exists
        }
        #expect(throws: SQLiteError.self) { try connection.all(joined) }

        let named = Customer.as("managed").where { $0.manager != nil }
        let correct = Customer.where { customer in named.where { $0.manager == customer.id }.exists }
        #expect(try connection.all(correct).map(\.name) == ["Ada"])
        let twice = named.where { customer in
            Customer.where { $0.manager == customer.id }.exists
        }
        #expect(try connection.all(twice).isEmpty)
    }

    @Test func theClosuresOfAnUpsertAreScopes() throws {
        let statements = Log()
        connection.traceStatements { statements.add($0) }
        let ada = Customer(id: 1, name: "Ada", city: "Rome", manager: nil)
        try connection.upsert(ada, onConflict: \.id) { row in
            row.city.set(
                to: Customer.where { $0.id > row.id }.order { $0.id.descending }.limit(1).select { $0.city }.value
                    .default(""))
        } where: { row in
            Customer.where { $0.name == row.excluded.name }.exists
        }
        let sql = statements.take().joined()
        #expect(
            sql.contains(#"FROM "customers" AS "customers_2" WHERE "customers_2"."id" > "customers"."id" ORDER BY"#))
        #expect(
            sql.contains(
                #"EXISTS (SELECT 1 FROM "customers" AS "customers_2" WHERE "customers_2"."name" = "excluded"."name")"#)
        )
        #expect(try connection.find(Customer.self, 1)?.city == "Rome")
    }

    @Test func theClosuresOfAnUpdateFromAnotherTableAreScopes() throws {
        let leaf = try connection.update(Order.self, from: Customer.self) { order, customer in
            order.price.set(to: 0)
        } where: { order, customer in
            order.customer == customer.id && !Customer.where { $0.manager == customer.id }.exists
        }
        #expect(leaf == 1)
        #expect(try connection.all(Order.self).map(\.price) == [10, 20, 0])
        let same = try connection.update(Order.self, from: Order.self) { order, other in
            order.price.set(to: other.price)
        } where: { order, other in
            order.customer == other.customer && !Order.where { $0.price > other.price }.exists
        }
        #expect(same == 2)
        #expect(try connection.all(Order.self).map(\.price) == [20, 20, 0])
    }

    @Test func aSubqueryOfAnotherStoredFormIsRefused() throws {
        try connection.create(Dated.table)
        for query in [
            Dated.where { $0.text == Dated.select { $0.millis }.value },
            Dated.where { $0.text.in(Dated.select { $0.millis }) },
        ] {
            let error = try #require(throws: SQLiteError.self) { try connection.all(query) }
            guard case .differentForms? = error.problem(ExpressionProblem.self) else { throw error }
        }
        #expect(try connection.all(Dated.where { $0.millis == Dated.select { $0.millis }.value }).isEmpty)
    }
}
