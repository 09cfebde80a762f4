#if os(Linux) || os(macOS)
    import Testing

    /// Mistakes in conditions, and the compiler's messages.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct ConditionMisuseTests {
        private static let comparison = "compare a column with a value or a column of the same type"
        private static let noCondition =
            "cannot convert value of type 'Expr<Bool>' to expected argument type 'Condition'"
        private static let numbers = "compute with numbers of one type"

        /// Conditions, in a closure.
        private static let conditions: [Misuses.Line] = [
            // Comparisons
            (#"$0.title == "x" && $0.pages < 3 && $0.note == nil && $0.isRead.isTrue"#, nil),
            (#"$0.pages == "3""#, comparison),
            ("$0.pages == [1, 2]", comparison),
            ("$0.pages == 3.5", comparison),
            (#"$0.day > "2024-01-01""#, comparison),
            ("$0.title < $0.pages", comparison),
            ("$0.author == author", comparison),
            ("$0.rating > maybe", comparison + "; the value is not optional"),
            (#"$0.titel == "x""#, "no dynamic member 'titel'"),
            (#"$0.author.name == "x""#, "value of type 'Expr<Int64>' has no dynamic member 'name'"),
            ("$0.pages = 3", "cannot assign through dynamic lookup property"),
            (#"Book.title == "x""#, "instance member 'title' cannot be used on type 'Book'"),
            (#"\.title == "x""#, "specifying a root type"),
            // Conditions that are none
            ("$0.isRead", "cannot convert value of type 'Expr<Bool>' to closure result type 'Condition'"),
            ("$0.isLent", "cannot convert value of type 'Expr<Bool?>' to closure result type 'Condition'"),
            ("$0.isRead && $0.isLent", noCondition),
            ("$0.isRead && $0.pages > 3", noCondition),
            ("$0.pages > 3 && $0.isLent", "'Expr<Bool?>' to expected argument type 'Condition'"),
            ("$0.isRead || $0.pages > 3", noCondition),
            ("$0.pages > 3 || $0.isRead", noCondition),
            ("$0.pages > 3 && flag", "cannot convert value of type 'Bool' to expected argument type 'Condition'"),
            ("flag || $0.pages > 3", "cannot convert value of type 'Bool' to expected argument type 'Condition'"),
            ("!$0.isRead", "only a condition can be negated: for a column of Bool, write `.isFalse`"),
            ("!$0.title", "only a condition can be negated"),
            ("_ in flag", "cannot convert value of type 'Bool' to closure result type 'Condition'"),
            ("_ in text", "cannot convert value of type 'String' to closure result type 'Condition'"),
            ("if flag { $0.pages > 3 } else { $0.pages < 3 }", nil),
            ("if $0.pages > 3 { $0.author == 1 } else { $0.author == 2 }", "expected condition type 'Bool'"),
            (#""pages = 3""#, "expects 1 argument, which cannot be implicitly ignored"),
            ("$0.pages > 3, $0.isRead.isTrue", "consecutive statements on a line must be separated by ';'"),
            // Optionals
            (
                #"$0.note ?? "" == "x""#,
                "a column is never nil in Swift: for a value in place of NULL, write `.default(…)`"
            ),
            ("($0.rating ?? 0) > 3", "for a value in place of NULL, write `.default(…)`"),
            ("$0.rating! > 3", "cannot force unwrap value of non-optional type 'Expr<Int?>'"),
            (#"$0.note?.contains("x") == true"#, "cannot use optional chaining on non-optional value"),
            // Methods of Swift
            (#"$0.title.starts(with: "x")"#, "write `.hasPrefix(…)`"),
            (#"$0.title.localizedStandardContains("x")"#, "write `.contains(…)`, which is exact, or `.like("),
            ("$0.title.count > 3", "write `.length`; `.count()` is the number of rows"),
            ("[1, 2].contains($0.pages)", "write `$0.column.in(values)`"),
            ("(1...9).contains($0.pages)", "`.between(first, and: last)` for a range"),
            ("$0.title.contains(3)", "cannot convert value of type 'Int' to expected argument type 'String'"),
            (#"$0.pages.like("3%")"#, "value of type 'Expr<Int>' has no dynamic member 'like'"),
            (#"$0.pages.in(["a"])"#, "cannot convert value of type 'String' to expected element type 'Int'"),
            ("$0.pages.between(1, 2)", "missing argument label 'and:'"),
            ("max($0.pages, 3) == 3", "cannot convert value of type 'Expr<Int>' to expected argument type 'Int'"),
            // Arithmetic
            (#"$0.title + "x" == "y""#, "join text by `.appending(…)`"),
            ("$0.pages + $0.title == 3", numbers),
            ("$0.title + 1 == 3", numbers),
            ("$0.title - 1 == 3", numbers),
            ("$0.title * 2 == 3", numbers),
            (#"$0.pages * "2" == 3"#, numbers),
            ("$0.title / 2 > 3", numbers),
            ("$0.pages + text > 3", numbers),
        ]

        @Test func conditionsAreExplained() throws {
            let function = """
                (_ connection: Connection, _ text: String, _ author: Author, _ flag: Bool, _ maybe: Int?) throws
                """
            try Misuses(function: function)
                .check(
                    Self.conditions.map { ("_ = try connection.all(Book.self) { \($0.line) }", $0.message) }
                        + [
                            (
                                "_ = try connection.all(Book.self) {}",
                                "expects 1 argument, which cannot be implicitly ignored"
                            ),
                            (
                                #"_ = try connection.all(Book.where("pages > 3"))"#,
                                "cannot convert value of type 'String'"
                            ),
                            (#"_ = try connection.all(Book.where(\.pages > 3))"#, "specifying a root type"),
                            ("_ = try connection.all(Book.filter { $0.pages > 3 })", "'Book' has no member 'filter'"),
                        ])
        }
    }
#endif
