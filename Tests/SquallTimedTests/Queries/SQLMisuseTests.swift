#if os(Linux) || os(macOS)
    import Testing

    /// Mistakes in SQL, its parameters and its rows, and the compiler's messages.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct SQLMisuseTests {
        private static let splice = "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
        private static let parameter =
            "a parameter needs a Binding: `extension Kind: Binding {}` is enough for raw values"
        private static let interpolation = "unless this value is Bindable after all, the SQL will throw"
        private static let rows = "rows become a value (Int, String?, a Binding), an ExpressibleByRow, a Decodable"
        private static let cell = "write the type: `row[0] as Int`, or `let name: String = row[\"name\"]`"

        private static let lines: [Misuses.Line] = [
            // SQL
            ("let _: Int = try connection.query(text)", splice),
            (#"let _: Int = try connection.query("SELECT " + text)"#, splice),
            ("try connection.execute(text)", splice),
            ("_ = try connection.all(Book.self, text)", "to expected argument type 'SQL'"),
            (#"try connection.execute("DELETE FROM \(Book.self)")"#, interpolation),
            (#"try connection.execute("DELETE FROM books WHERE id = \(\Book.id)")"#, interpolation),
            (#"try connection.execute("DELETE FROM books WHERE id = \(book)")"#, interpolation),
            (#"try connection.execute("DELETE FROM books WHERE id IN (\([1, 2]))")"#, #"for a list use \(in:)"#),
            (#"try connection.execute("DELETE FROM \(table: "books")")"#, "extraneous argument label 'table:'"),
            // Parameters
            (#"try connection.run("DELETE FROM books WHERE id = ?", [1, 2])"#, nil),
            (#"try connection.run("DELETE FROM books WHERE title = ?", Kind.a)"#, parameter),
            (#"try connection.run("DELETE FROM books WHERE id = ? AND title = ?", 1, Kind.a)"#, parameter),
            (#"try connection.run("DELETE FROM books WHERE title = :a", ["a": Kind.a])"#, parameter),
            (#"_ = try connection.prepare("SELECT ?", book)"#, parameter),
            (#"let _: Int = try connection.query("SELECT ?", Kind.a)"#, parameter),
            (#"let _: [Int] = try connection.query("SELECT ?", 1, book)"#, parameter),
            (
                #"try connection.run("DELETE FROM books WHERE id = :id", arguments: ["id": 1])"#,
                "argument label 'arguments:'"
            ),
            (#"try connection.insert(into: "books", ["title": Kind.a])"#, "'(any Settable)?'"),
            (#"try connection.insert(into: "books", [\Book.title: "x"])"#, "to expected dictionary key type 'String'"),
            // Rows
            (#"let _: Pair = try connection.query("SELECT 1, 'a'")"#, rows),
            (#"let _: [Pair] = try connection.query("SELECT 1, 'a'")"#, rows),
            (
                #"let _: (Int, String) = try connection.query("SELECT 1, 'a'")"#,
                "a tuple needs its types: query(…, as: "
            ),
            (#"_ = try connection.first("SELECT 1, 'a'", as: Pair.self)"#, "'Pair' conform to 'Fetchable'"),
            (#"let _: [Book] = try connection.all("SELECT * FROM books")"#, "to expected argument type 'Book.Type'"),
            (#"try connection.forEach("SELECT 1") { row in print(row["a"]) }"#, cell),
            (#"try connection.forEach("SELECT 1") { row in let a = row[0]; print(a) }"#, cell),
            (#"_ = try connection.query("SELECT 1") { $0[0] }"#, cell),
            (
                #"try connection.forEach("SELECT 1") { row in let a: Pair = row[0]; print(a) }"#,
                "conform to 'ColumnReadable'"
            ),
            (
                #"try connection.forEach("SELECT 1") { row in let a = try row.get(0, as: Int.self); print(a) }"#, nil
            ),
            (
                #"try connection.forEach("SELECT 1") { row in let a = try row.get("a", as: Int?.self); print(a ?? 3) }"#,
                nil
            ),
            (
                #"for (a, b) in try connection.rows("SELECT 1, 2", as: (Int, Int).self) { print(a, b) }"#,
                "for-in loop requires 'RowCursor<(Int, Int)>' to conform to 'Sequence'"
            ),
            (
                #"for row in try connection.prepare("SELECT 1") { print(row) }"#,
                "requires 'Statement' to conform to 'Sequence'"
            ),
            // Names of other libraries
            (#"_ = try connection.fetchOne("SELECT 1")"#, "value of type 'Connection' has no member 'fetchOne'"),
            ("_ = try Book.fetchAll(connection)", "type 'Book' has no member 'fetchAll'"),
            ("try connection.save(book)", "value of type 'Connection' has no member 'save'"),
            ("try book.insert(connection)", "value of type 'Book' has no member 'insert'"),
        ]

        @Test func statementsAreExplained() throws { try Misuses().check(Self.lines) }
    }
#endif
