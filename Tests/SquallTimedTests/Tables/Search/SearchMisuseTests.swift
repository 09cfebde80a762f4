#if os(Linux) || os(macOS)
    import Testing

    /// Searches that must not compile, and those that must be checked fast.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct SearchMisuseTests {
        private static let declarations = """
            import Squall
            import SquallSearch
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

            """

        private static func errorLines(_ source: String, scopes: Int) throws -> [Int] {
            let first = declarations.split(separator: "\n", omittingEmptySubsequences: false).count - 1
            return try Compiler.check(declarations + source, scopes: scopes)
                .matches(of: /main\.swift:(\d+):\d+: error/).compactMap { Int($0.1) }.map { $0 - first }
        }

        @Test func aStringVariableIsNotAPattern() throws {
            let source = """
                func f(_ connection: Connection, _ text: String) throws {
                    _ = try connection.all(Note.search("swift"))
                    _ = try connection.all(Note.search(text))
                    _ = try connection.all(Note.search("swift \\(text)"))
                    _ = try connection.all(Note.search(.allWords(text)))
                    _ = try connection.all(Note.search(SearchPattern(raw: text)))
                    _ = try connection.all(Note.where { $0.matches(text) })
                    try connection.create(SearchTable("s", of: Note.table, columns: \\Other.name))
                }
                """
            #expect(Set(try Self.errorLines(source, scopes: 50_000)) == [3, 4, 7, 8])
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
            #expect(try Self.errorLines(source, scopes: 1000) == [])
        }
    }
#endif
