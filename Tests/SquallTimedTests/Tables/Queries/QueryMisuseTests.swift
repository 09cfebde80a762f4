#if os(Linux) || os(macOS)
    import Foundation
    import Testing

    /// Queries that do not compile, with the messages of the compiler, and how long the others take.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct QueryMisuseTests {
        private static let declarations = """
            import Squall
            struct Customer: TableRecord {
                let id: Int64; let name: String; let city: String; let manager: Int64?
                static let table = Table("customers", Customer.init) {
                    Column("id", \\Customer.id, .primaryKey)
                    Column("name", \\Customer.name)
                    Column("city", \\Customer.city)
                    Column("manager", \\Customer.manager)
                }
            }
            struct Order: TableRecord {
                let id: Int64; let customer: Int64; let item: Int64; let price: Double
                static let table = Table("orders", Order.init) {
                    Column("id", \\Order.id, .primaryKey)
                    Column("customer", \\Order.customer)
                    Column("item", \\Order.item)
                    Column("price", \\Order.price)
                }
            }
            struct Category: TableRecord {
                let id: Int64; let parent: Int64?; let name: String
                static let table = Table("categories", Category.init) {
                    Column("id", \\Category.id, .primaryKey)
                    Column("parent", \\Category.parent)
                    Column("name", \\Category.name)
                }
            }
            struct Summary { let name: String; let total: Double? }
            let four = \(fourTables)

            """

        private static let misuses: [(line: String, message: String)] = [
            ("Order.join(Customer.self) { $0.customer == $1.name }", "a value or a column of the same type"),
            ("Customer.select(into: Summary.init) { ($0.name, $0.city) }", "(Expr<String>, Expr<String>)"),
            (
                "Customer.where { $0.id.in(Order.select { $0.price }) }",
                "no exact matches in call to instance method 'in'"
            ),
            (
                "Customer.where { customer in Order.where { $0.customer == customer.id }.count }",
                "cannot convert value of type 'Expr<Int>' to closure result type 'Condition'"
            ),
            (
                "Customer.where { customer in Order.where { $0.customer == customer.id } }",
                "cannot convert value of type 'Query<Columns<Order>>' to closure result type 'Condition'"
            ),
            ("Customer.select { $0.name }.union(Order.select { $0.price })", "(aka 'Double') be equivalent"),
            (
                "Customer.with(\"t\", Order.select { ($0.customer, $0.price) }) { $0.name == $1.0 }",
                "a value or a column of the same type"
            ),
            (
                """
                Category.recursive { Category.where { $0.parent == nil } } step: { tree in \
                Category.join(tree) { $0.parent == $1.id } }
                """, "(aka '(Category, Category)') be equivalent"
            ),
            ("Customer.group { $0.city }.select { ($0.city, $0.nothing.count()) }", "no dynamic member 'nothing'"),
            (
                "Customer.group { $0.city }.select { ($0.city, $0.id.count) }",
                "no exact matches in call to instance method 'select'"
            ),
            (
                "Customer.where { $0.name == Order.select { $0.price.max() }.value }",
                "a value or a column of the same type"
            ),
            (
                "try connection.all(Customer.select { ($0.name, $0.id) }) as [Summary]",
                "(aka '(String, Int64)') be equivalent"
            ),
            (
                "Customer.select { $0.name }.union(Customer.select { $0.name }).where { $0 > \"a\" }",
                "has no member 'where'"
            ),
            ("Customer.as(\"manager\").where { $0.price > 3 }", "no dynamic member 'price'"),
            (
                "Order.join(Customer.self) { $0.customer == $1.id }.where { $0.price > 3 && $0.item == 2 && $0.id < 9 }",
                "'(Columns<Order>, Columns<Customer>) -> Condition' expects 2 arguments, but 1 was used"
            ),
            (
                "\(fourTables).where { o, c in o.price > 3 && c.city == \"x\" && o.id != 4 && c.name != \"y\" }",
                "expects 4 arguments, but 2 were used"
            ),
            ("\(fourTables).join(Customer.self) { $0.customer == $4.id }", "join at most four tables"),
            (
                "four.leftJoin(Customer.table) { $0.customer == $4.id }.select { a, b, c, d, e in (a.id, e.id) }",
                "join at most four tables"
            ),
            ("\(fourTables).order { o, c in o.id; c.name }", "expects 4 arguments, but 2 were used"),
            (
                "\(fourTables).select { o, c, i in (o.price * o.id + 2, c.name, i.name) }",
                "expects 4 arguments, but 3 were used"
            ),
            (
                "\(fourTables).select { o, c, i, k in (o.id, k.id) }.having { o, c in o.id.count() > 3 && c.id.max() < 4 }",
                "expects 4 arguments, but 2 were used"
            ),
        ]

        private static let fourTables = """
            Order.join(Customer.self) { $0.customer == $1.id }.join(Category.self) { $0.item == $2.id }\
            .leftJoin(Customer.self) { $1.manager == $3.id }
            """

        @Test func wrongQueriesAreExplainedAtTheirPlaces() throws {
            var source = Self.declarations + "func wrong(_ connection: Connection) throws {\n"
            let first = source.split(separator: "\n", omittingEmptySubsequences: false).count
            for misuse in Self.misuses { source += "_ = \(misuse.line)\n" }
            let output = try Compiler.check(source + "}", scopes: 50_000)
            let lines = output.split(separator: "\n")
            for (index, misuse) in Self.misuses.enumerated() {
                let place = "main.swift:\(first + index):"
                #expect(
                    lines.contains { $0.contains(place) && $0.contains("error") && $0.contains(misuse.message) },
                    "\(misuse.line): \(lines.filter { $0.contains(place) })")
            }
            #expect(!output.contains("to type-check") && !output.contains("submit a bug report"), "\(output)")
        }

        @Test func queriesTakeLessThanATenthOfASecond() throws {
            let source =
                Self.declarations + """
                    func queries(_ connection: Connection) throws {
                        let rows: [(String, String, Double?)] = try connection.all(
                            Order.join(Customer.self) { $0.customer == $1.id }.join(Category.self) { $0.item == $2.id }
                                .leftJoin(Customer.self) { $1.manager == $3.id }
                                .where { o, c, i, k in o.price > 6 && c.city == "Oslo" && i.name != "x" && k.id < 9 }
                                .order { o, _, _, _ in o.id.ascending }
                                .select { order, customer, item, _ in (customer.name, item.name, order.price.sum()) })
                        _ = rows
                        let manager = Customer.as("manager")
                        _ = Customer.join(manager) { $0.manager == $1.id }.select { ($0.name, $1.name) }
                        _ = Customer.with("ranked", Order.group { $0.customer }.select { ($0.customer, $0.price.sum()) }) {
                            $0.id == $1.0
                        }
                        _ = Category.recursive { Category.where { $0.parent.isNull } } step: { tree in
                            Category.join(tree) { $0.parent == $1.id }.select { category, _ in category.record }
                        }
                        let (a, b) = (Customer.select { ($0.name, $0.id) }, Category.select { ($0.name, $0.id) })
                        _ = a.union(b).unionAll(a).intersect(b).except(a).order { $1.descending; $0.ascending }.limit(3)
                        _ = Customer.where { user in Order.where { $0.customer == user.id }.exists }
                            .where { $0.id.in(Order.select { $0.customer }) }
                        _ = Customer.select { user in (user.name, Order.where { $0.customer == user.id }.count) }
                        _ = Customer.group { $0.city }.select { ($0.city, $0.id.count(), $0.id.average()) }
                            .having { $0.id.count() > 1 }
                        _ = Customer.leftJoin(Order.self) { $0.id == $1.customer }.group { c, _ in c.id }
                            .select { ($0.record, $1.id.count()) }
                        _ = Customer.join(Order.self) { $0.id == $1.customer }.group { c, _ in c.id }
                            .select(into: Summary.init) { ($0.name, $1.price.sum()) }
                        _ = SQL.row(1).recursive("numbers") { numbers in numbers.where { $0 < 10 }.select { $0 + 1 } }
                        _ = Order.where { $0.price > Order.select { $0.price.average() }.value }
                    }
                    """
            let output = try Compiler.check(source, scopes: 1000)
            #expect(output.isEmpty, "\(output)")
        }
    }
#endif
