#if os(Linux) || os(macOS)
    import Foundation
    import Testing

    /// Wrong expressions do not compile, and right ones take less than a tenth of a second.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct ExpressionMisuseTests {
        private static let declarations = """
            import Squall
            struct Sale: TableRecord {
                let id: Int; let city: String; let count: Int; let large: Int64; let price: Double; let note: String?
                let tags: [String]
                static let table = Table("sales", Sale.init) {
                    Column("id", \\Sale.id, .primaryKey)
                    Column("city", \\Sale.city)
                    Column("count", \\Sale.count)
                    Column("large", \\Sale.large)
                    Column("price", \\Sale.price)
                    Column("note", \\Sale.note)
                    Column("tags", \\Sale.tags, as: .json)
                }
            }

            """

        private static func function(_ name: String, _ lines: [String]) -> String {
            "func \(name)(_ connection: Connection) throws {\n\(lines.joined(separator: "\n"))\n}\n"
        }

        private static let wrong = [
            "_ = Sale.select { $0.price.over(partition: $0.city) }",  // a column has no window
            "_ = Sale.select { $0.price.rounded().over() }",  // nor has a computed value
            "_ = Sale.select { Expr.rowNumber() }",  // a window function without a window
            "_ = Sale.where { Expr.rank() < 3 }",
            "_ = Sale.select { $0.price.lag() }",
            "_ = Sale.select { $0.price.filter(where: $0.count > 3) }",  // not an aggregate
            #"_ = Sale.select { Expr.when($0.count > 3, then: "many").else(0) }"#,
            #"_ = Sale.select { Expr.when(true, then: "many").else("few") }"#,
            #"let few: Select<String> = Sale.select { Expr.when($0.count < 3, then: "few").orNull }"#,
            #"_ = Sale.where { "x" < $0.count }"#,
            #"_ = Sale.select { "x" - $0.count }"#,
            "_ = Sale.where { $0.count == $0.city }",
            "_ = Sale.select { $0.price % 2 }",  // a real has no remainder
            "let integer: Select<Int> = Sale.select { $0.count * 1.5 }",
            "_ = Sale.where { $0.tags.contains(3) }",
            "_ = Sale.where { $0.city.nothing == 3 }",
            "_ = Sale.select { $0.count.year }",
            "_ = Sale.select { Expr.min($0.count, $0.city) }",
            "try connection.update(Sale.self) { $0.tags.set(to: 3) } where: { $0.id == 1 }",
            #"_ = Sale.where { $0.tags == "x" }"#,
        ]

        @Test func theseDoNotCompile() throws {
            let source = Self.declarations + Self.function("wrong", Self.wrong)
            let first = Self.declarations.split(separator: "\n", omittingEmptySubsequences: false).count + 1
            let found = Set(try Compiler.diagnostics(source).filter(\.isError).map { $0.line - first })
            for (index, line) in Self.wrong.enumerated() where !found.contains(index) {
                Issue.record("compiles: \(line)")
            }
            #expect(found.isSubset(of: Self.wrong.indices))
        }

        private static let right = [
            "_ = Sale.where { $0.count + $0.count * 2 - 3 + $0.count * 4 - $0.count + 5 + $0.count > 7 }",
            "_ = Sale.where { $0.price * 1.5 + $0.count * 2 - 3.5 + $0.count * 4 - $0.price + 5 + $0.count > 7 }",
            """
            _ = Sale.where { $0.count + $0.count * 2 - 3 + $0.count * 4 - $0.count + 5 + $0.count + 3 - $0.count * 2 \
            + 4 * $0.count + 1 > 7 }
            """,
            #"""
            _ = Sale.where { $0.count > 1 && $0.large > 2 && 3 < $0.count && $0.city == "x" && $0.note == nil \#
            && $0.price < 2.5 && $0.count != 7 && $0.large < $0.price && 3 < $0.large && "x" == $0.city && $0.note != nil \#
            && $0.id == $0.large }
            """#,
            """
            _ = Sale.select { ($0.count * 1.5, $0.count + $0.large, $0.count * $0.price, 10 - $0.count, -$0.count) }
            """,
            "_ = Sale.select { (1.5 * $0.count, $0.price / $0.large) }",
            #"_ = Sale.select { Expr.when($0.count < 3, then: "few").when($0.count < 9, then: $0.city).else("many") }"#,
            """
            _ = Sale.select { ($0.city, $0.price.sum().over(partition: $0.city, order: $0.id.ascending), $0.price.sum(), \
            $0.count.max().filter(where: $0.id > 3), Expr.rowNumber().over(order: $0.id.ascending, $0.city.descending)) }
            """,
            """
            _ = Sale.query.group { $0.city }.having { $0.count.sum() > 3 && $0.count.max() < 4 && Expr.rowCount > 1 }
            """,
            #"""
            try connection.update(Sale.self) { $0.tags.set(to: ["a"]); $0.tags["$[0]", as: String.self].set(to: "b") } \#
            where: { $0.tags == ["x"] && $0.tags["$[0]", as: String.self] == "x" && $0.tags.contains("x") }
            """#,
        ]

        @Test func expressionsTakeLessThanATenthOfASecond() throws {
            let source = Self.declarations + Self.function("right", Self.right)
            let output = try Compiler.check(source, scopes: 1000)
            #expect(output.isEmpty, "\(output)")
        }
    }
#endif
