// swift-format-ignore-file
import Foundation
import Squall
import Testing

// The `swift` blocks of the articles, as `SnippetTests` requires. Those of the older articles are in `Snippets.swift`.

struct ArticleSnippets {
    @Test func rollbacks() throws {
        let connection = try Connection()
        try connection.execute("CREATE TABLE orders(item); CREATE TABLE cars(id INTEGER PRIMARY KEY); INSERT INTO cars VALUES(1)")
        let error = try sqliteError {
            try connection.transaction {
                try connection.run("INSERT INTO orders(item) VALUES('tyres')")
                try? connection.run("INSERT OR ROLLBACK INTO cars(id) VALUES(1)")     // the id exists: SQLite rolls back
                try connection.run("INSERT INTO orders(item) VALUES('oil')")          // throws transactionLost
            }
        }
        #expect(error.kind == .transactionLost)
        #expect(try connection.count("orders") == 0)
    }

    @Test func typedQueries() throws {
        let connection = try Shop.connection()
        let orders = Order.where { $0.price > 6 }.order { $0.id.ascending }.limit(10)
        // SELECT … FROM "orders" WHERE "orders"."price" > 6.0 ORDER BY "orders"."id" ASC LIMIT 10
        try connection.all(orders)                                                    // [Order]
        let cities = Customer.group { $0.city }.select { ($0.city, $0.id.count()) }.having { $0.id.count() > 1 }
        // SELECT "customers"."city", count("customers"."id") FROM "customers" GROUP BY … HAVING count("customers"."id") > 1
        // [(String, Int)]

        let counts = Customer.leftJoin(Order.self) { $0.id == $1.customer }.group { customer, _ in customer.id }
            .select { ($0.record, $1.id.count()) }                                    // [(Customer, Int)]
        struct Summary { let name: String; let total: Double? }
        let summaries = Customer.join(Order.self) { $0.id == $1.customer }.group { customer, _ in customer.id }
            .select(into: Summary.init) { ($0.name, $1.price.sum()) }                 // [Summary]
        let manager = Customer.as("manager")
        let pairs = Customer.join(manager) { $0.manager == $1.id }.select { ($0.name, $1.name) }
        // … FROM "customers" JOIN "customers" AS "manager" ON "customers"."manager" = "manager"."id"
        let buyers = Customer.where { customer in Order.where { $0.customer == customer.id }.exists }
        // … WHERE EXISTS (SELECT 1 FROM "orders" WHERE "orders"."customer" = "customers"."id")

        let numbers = Customer.select { customer in (customer.name, Order.where { $0.customer == customer.id }.count) }
        // SELECT "customers"."name", (SELECT count(*) FROM "orders" WHERE …) FROM "customers"

        let expensive = Order.where { $0.price > Order.select { $0.price.average() }.value }
        // … WHERE "orders"."price" > (SELECT avg("orders_2"."price") FROM "orders" AS "orders_2")
        let names = Customer.select { $0.name }.union(Item.select { $0.name }).order { $0.ascending }.limit(10)
        // SELECT "customers"."name" FROM "customers" UNION SELECT "items"."name" FROM "items" ORDER BY 1 ASC LIMIT 10
        let totals = Order.group { $0.customer }.select { ($0.customer, $0.price.sum()) }.named("totals")
        let best = Customer.join(totals) { $0.id == $1.0 }.where { _, totals in totals.1 > 6 }.select { ($0.name, $1.1) }
        // WITH "totals"("c1", "c2") AS (SELECT "orders"."customer", sum("orders"."price") FROM "orders" GROUP BY …)
        // SELECT "customers"."name", "totals"."c2" FROM "customers" JOIN "totals" ON "customers"."id" = "totals"."c1" WHERE …
        let tree = Category.recursive {
            Category.where { $0.parent == nil }
        } step: { tree in
            Category.join(tree) { $0.parent == $1.id }.select { category, _ in category.record }
        }
        // WITH RECURSIVE "categories_tree"(…) AS (SELECT … WHERE "categories"."parent" IS NULL UNION ALL SELECT … JOIN …)
        // SELECT … FROM "categories_tree"

        let ten = SQL.row(1).recursive("numbers") { numbers in numbers.where { $0 < 10 }.select { $0 + 1 } }.query
        #expect(try connection.all(orders).map(\.id) == [1, 2])
        #expect(try connection.all(cities).map(\.0) == ["Oslo"])
        #expect(try connection.all(counts).map(\.1) == [2, 1, 0])
        #expect(try connection.all(summaries).map(\.total) == [30, 5])
        #expect(try connection.count(pairs) == 2 && connection.count(buyers) == 2 && connection.count(best) == 1)
        #expect(try connection.all(numbers).map(\.1) == [2, 1, 0])
        #expect(try connection.all(expensive).map(\.id) == [2])
        #expect(try connection.count(names) == 6 && connection.count(tree) == 4 && connection.count(ten) == 10)
    }
}
