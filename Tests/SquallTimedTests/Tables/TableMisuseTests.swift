#if os(Linux) || os(macOS)
    import Testing

    /// Mistakes in the declaration of a table and of its relations, and the compiler's messages.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct TableMisuseTests {
        private static let missing = "the initialiser takes more values than there are columns"
        private static let surplus = "the initialiser takes fewer values than there are columns"
        private static let unbound =
            "a column needs a Binding: write `extension Kind: Binding {}` (enough for raw values)"
        private static let defaultOfOtherType =
            "a default has the type of the column; an expression is `.default(sql: \"…\")`"

        private static let lines: [Misuses.Line] = [
            // Columns
            (#"let a1 = Table("p", Pair.init) { Column("id", \Pair.id); Column("name", \Pair.name) }"#, nil),
            (#"let a2 = Table("p", Pair.init) { Column("id", \Pair.id) }"#, missing),
            (#"let a3 = Table("p", Single.init) { Column("id", \Single.id); Column("id", \Single.id) }"#, surplus),
            (
                #"let a4 = Table("p", Single.init) { Column("id", \Single.id); Column("twice", \Single.twice) }"#,
                surplus
            ),
            (
                #"let a5 = Table("p", Pair.init) { Column("name", \Pair.name); Column("id", \Pair.id) }"#,
                "cannot convert value of type 'Column<Pair, String>' to expected argument type 'Column<Pair, Int>'"
            ),
            (
                #"let a6 = Table("p", Half.init) { Column("id", \Half.id); Column("name", \Half.name) }"#,
                "cannot convert value of type 'Column<Half, String?>' to expected argument type 'Column<Half, String>'"
            ),
            (
                #"let a7 = Table("p", Pair.init) { Column("id", \Pair.id); Column("title", \Book.title) }"#,
                "cannot convert value of type 'Column<Book, String>' to expected argument type 'Column<Pair, String>'"
            ),
            (
                #"let a8 = Table("p", Pair.init) { Column("id", \Pair.id); Column("name", \Pair.nam) }"#,
                "no member 'nam'"
            ),
            (#"let a9 = Table("p", Pair.init) { Column("id", \.id) }"#, "specifying a root type"),
            (#"let b1 = Table("p", Pair.init) { Column("id"); Column("name") }"#, "missing argument for parameter #2"),
            (
                #"let b2 = Table("p", Pair.init) { [Column("id", \Pair.id)] }"#,
                "to expected argument type 'Column<Pair, Int>'"
            ),
            (#"let b3 = Table("p", Pair.self) { Column("id", \Pair.id) }"#, "'Pair' conform to 'Initializable'"),
            (#"let b4 = Table("p", Other.init) { Column("id", \Other.id); Column("k", \Other.kind) }"#, unbound),
            (#"let b5 = Table("p", List.init) { Column("id", \List.id); Column("tags", \List.tags) }"#, unbound),
            (
                #"let b6 = Table("p", Nested.init) { Column("id", \Nested.id); Column("p", \Nested.pair, as: .json) }"#,
                "`as: .json` needs a property whose type is Codable"
            ),
            (
                #"let b7 = Table("p", Single.init) { Column("id", \Single.id, as: .unixTime) }"#,
                "requires the types 'Int' and 'Date' be equivalent"
            ),
            // Constraints and options
            (#"let c1 = Table("p", Single.init) { Column("id", \Single.id, .default("0")) }"#, defaultOfOtherType),
            (
                #"let c2 = Table("p", Single.init) { Column("id", \Single.id, .default(nil)) }"#,
                "'nil' is not compatible"
            ),
            (#"let c3 = Table("p", Single.init) { Column("id", \Single.id, .primarykey) }"#, "no member 'primarykey'"),
            (
                #"let c4 = Table("p", Single.init) { Column("id", \Single.id, primaryKey: true) }"#,
                "label 'primaryKey:'"
            ),
            (
                #"let c5 = Table("p", Single.init) { Column("id", \Single.id, .references(Author.self)) }"#,
                "cannot convert value of type 'Author.Type' to expected argument type 'String'"
            ),
            (
                #"let c6 = Table("p", Single.init) { Column("id", \Single.id, .check { $0.id > 3 }) }"#,
                "that does not accept a closure"
            ),
            (
                #"let c7 = Table("p", Single.init, .index(on: "id")) { Column("id", \Single.id) }"#,
                "parameter #1 in call"
            ),
            (
                #"let c8 = Table("p", Single.init, .strict()) { Column("id", \Single.id) }"#,
                "non-function type 'TableOption'"
            ),
            (
                #"let c9 = Table("p", Single.init, .foreignKey(Author.books)) { Column("id", \Single.id) }"#,
                "'Relation<Author, [Book]>' to expected argument type 'Relation<Author, Target?>'"
            ),
            // Records
            ("struct D1: TableRecord { let id: Int }", "does not conform to protocol 'TableRecord'"),
            (#"struct D2: TableRecord { static let table = "books" }"#, "does not conform to protocol 'TableRecord'"),
            (
                #"struct D3 { let id: Int; static var table = Table("d", D3.init) { Column("id", \D3.id) } }"#,
                "'table' is not concurrency-safe"
            ),
            // Relations
            (#"let e1 = Relation(\Book.author, to: \Author.name)"#, "the types 'Int64' and 'String' be equivalent"),
            (#"let e2 = Relation(\Book.author, \Author.id)"#, "missing argument label 'to:'"),
            (#"let e3 = Relation(\Book.author, to: \Pair.id)"#, "'Pair' conform to 'TableRecord'"),
            (#"let e4 = Author.hasMany(Book.self)"#, "type 'Author' has no member 'hasMany'"),
            (
                #"let e5: Relation<Book, Author> = Relation(\Book.author, to: \Author.id)"#,
                "'Relation<Book, Author?>' to type 'Relation<Book, Author>'"
            ),
        ]

        private static let declarations =
            Misuses.library + """
                struct Single { let id: Int; var twice: Int { id * 2 }; init(id: Int) { self.id = id } }
                struct Half { let id: Int; let name: String?; init(id: Int, name: String) { self.id = id; self.name = name } }
                struct Other { let id: Int; let kind: Kind }
                struct List { let id: Int; let tags: [String] }
                struct Nested { let id: Int; let pair: Pair }

                """

        @Test func declarationsAreExplained() throws {
            try Misuses(declarations: Self.declarations, function: nil).check(Self.lines)
        }
    }
#endif
