#if os(Linux) || os(macOS)
    import Foundation
    import Testing

    /// What does not compile, and how long what does takes: the compiler of this build runs on small programs.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct MisuseTests {
        private static let declarations = """
            import Squall
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

        /// Each of these lines is an error; the others are not.
        private static let misuses = """
            func misuses(_ connection: Connection, _ text: String) throws {
                let insert = try connection.prepareInsert(into: User.table)
                try insert.run(nil, "Ada", nil, 3)
                try insert.run(nil, 5, nil, 3)  // a value of the wrong type
                try insert.run(nil, "Ada", nil)  // too few
                _ = try connection.all(User.self) { $0.age > 3 }
                _ = try connection.all(User.self) { $0.agee > 3 }  // an unknown field
                _ = try connection.all(User.self) { $0.age == "x" }  // a comparison with another type
                _ = try connection.all(User.self) { $0.age == $0.name }  // the same, of two columns
                _ = try connection.all(User.self) { _ in true }  // a Bool as condition
                _ = try connection.all(User.self) { _ in text }  // a String as condition
                try connection.delete(from: "users", where: "id = 3")
                try connection.delete(from: "users", where: text)  // a String as where clause
                try connection.createTable("t", ["a INT"])
                try connection.createTable("t", [text])  // a String as column definition
                try connection.insert(Other(age: 3))  // a record without a table
                _ = try connection.max(\\Other.age)  // the same
                _ = try connection.all(User.where { $0.name }.limit(3))  // a column as condition
                _ = try connection.find(User.self, 1)
                _ = try connection.find(User.self, nil)
                _ = try connection.find(User.self, "one")  // a key of another type
                _ = try connection.all(User.select { _ in () })  // nothing selected
                _ = try connection.all(User.select { $0.age.remainder(dividingBy: 2) })
                _ = try connection.all(User.select { $0.age.average().remainder(dividingBy: 2) })  // the remainder of a real
                let clause: SQL? = nil
                try connection.delete(from: "users")
                try connection.delete(from: "users", where: clause)  // a condition that may be missing
                try connection.update("users", set: ["age": 1], where: clause)  // the same
            }
            let a = Column("age", \\User.age, .default("x"))  // a default of another type
            let b = Table("users", User.init) { Column("id", \\User.id) }  // too few columns
            let c = Table("s", Swapped.init) { Column("age", \\Swapped.age); Column("name", \\Swapped.name) }  // another order
            let p = Table("p", Pixel.self) { Column("x", \\Pixel.x) }
            let q = Table("p", Pixel.self) {}  // no columns
            let r = Table("s", Swapped.init, Column("name", \\Swapped.name), Column("age", \\Swapped.age))
            let s = Table("s", Swapped.init, Column("age", \\Swapped.age), Column("name", \\Swapped.name))  // another order
            let d = Table("s", Swapped.init) { Column("name", \\Swapped.name); Column("age", \\Other.age) }  // of another record
            """

        @Test func theseDoNotCompile() throws {
            let source = Self.declarations + Self.misuses
            let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
            let expected = Set(lines.indices.filter { lines[$0].contains("  // ") }.map { $0 + 1 })
            let found = try Set(
                Compiler.check(source).matches(of: /main\.swift:(\d+):\d+: error/).compactMap { Int($0.1) })
            for line in expected.symmetricDifference(found) {
                Issue.record("\(expected.contains(line) ? "compiles" : "does not compile"): \(lines[line - 1])")
            }
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
            var source = Self.declarations + "func wrong(_ connection: Connection) throws {\n"
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
                Self.declarations + """
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
