#if os(Linux) || os(macOS)
    import Foundation
    import Testing

    /// What does not compile, and how long what does takes: the compiler of this build runs on small programs.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct MisuseTests {
        private static let declarations = """
            struct User: TableRecord {
                let id: Int64?; let name: String; let email: String?; let age: Int
                static let table = Table("users", User.init) {
                    Column("id", \\User.id, .primaryKey)
                    Column("name", \\User.name)
                    Column("email", \\User.email, .unique)
                    Column("age", \\User.age, .default(0))
                }
            }
            struct Other { let age: Int }
            struct Swapped { let name: String; let age: Int }
            struct Pixel: Initializable { var x = 0 }
            enum Kind: String { case a, b }
            struct Kinded { let name: String; let kind: Kind }

            """

        private static let lines: [Misuses.Line] = [
            ("_ = try connection.prepareInsert(into: User.table).run(nil, \"Ada\", nil, 3)", nil),
            (
                "_ = try connection.prepareInsert(into: User.table).run(nil, 5, nil, 3)",
                "cannot convert value of type 'Int' to expected argument type 'String'"
            ),
            (
                "_ = try connection.prepareInsert(into: User.table).run(nil, \"Ada\", nil)",
                "'Table<User, Optional<Int64>, (_, String, _)>'"
            ),
            ("_ = try connection.all(User.self) { $0.age > 3 }", nil),
            (
                "_ = try connection.all(User.where { $0.name }.limit(3))",
                "'Expr<String>' to closure result type 'Condition'"
            ),
            ("try connection.delete(from: \"users\", where: \"id = 3\")", nil),
            ("try connection.delete(from: \"users\", where: text)", "'String' to expected argument type 'SQL'"),
            ("try connection.createTable(\"t\", [\"a INT\"])", nil),
            ("try connection.createTable(\"t\", [text])", "'String' to expected element type 'SQL'"),
            ("try connection.insert(Other(age: 3))", "'Other' conform to 'TableRecord'"),
            ("_ = try connection.max(\\Other.age)", "'Other' conform to 'TableRecord'"),
            ("_ = try connection.find(User.self, 1)", nil),
            ("_ = try connection.find(User.self, nil)", nil),
            ("_ = try connection.all(User.select { _ in () })", "type '()' cannot conform to 'Selectable'"),
            ("_ = try connection.all(User.select { $0.age.remainder(dividingBy: 2) })", nil),
            (
                "_ = try connection.all(User.select { $0.age.average().remainder(dividingBy: 2) })",
                "dynamic key path member lookup cannot refer to instance method 'remainder(dividingBy:)'"
            ),
            ("try connection.delete(from: \"users\")", nil),
            (
                "try connection.delete(from: \"users\", where: clause)",
                "value of optional type 'SQL?' must be unwrapped"
            ),
            ("try connection.update(\"users\", set: [\"age\": 1], where: clause)", "value of optional type 'SQL?'"),
        ]

        @Test func wrongStatementsAreExplained() throws {
            let function = "(_ connection: Connection, _ text: String, _ clause: SQL?) throws"
            try Misuses(declarations: Self.declarations, function: function).check(Self.lines)
        }

        private static let tables: [Misuses.Line] = [
            ("let a = Column(\"age\", \\User.age, .default(\"x\"))", "a default has the type of the column"),
            (
                "let b = Table(\"users\", User.init) { Column(\"id\", \\User.id) }",
                "the initialiser takes more values than there are columns"
            ),
            ("let c = Table(\"p\", Pixel.self) { Column(\"x\", \\Pixel.x) }", nil),
            ("let d = Table(\"p\", Pixel.self) {}", "expected expression of type 'Column<Pixel, Key>'"),
            (
                "let e = Table(\"s\", Swapped.init, Column(\"name\", \\Swapped.name), Column(\"age\", \\Swapped.age))",
                nil
            ),
            (
                "let f = Table(\"s\", Swapped.init, Column(\"age\", \\Swapped.age), Column(\"name\", \\Swapped.name))",
                "'Column<Swapped, String>' to expected argument type 'Column<Swapped, Int>'"
            ),
        ]

        @Test func wrongTablesAreExplained() throws {
            try Misuses(declarations: Self.declarations, function: nil).check(Self.tables)
        }

        /// Lines that are errors, and what the compiler says about them.
        private static let explained: [(line: String, message: String)] = [
            ("$0.age == \"x\"", "compare a column with a value or a column of the same type"),
            ("$0.age < $0.name", "compare a column with a value or a column of the same type"),
            (
                """
                $0.age > 17 && $0.name == 5 && $0.email != nil && $0.id < 100 && $0.age + 1 < 30 \
                && $0.name.like("A%") && ($0.age == 3 || $0.age == 4 || $0.age * 2 - 1 > 5)
                """, "compare a column with a value or a column of the same type"
            ),
            (
                """
                $0.age == 1 && $0.age != 2 && $0.name == "x" && $0.name != "y" && $0.email == nil && $0.id == 6 \
                && $0.age == "7"
                """, "compare a column with a value or a column of the same type"
            ),
            ("$0.agee == 3", "value of type 'Columns<User>' has no dynamic member 'agee'"),
        ]

        /// A chain of joins with most clauses.
        private static let threeTables = """
            _ = try connection.all(User.join(User.self) { $0.id == $1.id && $0.age > $1.age } \
            .leftJoin(User.self) { $0.id == $1.id && $2.age > 3 }.where { $0.age > 3 && $1.age < 5 && $2.age < 5 } \
            .order { $0.name.ascending; $2.age.descending }.limit(20, offset: 40) \
            .select { ($0.name, $1.name, $2.age, $1.age, $2.email) })
            """

        @Test func whatIsWrongIsExplainedWithinASecond() throws {
            var source = "import Squall\n" + Self.declarations + "func wrong(_ connection: Connection) throws {\n"
            for line in Self.explained { source += "_ = try connection.all(User.self) { \(line.line) }\n" }
            source += """
                _ = try connection.all(User.join(User.self) { $0.id == $1.id }.select { a, b in (a.name, b.id.count) })
                _ = try connection.all(User.join(User.self) { $0.id == $1.id }.where { $0.age > 3 })
                \(Self.threeTables.replacing("$2.age < 5", with: "$2.age < $1.name"))
                }
                let kinded = Table("k", Kinded.init) { Column("name", \\Kinded.name); Column("kind", \\Kinded.kind) }
                """
            let messages =
                Self.explained.map(\.message) + [
                    "cannot conform to 'Selectable'", "expects 2 arguments, but 1 was used in closure body",
                    "compare a column with a value or a column of the same type", "a column needs a Binding",
                ]
            let start = source.split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.hasPrefix("func wrong") }
            let first = try #require(start) + 2
            let output = try Compiler.check(source, scopes: 50_000)
            for (index, message) in messages.enumerated() {
                let line = first + index + (index == messages.count - 1 ? 1 : 0)
                let isExplained = output.split(separator: "\n")
                    .contains { $0.contains("main.swift:\(line):") && $0.contains(message) }
                #expect(isExplained, "line \(line), \(message): \(output)")
            }
            #expect(!output.contains("to type-check") && !output.contains("submit a bug report"), "\(output)")
        }

        @Test(arguments: [true, false]) func columnsInAnotherOrderAreReportedAtTheColumn(isTableRecord: Bool) throws {
            for count in [2, 5, 9, 12, 13, 20] {
                let types = ["String", "Int", "Double", "String?"]
                let fields = (0..<count).map { "let c\($0): \(types[$0 % 4])" }.joined(separator: "; ")
                let wrong = (count - 1) / 2
                var order = Array(0..<count)
                order.swapAt(wrong, wrong + 1)
                let columns = order.map { "Column(\"c\($0)\", \\Wide.c\($0)\($0 % 5 == 4 ? ", .unique" : ""))" }
                let table = """
                    Table("wide", Wide.init) {
                    \(columns.joined(separator: "\n"))
                    }
                    """
                let source =
                    isTableRecord
                    ? "import Squall\nstruct Wide: TableRecord { \(fields); static let table = \(table) }"
                    : "import Squall\nstruct Wide { \(fields) }; let table = \(table)"
                let output = try Compiler.check(source, scopes: 50_000)
                let (found, expected) = (types[(wrong + 1) % 4], types[wrong % 4])
                let message =
                    "cannot convert value of type 'Column<Wide, \(found)>' to expected argument type 'Column<Wide, \(expected)>'"
                #expect(
                    output.split(separator: "\n").contains {
                        $0.contains("main.swift:\(3 + wrong):") && $0.contains(message)
                    },
                    "\(output)"
                )
                #expect(!output.contains("to type-check"), "\(count) columns: \(output)")
            }
        }

        @Test func anExpressionTakesLessThanATenthOfASecond() throws {
            let source =
                "import Squall\n" + Self.declarations + """
                    func expressions(_ connection: Connection) throws {
                        _ = try connection.all(User.self) {
                            $0.age > 17 && $0.name == "Ada" && $0.email != nil && $0.id < 100 && $0.age + 1 < 30
                                && $0.name.like("A%") && ($0.age == 3 || $0.age == 4 || $0.age * 2 - 1 > 5)
                        }
                        _ = try connection.all(
                            User.join(User.self) { $0.id == $1.id && $0.age > $1.age }.where { $0.age > 3 && $1.age < 5 }
                                .order { $0.name.ascending; $1.age.descending }.limit(20, offset: 40)
                                .select { ($0.name, $1.name, $0.age, $1.age, $0.email) }
                        )
                        \(Self.threeTables)
                    }
                    """
            let output = try Compiler.check(source, scopes: 1000)
            #expect(output.isEmpty, "\(output)")
        }

        @Test func fiftyColumnsTakeLessThanASecond() throws {
            let numbers = 1...50
            let types = ["Int", "String", "Double?", "String?"]
            let fields = numbers.map { "let c\($0): \(types[$0 % 4])" }.joined(separator: "; ")
            let columns = numbers.map { "Column(\"c\($0)\", \\Wide.c\($0))" }.joined(separator: "\n")
            let source = """
                import Squall
                struct Wide: TableRecord {
                    \(fields)
                    static let table = Table("wide", Wide.init) {
                \(columns)
                    }
                }
                """
            let output = try Compiler.check(source, scopes: 50_000)
            #expect(output.isEmpty, "\(output)")
        }
    }
#endif
