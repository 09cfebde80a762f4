#if os(Linux) || os(macOS)
    import Foundation
    import Testing

    /// Tuples, cursors and writes that do not compile, and the compiler's message at the place.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct WriteMisuseTests {
        private static let declarations = """
            import Squall
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

        /// Each line, and a part of the message of its error; `nil` for a line that compiles.
        private static let lines: [(line: String, message: String?)] = [
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
            ("_ = try connection.update(order, changedFrom: Customer(id: 1, name: \"\"))", "'Order'"),
            ("try connection.prepareInsert(Order.self).run(Customer(id: 1, name: \"\"))", "'Order'"),
        ]

        @Test func whatDoesNotFitIsAnErrorAtItsLine() throws {
            var source = Self.declarations
            source += "func writes(_ connection: Connection, _ text: String, _ order: Order) throws {\n"
            let first = source.split(separator: "\n", omittingEmptySubsequences: false).count
            for (line, _) in Self.lines { source += line + "\n" }
            source += "}\n"
            let found = try Compiler.diagnostics(source)
            for (index, (line, message)) in Self.lines.enumerated() {
                let errors = found.filter { $0.line == first + index && $0.isError }.map(\.message)
                guard let message else {
                    #expect(errors == [], "\(line)")
                    continue
                }
                #expect(errors.contains { $0.contains(message) }, "\(line): \(errors)")
            }
        }

        @Test func eachLineTakesLessThanASecond() throws {
            var source = Self.declarations
            source += "func writes(_ connection: Connection, _ text: String, _ order: Order) throws {\n"
            for (line, _) in Self.lines { source += line + "\n" }
            source += "}\n"
            let output = try Compiler.check(source, scopes: 50_000)
            #expect(!output.contains("to type-check") && !output.contains("submit a bug report"), "\(output)")
        }
    }
#endif
