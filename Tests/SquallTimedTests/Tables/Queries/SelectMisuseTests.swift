#if os(Linux) || os(macOS)
    import Testing

    /// Mistakes in orders, selected values, groups, joins and relations, and the compiler's messages.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct SelectMisuseTests {
        private static let ordering = "order by expressions, as `$0.name` or `$0.age.descending`, one on each line"

        private static let fourTables = "join at most four tables; use `including:`, a subquery, or SQL"

        private static let lines: [Misuses.Line] = [
            // Orders
            ("_ = Book.order { ($0.title, $0.pages.descending) }", nil),
            ("_ = Book.order { [$0.title, $0.pages] }", ordering),
            (#"_ = Book.order(by: \.title)"#, "extraneous argument label 'by:'"),
            (#"_ = Book.order("title")"#, "cannot convert value of type 'String'"),
            (#"_ = Book.order { "title" }"#, "expects 1 argument, which cannot be implicitly ignored"),
            ("_ = Book.order { $0.title.desc }", "no dynamic member 'desc'"),
            ("_ = Book.order { $0.title.ascending() }", "cannot call value of non-function type 'Ordering'"),
            ("_ = Book.order { $0.title < $1.title }", "expects 1 argument, but 2 were used in closure body"),
            (#"_ = Book.limit("3")"#, "cannot convert value of type 'String' to expected argument type 'Int'"),
            ("_ = Book.limit(3, 4)", "missing argument label 'offset:'"),
            ("_ = Book.where { $0.pages > 3 }.first", "has no member 'first'"),
            // Selected values
            ("_ = Book.select { $0.nothing }", "no dynamic member 'nothing'"),
            ("_ = Book.select { [$0.title, $0.note] }", "conform to 'Selectable'"),
            (#"_ = Book.select("title")"#, "cannot convert value of type 'String'"),
            ("_ = Book.select(into: Pair.init) { ($0.title, $0.pages) }", "'(Expr<String>, Expr<Int>)'"),
            (
                "let _: [String] = try connection.all(Book.select { $0.note })",
                "requires the types 'String' and 'ValueQuery<Columns<Book>, Expr<String?>>.Output'"
            ),
            ("let _: [String] = try connection.all(Book.select { $0.pages })", "'Int') be equivalent"),
            ("_ = try connection.page(Book.self, size: 3)", "'Book.Type' cannot conform to 'ClauseQuery'"),
            // Aggregates and groups
            ("_ = Book.select { ($0.title, count()) }", "cannot find 'count' in scope"),
            ("_ = Book.select { $0.pages.avg() }", "no dynamic member 'avg'"),
            ("_ = Book.select { $0.title.sum() }", "value of type 'Expr<String>' has no dynamic member 'sum'"),
            ("_ = Book.select { $0.pages.average }", "cannot conform to 'Selectable'"),
            (#"_ = Book.group(by: \.author)"#, "extraneous argument label 'by:'"),
            ("_ = Book.groupBy { $0.author }", "'Book' has no member 'groupBy'"),
            ("_ = Book.having { $0.pages.sum() > 3 }", "'Book' has no member 'having'"),
            (#"_ = try connection.sum(\Book.title)"#, "'String' conform to 'Numeric'"),
            (#"_ = try connection.sum(\.pages)"#, "specifying a root type"),
            // Joins
            (
                "_ = Book.join(Author.self)",
                "write the condition, `.join(Author.self) { $0.author == $1.id }`, or join a relation"
            ),
            (
                "_ = Book.join(Author.self) { $0.author == $0.id }",
                "expects 2 arguments, but 1 was used in closure body"
            ),
            (
                "_ = Book.join(Author.self) { $0.author == $1.id }.order { $0.title }",
                "expects 2 arguments, but 1 was used"
            ),
            (
                "_ = Book.join(Author.self) { $0.author == $1.id }.select { ($0.title, $1.nme) }",
                "no dynamic member 'nme'"
            ),
            (
                "_ = Book.join(Author.books)",
                "'Relation<Author, [Book]>' to expected argument type 'Relation<Book, [Book]>'"
            ),
            ("_ = Book.leftJoin(Book.author)", "missing argument for parameter 'on'"),
            ("_ = Book.innerJoin(Author.self) { $0.author == $1.id }", "'Book' has no member 'innerJoin'"),
            (
                "let _: [Book] = try connection.all(Book.join(Author.self) { $0.author == $1.id })",
                "(aka '(Book, Author)') be equivalent"
            ),
            (
                "let _: [(Book, Author)] = try connection.all(Book.leftJoin(Author.self) { $0.author == $1.id })",
                "(aka '(Book, Optional<Author>)') be equivalent"
            ),
            ("_ = Book\(joins(4)).where { a, b, c, d, e in a.pages > 3 }", fourTables),
            (
                "_ = Book\(joins(4)).order { $4.name }.select { a, b, c, d, e in (a.pages, e.name) }.limit(3)",
                fourTables
            ),
            (
                "_ = Book\(joins(5)).where { a, b, c, d, e, f in f.name == \"x\" }.select { ($0.title, $5.name) }",
                fourTables
            ),
            ("_ = try connection.all(Book\(joins(5)))", fourTables),
            // Related records
            ("print(try connection.all(Author.self, including: Author.books).count)", nil),
            ("print(try connection.all(Book.where { $0.pages > 3 }, including: Book.author).count)", nil),
            (
                "_ = try connection.all(Book.self, including: Author.books)",
                "'Relation<Author, [Book]>' to expected argument type 'Relation<Book, [Book]>'"
            ),
            (
                #"_ = try connection.all(Book.self, including: \.author)"#,
                "to expected argument type 'Relation<Book, Output>'"
            ),
            ("_ = try connection.all(Book.self, including: Author.self)", "cannot convert value of type 'Author.Type'"),
            ("_ = try connection.all(Book.including(Book.author))", "'Book' has no member 'including'"),
            (
                "let _: [Book] = try connection.all(Book.self, including: Book.author)",
                "'[(Book, Author?)]' to type '[Book]'"
            ),
            ("_ = try connection.all(Author.books, of: book)", "cannot convert value of type 'Book'"),
            ("_ = try connection.all(Book.author, of: book)", "to expected argument type 'Relation<Book, [Target]>'"),
            (
                "_ = try connection.first(Author.books, of: author)",
                "to expected argument type 'Relation<Author, Target?>'"
            ),
            ("_ = try connection.all(Author.books)", "'Relation<Author, [Book]>' conform to 'Selection'"),
            (
                "_ = try connection.all(author.books)",
                "static member 'books' cannot be used on instance of type 'Author'"
            ),
        ]

        /// Joins of so many tables, of which the compiler finds the first that is too many.
        private static func joins(_ count: Int) -> String {
            (1...count).map { ".join(Author.self) { $0.author == $\($0).id }" }.joined()
        }

        @Test func queriesAreExplained() throws { try Misuses().check(Self.lines) }
    }
#endif
