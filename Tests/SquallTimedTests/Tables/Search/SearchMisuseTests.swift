#if os(Linux) || os(macOS)
    import Testing

    /// Mistakes in searches with the compiler's messages, and searches that must be checked fast.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct SearchMisuseTests {
        private static let declarations = """
            struct Note: Searchable {
                let id: Int64?; let title: String; let body: String?
                static let table = Table("notes", Note.init) {
                    Column("id", \\Note.id, .primaryKey)
                    Column("title", \\Note.title)
                    Column("body", \\Note.body)
                }
                static let searchTable = SearchTable("notes_search", of: table, columns: \\.title, \\.body, tokenizer: .cjk)
            }
            struct Other { let name: String }
            struct Plain: TableRecord {
                let id: Int
                static let table = Table("plain", Plain.init) { Column("id", \\Plain.id) }
            }

            """

        private static let lines: [Misuses.Line] = [
            ("_ = try connection.all(Note.search(\"swift\"))", nil),
            ("_ = try connection.all(Note.search(.allWords(text)))", nil),
            ("_ = try connection.all(Note.search(SearchPattern(raw: text)))", nil),
            ("_ = try connection.all(Note.search(text))", "'String' to expected argument type 'SearchPattern'"),
            (
                #"_ = try connection.all(Note.search("swift \(text)"))"#,
                "'String' to expected argument type 'SearchPattern'"
            ),
            (
                "_ = try connection.all(Note.where { $0.matches(text) })",
                "'String' to expected argument type 'SearchPattern'"
            ),
            ("_ = try connection.all(Note.search(.words(text)))", "'SearchPattern' has no member 'words'"),
            ("_ = try connection.all(Plain.search(\"swift\"))", "missing argument for parameter 'in'"),
            (#"_ = SearchTable("s", of: Note.table, columns: \Other.name)"#, "'KeyPath<Note, String>'"),
            (#"_ = SearchTable("s", of: Note.table, columns: "title")"#, "cannot convert value of type 'String'"),
            (#"_ = SearchTable("s", of: Note.self, columns: \.title)"#, "'Note.Type' cannot conform to 'RecordTable'"),
            (
                #"_ = SearchTable("s", of: Note.table, columns: \.title, tokenizer: "porter")"#,
                "'String' to expected argument type 'SearchTokenizer'"
            ),
            (
                #"_ = SearchTable("s", of: Note.table, columns: \.title, where: "id > 3")"#,
                "'String' to expected argument type '(Columns<Note>) -> Condition'"
            ),
        ]

        @Test func searchesAreExplained() throws {
            let function = "(_ connection: Connection, _ text: String) throws"
            try Misuses(imports: ["SquallSearch"], declarations: Self.declarations, function: function).check(
                Self.lines)
        }

        @Test func searchesAreCheckedFast() throws {
            let source = """
                func f(_ connection: Connection, _ text: String) throws {
                    try connection.create(SearchTable("notes_search", of: Note.table, columns: \\.title, \\.body, tokenizer: .cjk))
                    let rows = try connection.all(Note.search("NEAR(swift sqlite)").order { $0.rank }.select { ($0.id, $0.snippet(\\.body, around: "<b>", "</b>")) })
                    let more = try connection.all(
                        Note.search(.allWords(text, lastIsPrefix: true)).where { $0.title != text }.order { $0.bm25(10, 1) }.limit(20)
                            .select { ($0.id, $0.rank, $0.highlight(\\.title, around: "<", ">"), $0.snippet(around: "<", ">"), $0.record) })
                    print(rows, more)
                }
                """
            let imports = "import Squall\nimport SquallSearch\n"
            #expect(try Compiler.check(imports + Self.declarations + source, scopes: 1000) == "")
        }
    }
#endif
