/// A declaration in a comment.
enum CommentDeclaration: Hashable, Sendable {
    /// `-- name: cheapCars :many`.
    case name(String, Cardinality?)
    /// `-- row: Car`.
    case row(String)
    /// `-- plan: no scan`.
    case noScan
    /// `-- function: distance(Double, Double) -> Double?`.
    case function(FunctionDeclaration)
    /// `-- collation: german`.
    case collation(String)
    /// `-- placed: Date? as unixMilliseconds`, with the name of the table if it is written: `-- orders.placed: Date`.
    /// The key of a parameter begins with a colon.
    case type(table: String?, key: String, TypeDeclaration)
    /// A declaration with a mistake, which the message describes.
    case invalid(String)

    /// The words that declare something else than a type. Quotes make one the name of a column: `-- "name": String`.
    enum Keyword: String, CaseIterable {
        case name, row, plan, function, collation

        /// The keywords of schema files.
        static let ofSchema: [Keyword] = [.function, .collation]
    }

    /// Reads a comment; `nil` for one that declares nothing.
    ///
    /// A declaration is a key, a colon, and a value. The key is a ``Keyword``, a word, a name in double quotes, a
    /// parameter such as `:limit`, or `table.column`. The value of a key that is not a keyword is a type: it begins
    /// with a capital letter or with `[`, and nothing follows it. Other comments are prose.
    ///
    /// - Parameter keywords: The keywords of the kind of file. Others are names of columns.
    init?(_ comment: Comment, in source: SourceText, keywords: [Keyword] = Keyword.allCases) {
        self.init(comment.text, at: source.location(at: comment.offset), keywords)
    }

    /// Reads the line of a comment, with its `--`; `nil` for one that declares nothing.
    ///
    /// - Parameter location: The place of the line.
    static func parse(line: String, at location: SourceLocation) -> CommentDeclaration? {
        let bytes = Array(line.utf8)
        let start = bytes.firstIndex { $0 != 9 && $0 != 32 } ?? bytes.count
        guard bytes[start...].starts(with: "--".utf8) else { return nil }
        let comment = Comment(bytes, start..<bytes.count, isOnOwnLine: true)
        let place = SourceLocation(
            file: location.file, line: location.line, column: location.column + comment.offset)
        return CommentDeclaration(comment.text, at: place, Keyword.allCases)
    }

    /// Returns whether a comment begins a query, even if it has a mistake.
    static func beginsQuery(_ comment: Comment) -> Bool {
        guard let (key, value) = CommentKey.split(comment.text), case .word(let word) = key else { return false }
        if word == Keyword.name.rawValue { return true }
        return Keyword(rawValue: word) == nil && TypeReader.read(value) == nil && Keyword.name.isMeant(by: word, value)
    }

    private init?(_ text: String, at location: SourceLocation, _ keywords: [Keyword]) {
        guard let (key, value) = CommentKey.split(text) else { return nil }
        if case .word(let word) = key, let keyword = Keyword(rawValue: word), keywords.contains(keyword) {
            self = keyword.declaration(value, at: location)
            return
        }
        if let type = TypeReader.read(value) {
            switch type {
            case .success(let (type, nullability)):
                let (table, name) = key.names
                self = .type(
                    table: table, key: name,
                    TypeDeclaration(type: type, nullability: nullability, location: location))
            case .failure(let mistake): self = .invalid(mistake.message)
            }
            return
        }
        guard let message = Self.mistake(key, value, keywords) else { return nil }
        self = .invalid(message)
    }

    /// Returns the mistake in a comment that is not a declaration, but was meant as one; `nil` for prose.
    private static func mistake(_ key: CommentKey, _ value: String, _ keywords: [Keyword]) -> String? {
        if case .word(let word) = key {
            if let keyword = keywords.first(where: { $0.isMeant(by: word, value) }) {
                return "unknown declaration '\(word)': write -- \(keyword): \(value)"
            }
            return TypeReader.corrected(value).map { "the type '\(value)' is unknown: write \($0)" }
        }
        if let type = TypeReader.corrected(value) { return "the type '\(value)' is unknown: write \(type)" }
        guard !value.contains(where: \.isWhitespace) else { return nil }
        return "'\(value)' is not a Swift type, which begins with a capital letter or with ["
    }
}

extension CommentKey {
    /// The table, if it is written, and the name. That of a parameter keeps its colon.
    fileprivate var names: (table: String?, name: String) {
        switch self {
        case .word(let name), .quoted(let name): (nil, name)
        case .parameter(let name): (nil, ":\(name)")
        case .column(let table, let name): (table, name)
        }
    }
}
