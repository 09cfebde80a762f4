/// Parses the SQL of a search table as FTS5 does: `CREATE VIRTUAL TABLE "s" USING fts5("title", content = 'notes')`.
struct SearchTableParser {
    private let utf8: [UInt8]
    private let tokens: [Token]

    init(_ sql: String) {
        utf8 = Array(sql.utf8)
        // SQLite writes these words itself. The SQL of other tables is not split into tokens.
        let start = Identifier(String(decoding: utf8.prefix(14), as: UTF8.self))
        tokens = start == "CREATE VIRTUAL" ? SQLTokenizer.tokens(of: sql) : []
    }

    /// The module of a virtual table; `nil` for other SQL.
    var module: Identifier? {
        guard tokens.dropFirst().first?.is("VIRTUAL") == true else { return nil }
        return usingIndex.flatMap { tokens.indices.contains($0 + 1) ? Identifier(tokens[$0 + 1].text) : nil }
    }

    private var usingIndex: Int? { tokens.firstIndex { $0.is("USING") } }

    /// Returns the definition; `nil` for another kind of table.
    ///
    /// The source of a table that has its own content, or none, is not in its SQL.
    func definition(named name: String) -> SearchTableDefinition? {
        guard module == "fts5", let using = usingIndex else { return nil }
        var table = SearchTableDefinition(name, columns: [])
        var source: String?
        var rowID = "rowid"
        for argument in arguments(from: using + 2) {
            guard argument.count > 1, argument.dropFirst().first?.is("=") == true, let key = argument.first,
                key.kind == .word
            else {
                if let column = Self.column(argument) { table.columns.append(column) }
                continue
            }
            let value = value(argument.dropFirst(2))
            switch Self.options.first(where: { Self.begins($0, with: key.text) }) {
            case "content": source = value
            case "content_rowid": rowID = value
            case "tokenize": table.tokenizer = SearchTokenizer(option: value)
            case "prefix": table.prefixes += Self.numbers(in: value)
            case "detail":
                table.detail = Self.details.first { Self.begins($0.key, with: value) }?.value ?? .full
            case "columnsize": table.hasColumnSizes = value != "0"
            default: break
            }
        }
        if let source {
            table.content = source.isEmpty ? .none : .external
            if !source.isEmpty { table.source = .init(table: source, rowID: rowID) }
        }
        return table
    }

    // FTS5 takes the options, and the details of an index, by any beginning of their names: the first one that fits.
    private static let options = ["prefix", "tokenize", "content", "content_rowid", "columnsize", "detail"]
    private static let details: KeyValuePairs<String, SearchTableDefinition.Detail> = [
        "none": .none, "full": .full, "columns": .column,
    ]

    private static func begins(_ name: String, with text: String) -> Bool {
        name.hasPrefix(text.asciiFolded)
    }

    /// The arguments of the module, which commas separate.
    private func arguments(from start: Int) -> [ArraySlice<Token>] {
        guard tokens.indices.contains(start), tokens[start].is("(") else { return [] }
        var arguments: [ArraySlice<Token>] = []
        var (first, depth) = (start + 1, 0)
        for index in tokens.indices.dropFirst(start + 1) {
            if tokens[index].is("(") { depth += 1 }
            let isEnd = tokens[index].is(")") && depth == 0
            if isEnd || tokens[index].is(",") && depth == 0 {
                if first < index { arguments.append(tokens[first..<index]) }
                first = index + 1
                if isEnd { break }
            } else if tokens[index].is(")") {
                depth -= 1
            }
        }
        return arguments
    }

    private func value(_ tokens: ArraySlice<Token>) -> String {
        guard let first = tokens.first, let last = tokens.last else { return "" }
        if tokens.count == 1 { return first.text }
        return String(decoding: utf8[first.range.lowerBound..<last.range.upperBound], as: UTF8.self)
    }

    private static func column(_ tokens: ArraySlice<Token>) -> SearchTableDefinition.Column? {
        guard let name = tokens.first else { return nil }
        return .init(name.text, isIndexed: !tokens.dropFirst().contains { $0.is("UNINDEXED") })
    }

    private static func numbers(in text: String) -> [Int] {
        text.utf8.split { !(48...57).contains($0) }.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    }

    /// The endings of the names of the tables that a module keeps its rows in. SQLite reports them itself since 3.37.
    var shadowEndings: [String] {
        switch module {
        case "fts5": ["data", "idx", "content", "docsize", "config"]
        case "fts3", "fts4": ["content", "segments", "segdir", "docsize", "stat"]
        case "rtree", "rtree_i32", "geopoly": ["node", "parent", "rowid"]
        default: []
        }
    }
}
