#if os(Linux) || os(macOS)
    import Foundation
    import Testing

    /// Tuples, cursors and writes that do not compile, and the compiler's message at the place.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct WriteMisuseTests {
        private static let declarations = """
            struct Customer: TableRecord {
                let id: Int64?; let name: String
                static let table = Table("customers", Customer.init) {
                    Column("id", \\Customer.id, .primaryKey)
                    Column("name", \\Customer.name)
                }
            }
            struct Order: TableRecord {
                let id: Int64?; let customer: Int64; let name: String
                static let table = Table("orders", Order.init) {
                    Column("id", \\Order.id, .primaryKey)
                    Column("customer", \\Order.customer)
                    Column("name", \\Order.name)
                }
            }
            struct Archive: TableRecord {
                let id: Int64?; let name: String
                static let table = Table("archive", Archive.init) {
                    Column("id", \\Archive.id, .primaryKey)
                    Column("name", \\Archive.name)
                }
            }
            struct Plain { let id: Int }
            func take<T>(_ rows: consuming RowCursor<T>) {}

            """

        private static let oneOnEachLine = "write `$0.column.set(to: value)` for each column, one on each line"
        private static let oneColumn = "return one column, such as the key, and read the rows by it"
        private static let otherKey = "the key has the type of the first column; other keys follow `key:`"

        private static let lines: [Misuses.Line] = [
            ("let _: [(String, Int?)] = try connection.query(\"SELECT\", as: (String, Int?).self)", nil),
            ("let _: [(Int, Int)] = try connection.query(\"SELECT\", as: (String, Int).self)", "String"),
            ("for (name, price) in try connection.query(\"SELECT\", as: (String, Plain).self) {}", "'Plain'"),
            ("let _: [(String, Int)] = try connection.query(\"SELECT\")", "a tuple needs its types"),
            ("_ = try connection.first(\"SELECT\", as: (Int, Plain).self)", "'Plain'"),
            ("_ = try connection.all(Plain.self, \"SELECT\")", "conform to 'TableRecord'"),
            ("_ = try connection.all(Order.self, text)", "'SQL'"),
            ("_ = try connection.rows(\"SELECT\", as: Plain.self)", "no exact matches"),
            ("take(try connection.rows(\"SELECT\", as: (Int, String).self))", nil),
            ("_ = [try connection.rows(\"SELECT\", as: (Int, String).self)]", "Copyable"),
            ("try connection.insert(into: Archive.self, from: Customer.query)", nil),
            ("try connection.insert(into: Archive.self, from: Order.select { ($0.id, $0.name) })", nil),
            ("try connection.insert(into: Archive.self, from: Order.query)", "Int64"),
            ("try connection.insert(into: Archive.self, from: Order.select { ($0.id, $0.customer) })", "Int64"),
            ("try connection.insert(into: Archive.self, from: Order.select { ($0.name, $0.id) })", "String"),
            (
                """
                try connection.update(Order.self, from: Customer.self) { $0.name.set(to: $1.name) } \
                where: { $0.customer == $1.id }
                """, nil
            ),
            (
                """
                try connection.update(Order.self, from: Customer.self) { $1.name.set(to: $0.name) } \
                where: { $0.customer == $1.id }
                """, "TargetAssignment<Order>"
            ),
            (
                """
                try connection.update(Order.self, from: Customer.self) { $0.name.set(to: $1.id) } \
                where: { $0.customer == $1.id }
                """, "Int64"
            ),
            ("try connection.upsert(order, onConflict: \\.id) { $0.name.set(to: $0.excluded.name) }", nil),
            ("try connection.upsert(order, onConflict: \\.id) { $0.name.set(to: $0.excluded.customer) }", "Int64"),
            ("try connection.upsert(order, onConflict: \\.name, indexWhere: { $0.customer == 1 })", nil),
            ("try connection.upsert(order, onConflict: \\.name) { $0.customer == 1 }", "write the label"),
            ("try connection.upsert(order) { $0.customer == 1 }", "write the label"),
            ("try connection.table(Order.table).upsert(order, onConflict: \\.name) { $0.id == 1 }", "write the label"),
            (
                """
                try connection.upsert(order, onConflict: \\.name) { $0.customer == 1 } \
                set: { $0.name.set(to: "") }
                """, "write the label"
            ),
            (
                """
                try connection.upsert(order, onConflict: \\.id, indexWhere: { $0.customer == 1 }) \
                { $0.name.set(to: $0.excluded.name) } where: { $0.customer == $0.excluded.customer }
                """, nil
            ),
            ("try connection.insert(contentsOf: [order], onConflict: \\Customer.id)", "Customer"),
            (
                """
                _ = Table("archive", Archive.init) { Column("id", \\Archive.id, .default(.now)); \
                Column("name", \\Archive.name) }
                """, "now"
            ),
            ("let _: Int? = try connection.first(\"SELECT 1\", as: Int.self)", nil),
            ("let _: [(String, Bool)] = try connection.all(Order.select { ($0.name, $0.customer > 17) })", nil),
            ("let _: [(String, Bool)] = try connection.all(Order.select { ($0.name, 17 < $0.customer) })", nil),
            // Changes of records
            (
                "try connection.update(Order.self) { $0.id += 1 } where: { $0.id == 1 }",
                "$0.column.set(to: $0.column + value)"
            ),
            (
                "try connection.update(Order.self) { $0.id -= 1 } where: { $0.id == 1 }",
                "$0.column.set(to: $0.column - value)"
            ),
            ("try connection.update(Order.self) { $0.name = \"\" } where: { $0.id == 1 }", "cannot assign through"),
            ("try connection.update(Order.self) { $0.name == \"\" } where: { $0.id == 1 }", oneOnEachLine),
            ("try connection.update(Order.self) { [$0.name.set(to: \"\")] } where: { $0.id == 1 }", oneOnEachLine),
            ("try connection.update(Order.self) { ($0.name.set(to: \"\"), 3) } where: { $0.id == 1 }", oneOnEachLine),
            (
                "try connection.update(Order.self) { $0.name.set(\"\") } where: { $0.id == 1 }",
                "missing argument label 'to:'"
            ),
            (
                "try connection.update(Order.self) { $0.name.set(to: 3) } where: { $0.id == 1 }",
                "expected argument type 'String'"
            ),
            (
                "try connection.update(Order.self) { $0.name.set(to: nil) } where: { $0.id == 1 }",
                "'nil' is not compatible"
            ),
            (
                "try connection.update(Order.self) { $0.name.set(to: \"\") }",
                "write the condition, `{ … } where: { $0.id == 1 }`"
            ),
            (
                "try connection.update(Order.self, set: { $0.name.set(to: \"\") })",
                "`where: { _ in \"TRUE\" }` updates all rows"
            ),
            ("try connection.update(Order.self)", "write the condition, `{ … } where: { $0.id == 1 }`"),
            ("try connection.update(order, \"name\")", "'String' to expected argument type 'PartialKeyPath<Order>'"),
            (#"try connection.update(order, \Customer.name)"#, "'Order' to expected argument type 'Customer'"),
            (
                "try connection.delete(Order.self)",
                "write the condition, `{ $0.id == 1 }`; `{ _ in \"TRUE\" }` deletes all rows"
            ),
            ("try connection.delete(Order.self, 1)", "missing argument label 'where:'"),
            ("try connection.delete(Order.where { $0.id == 1 })", "'Query<Columns<Order>>' conform to 'TableRecord'"),
            ("try connection.deleteAll(Order.self)", "'Connection' has no member 'deleteAll'"),
            ("try connection.insert([order])", "write `insert(contentsOf: records)`"),
            ("try connection.insert(contentsOf: order)", "'Order' conform to 'Sequence'"),
            ("try connection.insert(order, onConflict: .replace)", "extra argument 'onConflict'"),
            ("let _: Order = try connection.insert(order)", "'Int64' to specified type 'Order'"),
            ("try connection.upsert(order, onConflict: \"name\")", "to expected argument type 'PartialKeyPath<Order>'"),
            (
                #"try connection.upsert(order, onConflict: \.name) { $0.name.set(to: excluded.name) }"#,
                "cannot find 'excluded' in scope"
            ),
            (
                #"""
                _ = try connection.upsert(order, onConflict: \.id) { $0.name.set(to: "") } \#
                returning: { ($0.id, $0.name) }
                """#, oneColumn
            ),
            (
                #"""
                _ = try connection.insert(contentsOf: [order], onConflict: \.id) { $0.name.set(to: "") } \#
                returning: { ($0.id, $0.name) }
                """#, oneColumn
            ),
            (
                #"""
                let _: [Int64?] = try connection.insert(contentsOf: [order], onConflict: \.id) { $0.name.set(to: "") } \#
                returning: { order in order.id }
                """#, nil
            ),
            ("_ = try connection.find(Order.self, \"x\")", otherKey),
            ("_ = try connection.find(Order.self, order)", otherKey),
            ("_ = try connection.find(Order.self, id: 1)", "extraneous argument label 'id:'"),
            ("let _: Order = try connection.find(Order.self, 1)", "value of optional type 'Order?' must be unwrapped"),
            ("_ = try connection.first(Order.self).name", "value of optional type 'Order?' must be unwrapped"),
            ("try connection.create(Order.self)", "write the table: `create(Author.table)`"),
            ("try connection.create(Order.table, ifNotExist: true)", "expected '_:ifNotExists:'"),
            ("_ = try connection.update(order, changedFrom: Customer(id: 1, name: \"\"))", "'Order'"),
            ("try connection.prepareInsert(Order.self).run(Customer(id: 1, name: \"\"))", "'Order'"),
        ]

        @Test func whatDoesNotFitIsExplained() throws {
            let function = "(_ connection: Connection, _ text: String, _ order: Order) throws"
            try Misuses(declarations: Self.declarations, function: function).check(Self.lines)
        }
    }
#endif
