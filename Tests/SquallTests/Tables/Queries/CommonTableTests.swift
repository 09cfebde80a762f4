import Foundation
import Squall
import SquallTestSupport
import Testing

/// Common table expressions, also recursive ones.
struct CommonTableTests {
    private let connection: Connection

    init() throws { connection = try Shop.connection() }

    private let totals = Order.group { $0.customer }.select { ($0.customer, $0.price.sum()) }

    @Test func aQueryBeginsWithACommonTable() throws {
        let query = Customer.with("ranked", totals) { customer, ranked in customer.id == ranked.0 }
            .where { _, ranked in ranked.1 > 6 }.select { ($0.name, $1.1) }
        #expect(
            query.printed == """
                WITH "ranked"("c1", "c2") AS (SELECT "orders"."customer", sum("orders"."price") FROM "orders" \
                GROUP BY "orders"."customer") SELECT "customers"."name", "ranked"."c2" FROM "customers" \
                JOIN "ranked" ON "customers"."id" = "ranked"."c1" WHERE "ranked"."c2" > 6.0
                """
        )
        let rows: [(String, Double?)] = try connection.all(query)
        #expect(rows.map { "\($0) \($1 ?? 0)" } == ["Ada 30.0"])
        let records: [(Customer, (Int64, Double?))] = try connection.all(
            Customer.with("ranked", totals) { $0.id == $1.0 }.order { customer, _ in customer.id.ascending })
        #expect(records.map { "\($0.name) \($1.0) \($1.1 ?? 0)" } == ["Ada 1 30.0", "Bo 2 5.0"])
    }

    @Test func aCommonTableIsATable() throws {
        let ranked = totals.named("ranked")
        #expect(try connection.all(ranked.query.order { $1.ascending }).map(\.0) == [2, 1])
        let left = Customer.leftJoin(ranked) { $0.id == $1.0 }.order { customer, _ in customer.id.ascending }
        #expect(
            left.select { ($0.name, $1.1) }.printed.hasSuffix(
                #"FROM "customers" LEFT JOIN "ranked" ON "customers"."id" = "ranked"."c1" ORDER BY "customers"."id" ASC"#
            ))
        let rows: [(Customer, (Int64, Double?)?)] = try connection.all(left)
        #expect(rows.map { "\($0.name) \($1?.1 ?? 0)" } == ["Ada 30.0", "Bo 5.0", "Cy 0.0"])
        let values: [(String, Int64?)] = try connection.all(left.select { ($0.name, $1.0) })
        #expect(values.map(\.1) == [1, 2, nil])
        // Twice in one query: defined once.
        let twice = ranked.join(ranked) { $0.0 != $1.0 }.select { ($0.0, $1.0) }
        #expect(
            twice.printed == """
                WITH "ranked"("c1", "c2") AS (SELECT "orders"."customer", sum("orders"."price") FROM "orders" \
                GROUP BY "orders"."customer") SELECT "ranked"."c1", "ranked_2"."c1" FROM "ranked" \
                JOIN "ranked" AS "ranked_2" ON "ranked"."c1" <> "ranked_2"."c1"
                """
        )
        #expect(try connection.count(twice) == 2)
    }

    @Test func aCommonTableOfRecordsHasTheirColumns() throws {
        let locals = Customer.where { $0.city == "Oslo" }.named("locals")
        let query = locals.where { $0.manager != nil }
        #expect(
            query.printed == """
                WITH "locals"("id", "name", "city", "manager") AS (SELECT "customers"."id", "customers"."name", \
                "customers"."city", "customers"."manager" FROM "customers" WHERE "customers"."city" = 'Oslo') \
                SELECT "locals"."id", "locals"."name", "locals"."city", "locals"."manager" FROM "locals" \
                WHERE "locals"."manager" IS NOT NULL
                """
        )
        #expect(try connection.all(query).map(\.name) == ["Bo"])
        let joined = Order.join(locals) { $0.customer == $1.id }.order { order, _ in order.id.ascending }.select {
            ($1.name, $0.id)
        }
        #expect(try connection.all(joined).map(\.0) == ["Ada", "Ada", "Bo"])
    }

    @Test func twoCommonTablesInOneQuery() throws {
        let counts = Order.group { $0.customer }.select { ($0.customer, $0.id.count()) }.named("counts")
        let query = Customer.join(totals.named("totals")) { $0.id == $1.0 }.join(counts) { $0.id == $2.0 }
            .order { customer, _, _ in customer.id.ascending }.select { ($0.name, $1.1, $2.1) }
        #expect(query.printed.hasPrefix(#"WITH "totals"("c1", "c2") AS (SELECT "#))
        #expect(
            query.printed.contains(#"), "counts"("c1", "c2") AS (SELECT "orders"."customer", count("orders"."id")"#))
        let rows: [(String, Double?, Int)] = try connection.all(query)
        #expect(rows.map { "\($0) \($1 ?? 0) \($2)" } == ["Ada 30.0 2", "Bo 5.0 1"])
    }

    @Test func aCommonTableWorksInASubqueryACompoundAndACount() throws {
        let ranked = totals.named("ranked")
        let inner = Customer.where { customer in ranked.where { $0.0 == customer.id && $0.1 > 6 }.exists }
        #expect(
            inner.select { $0.name }.printed == """
                SELECT "customers"."name" FROM "customers" WHERE EXISTS (WITH "ranked"("c1", "c2") AS \
                (SELECT "orders"."customer", sum("orders"."price") FROM "orders" GROUP BY "orders"."customer") \
                SELECT 1 FROM "ranked" WHERE "ranked"."c1" = "customers"."id" AND "ranked"."c2" > 6.0)
                """
        )
        #expect(try connection.all(inner).map(\.name) == ["Ada"])
        let ids = ranked.select { $0.0 }
        #expect(try connection.all(Customer.where { $0.id.in(ids) }).count == 2)
        let compound = ids.unionAll(ids).order { $0.ascending }
        #expect(
            compound.printed.hasPrefix(#"SELECT * FROM (WITH "ranked"("c1", "c2") AS (SELECT "orders"."customer""#))
        #expect(try connection.all(compound) == [1, 1, 2, 2])
        #expect(try connection.count(ranked.query) == 2)
        #expect(try connection.all(Customer.select { _ in ranked.query.count }) == [2, 2, 2])
    }

    /// A common table expression hides a table of its name.
    @Test func namesAreUniqueInAQuery() throws {
        let wrong = totals.named("customers")
        let other = Order.select { ($0.customer, $0.price.min()) }
        #expect(kind(Customer.join(wrong) { $0.id == $1.0 }) == .problem(QueryProblem.repeatedTableName("customers")))
        #expect(
            kind(wrong.join(Customer.self) { $0.0 == $1.id }) == .problem(QueryProblem.repeatedTableName("customers")))
        let both = Order.join(totals.named("a")) { $0.id == $1.0 }.join(other.named("a")) { $0.id == $2.0 }
        #expect(kind(both) == .problem(QueryProblem.repeatedTableName("a")))
        let hidden = Order.join(wrong) { $0.id == $1.0 }
            .where { order, _ in Customer.where { $0.id == order.id }.exists }
        #expect(kind(hidden) == .problem(QueryProblem.repeatedTableName("customers")))
    }

    private func kind(_ query: some Selection) -> SQLiteError.Kind? {
        (#expect(throws: SQLiteError.self) { try connection.count(query) })?.kind
    }

    @Test func aTreeIsReadByRecursion() throws {
        let query = Category.recursive {
            Category.where { $0.parent.isNull }
        } step: { tree in
            Category.join(tree) { $0.parent == $1.id }.select { category, _ in category.record }
        }
        #expect(
            query.printed == """
                WITH RECURSIVE "categories_tree"("id", "parent", "name") AS (\
                SELECT "categories"."id", "categories"."parent", "categories"."name" FROM "categories" \
                WHERE "categories"."parent" IS NULL UNION ALL \
                SELECT "categories"."id", "categories"."parent", "categories"."name" FROM "categories" \
                JOIN "categories_tree" ON "categories"."parent" = "categories_tree"."id") \
                SELECT "categories_tree"."id", "categories_tree"."parent", "categories_tree"."name" \
                FROM "categories_tree"
                """
        )
        #expect(try connection.all(query).map(\.name) == ["Car", "Light", "Wheel", "Spoke"])
        #expect(try connection.all(query.where { $0.id > 2 }.limit(1)).map(\.name) == ["Wheel"])
        #expect(try connection.count(query) == 4)
    }

    @Test func aDepthIsCountedBesideARecord() throws {
        let roots = Category.where { $0.parent == nil }.select { ($0.record, Expr<Int>("0")) }
        let tree = roots.recursive("tree") { tree in
            Category.join(tree) { $0.parent == $1.0.id }.select { ($0.record, $1.1 + 1) }
        }
        let query = tree.query.order { $1.descending }
        #expect(
            query.printed == """
                WITH RECURSIVE "tree"("c1", "c2", "c3", "c4") AS (\
                SELECT "categories"."id", "categories"."parent", "categories"."name", 0 FROM "categories" \
                WHERE "categories"."parent" IS NULL UNION ALL \
                SELECT "categories"."id", "categories"."parent", "categories"."name", "tree"."c4" + 1 FROM "categories" \
                JOIN "tree" ON "categories"."parent" = "tree"."c1") \
                SELECT "tree"."c1", "tree"."c2", "tree"."c3", "tree"."c4" FROM "tree" ORDER BY "tree"."c4" DESC
                """
        )
        let rows: [(Category, Int)] = try connection.all(query)
        #expect(rows.map { "\($0.name) \($1)" } == ["Spoke 2", "Light 1", "Wheel 1", "Car 0"])
        let named = Item.join(tree) { $0.category == $1.0.id }.order { item, _ in item.id.ascending }
            .select { ($0.name, $1.0.name, $1.1) }
        #expect(
            try connection.all(named).map { "\($0) \($1) \($2)" } == ["Tyre Wheel 1", "Lamp Light 1", "Belt Car 0"])
    }

    @Test func aRecursionCountsWithoutATable() throws {
        let numbers = SQL.row(1).recursive("numbers") { numbers in numbers.where { $0 < 4 }.select { $0 + 1 } }
        #expect(
            numbers.query.printed == """
                WITH RECURSIVE "numbers"("c1") AS (SELECT 1 UNION ALL SELECT "numbers"."c1" + 1 FROM "numbers" \
                WHERE "numbers"."c1" < 4) SELECT "numbers"."c1" FROM "numbers"
                """
        )
        #expect(try connection.all(numbers.query) == [1, 2, 3, 4])
        let pairs = SQL.row(1, "x").recursive("pairs") { pairs in
            pairs.where { $0.0 < 3 }.select { ($0.0 + 1, $0.1.appending("x")) }
        }
        #expect(try connection.all(pairs.query).map(\.1) == ["x", "xx", "xxx"])
    }

    @Test func aCycleEndsWhereRowsAreDistinct() throws {
        try connection.update(Category.self) {
            $0.parent.set(to: 4)
        } where: {
            $0.id == 1
        }
        let query = Category.recursive("cycle", union: .distinct) {
            Category.where { $0.id == 1 }
        } step: { tree in
            Category.join(tree) { $0.parent == $1.id }.select { category, _ in category.record }
        }
        #expect(query.printed.contains(#""categories"."id" = 1 UNION SELECT "categories"."id""#))
        #expect(try connection.all(query).map(\.id) == [1, 2, 3, 4])
    }

    /// The order of the step decides which row is taken next: descending depth reads the tree depth first.
    @Test func theStepOfARecursionMayBeOrdered() throws {
        let root = Category.where { $0.parent == nil }.select { ($0.name, $0.id, Expr<Int>("0")) }
        let tree = root.recursive("tree") { tree in
            Category.join(tree) { $0.parent == $1.1 }.order { _, _ in "3 DESC, 2" }
                .select { ($0.name, $0.id, $1.2 + 1) }
        }
        #expect(try connection.all(tree.select { $0.0 }) == ["Car", "Light", "Wheel", "Spoke"])
    }

    @Test func theStepOfARecursionMayUseACommonTableExpression() throws {
        let names = Category.where { $0.name != "Light" }.select { ($0.id, $0.name) }.named("names")
        let tree = Category.where { $0.parent == nil }.select { ($0.id, $0.name) }.recursive("tree") { tree in
            Category.join(tree) { $0.parent == $1.0 }.join(names) { category, _, name in category.id == name.0 }
                .select { ($2.0, $2.1) }
        }
        #expect(
            tree.query.printed == """
                WITH RECURSIVE "tree"("c1", "c2") AS (WITH "names"("c1", "c2") AS (\
                SELECT "categories"."id", "categories"."name" FROM "categories" WHERE "categories"."name" <> 'Light') \
                SELECT "categories"."id", "categories"."name" FROM "categories" WHERE "categories"."parent" IS NULL UNION ALL \
                SELECT "names"."c1", "names"."c2" FROM "categories" JOIN "tree" ON "categories"."parent" = "tree"."c1" \
                JOIN "names" ON "categories"."id" = "names"."c1") SELECT "tree"."c1", "tree"."c2" FROM "tree"
                """
        )
        #expect(try connection.all(tree.query).map(\.1).sorted() == ["Car", "Spoke", "Wheel"])
    }

    @Test func aCommonTableExpressionOfAStepCannotMeanAnotherTable() throws {
        func error(named name: String, in recursion: String) throws -> SQLiteError.Kind {
            let names = Item.select { $0.id }.named(name)
            let tree = Category.select { $0.id }.recursive(recursion, union: .distinct) { tree in
                tree.join(names) { $0 == $1 }.select { $1 }
            }
            return try sqliteError { _ = try connection.all(tree.query) }.kind
        }
        #expect(try error(named: "tree", in: "TREE") == .problem(QueryProblem.repeatedTableName("TREE")))
        #expect(try error(named: "Categories", in: "tree") == .problem(QueryProblem.repeatedTableName("Categories")))
    }

    @Test func theStepOfARecursionHasOneOperator() throws {
        func numbers(
            _ union: RecursiveUnion, _ step: (CommonTable<ResultColumns<Expr<Int>>>) -> some Selection<Int>
        ) -> CommonTable<ResultColumns<Expr<Int>>> {
            SQL.row(1).recursive("numbers", union: union, step: step)
        }
        let both = numbers(.distinct) { numbers in
            numbers.where { $0 < 4 }.select { $0 + 1 }.union(numbers.where { $0 < 4 }.select { $0 + 10 })
        }
        #expect(try connection.all(both.query).sorted() == [1, 2, 3, 4, 11, 12, 13])
        let mixed = numbers(.all) { numbers in
            numbers.where { $0 < 4 }.select { $0 + 1 }.unionAll(numbers.where { $0 < 4 }.select { $0 + 10 })
                .except(SQL.row(3)).limit(5)
        }
        let error = try sqliteError { _ = try connection.all(mixed.query) }
        #expect(error.kind == .problem(QueryProblem.recursionOperator(step: "EXCEPT", recursion: "UNION ALL")))
        let other = numbers(.all) { numbers in
            numbers.where { $0 < 4 }.select { $0 + 1 }.union(numbers.where { $0 < 4 }.select { $0 + 10 })
        }
        #expect(throws: SQLiteError.self) { try connection.all(other.query) }
    }

    @Test func storedFormsAreThoseOfTheInnerQuery() throws {
        try connection.create(Dated.table)
        let day = Date(timeIntervalSince1970: 86_400)
        try connection.insert(Dated(id: 1, text: day, millis: day))
        let dates = Dated.select { ($0.id, $0.millis) }.named("dates")
        #expect(try connection.all(dates.where { $0.1 == day }).map(\.1) == [day])
        let error = try #require(throws: SQLiteError.self) {
            try connection.all(Dated.join(dates) { $0.text == $1.1 }.select { dated, _ in dated.id })
        }
        guard case .differentForms? = error.problem(ExpressionProblem.self) else { throw error }
        #expect(try connection.all(Dated.join(dates) { $0.millis == $1.1 }.select { dated, _ in dated.id }) == [1])
        let raw = Dated.select { Expr<Date>("\($0.millis)") }.named("raw")
        #expect(try connection.all(Dated.join(raw) { $0.millis == $1 }.select { dated, _ in dated.id }) == [1])
    }

    /// SQLite would read the common table expression where the other definition, or the subquery, names the table.
    @Test func aCommonTableIsNotReadInPlaceOfATable() throws {
        let dear = Order.where { $0.price > 6 }.named("dear")
        let coupons = Order.where { $0.coupon != nil }.named("orders")
        let customers = Order.select { $0.customer }
        let queries: [any Selection] = [
            dear.join(coupons) { $0.id == $1.id },
            Customer.join(coupons) { $0.id == $1.customer }.where { customer, _ in customer.id.in(customers) },
            Customer.join(coupons) { customer, _ in Order.where { $0.customer == customer.id }.exists },
            coupons.select { coupon in Order.where { $0.id > coupon.id }.count },
        ]
        for query in queries {
            let kind = try sqliteError { try connection.execute(query.sql) }.kind
            #expect(kind == .problem(QueryProblem.repeatedTableName("orders")))
        }
        let other = dear.join(Order.where { $0.coupon != nil }.named("coupon_orders")) { $0.id == $1.id }
        #expect(try connection.all(other).map(\.0.id) == [2])
    }
}
