#if os(Linux) || os(macOS)
    import Foundation
    import Testing

    /// Wrong expressions are explained, and right ones take less than a tenth of a second.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct ExpressionMisuseTests {
        private static let declarations = """
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

        private static let wrong: [Misuses.Line] = [
            ("_ = Sale.select { $0.price.over(partition: $0.city) }", "has no dynamic member 'over'"),
            ("_ = Sale.select { $0.price.rounded().over() }", "cannot call value of non-function type"),
            ("_ = Sale.select { Expr.rowNumber() }", "'WindowFunction<Int>' conform to 'Selectable'"),
            ("_ = Sale.where { _ in Expr.rank() < 3 }", "'WindowFunction<Int>'"),
            ("_ = Sale.select { $0.price.lag() }", "'WindowFunction<Double?>' conform to 'Selectable'"),
            ("_ = Sale.select { $0.price.filter(where: $0.count > 3) }", "has no dynamic member 'filter'"),
            (#"_ = Sale.select { Expr.when($0.count > 3, then: "many").else(0) }"#, "no exact matches"),
            (
                #"_ = Sale.select { _ in Expr.when(true, then: "many").else("few") }"#,
                "cannot convert value of type 'Bool' to expected argument type 'Condition'"
            ),
            (
                #"let few: Select<String> = Sale.select { Expr.when($0.count < 3, then: "few").orNull }"#,
                "'ValueQuery<Columns<Sale>, Expr<String?>>' to specified type 'Select<String>'"
            ),
            (
                #"_ = Sale.where { "x" < $0.count }"#,
                "cannot convert value of type 'String' to expected argument type 'Int'"
            ),
            (#"_ = Sale.select { "x" - $0.count }"#, "cannot be applied to operands of type 'String' and 'Expr<Int>'"),
            ("_ = Sale.where { $0.count == $0.city }", "compare a column with a value or a column of the same type"),
            ("_ = Sale.select { $0.price % 2 }", "compute with integers of one type"),
            (
                "let integer: Select<Int> = Sale.select { $0.count * 1.5 }",
                "(aka 'ValueQuery<Columns<Sale>, Expr<Double>>')"
            ),
            (
                "_ = Sale.where { $0.tags.contains(3) }",
                "cannot convert value of type 'Int' to expected argument type 'String'"
            ),
            ("_ = Sale.where { $0.city.nothing == 3 }", "value of type 'Expr<String>' has no dynamic member 'nothing'"),
            ("_ = Sale.select { $0.count.year }", "value of type 'Expr<Int>' has no dynamic member 'year'"),
            ("_ = Sale.select { Expr.min($0.count, $0.city) }", "'Expr<String>' to expected argument type 'Expr<Int>'"),
            (
                "try connection.update(Sale.self) { $0.tags.set(to: 3) } where: { $0.id == 1 }",
                "argument type '[String]'"
            ),
            (#"_ = Sale.where { $0.tags == "x" }"#, "compare a column with a value or a column of the same type"),
        ]

        @Test func wrongExpressionsAreExplained() throws {
            try Misuses(declarations: Self.declarations, function: "(_ connection: Connection) throws")
                .check(Self.wrong)
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
            let lines = Self.right.joined(separator: "\n")
            let source = "import Squall\n\(Self.declarations)func right(_ connection: Connection) throws {\n\(lines)\n}"
            let output = try Compiler.check(source, scopes: 1000)
            #expect(output.isEmpty, "\(output)")
        }
    }
#endif
