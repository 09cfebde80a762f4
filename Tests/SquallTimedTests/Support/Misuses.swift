#if os(Linux) || os(macOS)
    import Testing

    /// Wrong lines of a program, each with the compiler's message at its place.
    struct Misuses {
        /// A line, and a part of one of its messages; `nil` for a line that compiles without a message.
        typealias Line = (line: String, message: String?)

        /// The modules besides Squall.
        var imports: [String] = []
        var declarations = Self.library
        /// The parameters and effects of a function, which each line is the body of; `nil` for lines that are declarations.
        var function: String? = "(_ connection: Connection, _ text: String, _ author: Author, _ book: Book) throws"
        var stage = Compiler.Stage.types

        /// Two tables with a relation, and types that are not stored.
        static let library = """
            struct Author: TableRecord {
                let id: Int64?; let name: String
                static let books = Book.author.inverse()
                static let table = Table("authors", Author.init) {
                    Column("id", \\Author.id, .primaryKey)
                    Column("name", \\Author.name)
                }
            }
            struct Book: TableRecord {
                let id: Int64?; let author: Int64; var title: String; let pages: Int; let price: Double
                let note: String?; let rating: Int?; let isRead: Bool; let isLent: Bool?; let day: Date
                static let author = Relation(\\Book.author, to: \\Author.id)
                static let table = Table("books", Book.init, .foreignKey(author)) {
                    Column("id", \\Book.id, .primaryKey)
                    Column("author", \\Book.author)
                    Column("title", \\Book.title)
                    Column("pages", \\Book.pages)
                    Column("price", \\Book.price)
                    Column("note", \\Book.note)
                    Column("rating", \\Book.rating)
                    Column("isRead", \\Book.isRead)
                    Column("isLent", \\Book.isLent)
                    Column("day", \\Book.day)
                }
            }
            struct Pair { let id: Int; let name: String }
            enum Kind: String { case a, b }

            """

        /// Compiles all lines at once, and compares the messages of each. Each must be found within a second.
        func check(_ lines: [Line]) throws {
            var source = ["Foundation", "Squall"].map { "import \($0)\n" }.joined()
            source += imports.map { "import \($0)\n" }.joined() + declarations
            let first = source.split(separator: "\n", omittingEmptySubsequences: false).count
            for (index, (line, _)) in lines.enumerated() {
                source += function.map { "func misuse\(index)\($0) { \(line) }\n" } ?? line + "\n"
            }
            let output = try Compiler.check(source, scopes: 50_000, stage: stage)
            let found = Dictionary(grouping: Compiler.diagnostics(in: output)) { $0.line - first }
            for (index, (line, message)) in lines.enumerated() {
                let messages = found[index]?.map(\.message) ?? []
                if let message {
                    #expect(messages.contains { $0.contains(message) }, "\(line): \(messages)")
                } else {
                    #expect(messages == [], "\(line)")
                }
            }
            #expect(found.keys.allSatisfy(lines.indices.contains), "\(output)")
            #expect(!output.contains("to type-check") && !output.contains("submit a bug report"), "\(output)")
        }
    }
#endif
