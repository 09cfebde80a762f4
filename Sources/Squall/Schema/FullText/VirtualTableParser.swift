/// Parses the SQL of a virtual table as its module does: `CREATE VIRTUAL TABLE "s" USING fts5("title", content = 'notes')`.
struct VirtualTableParser {
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

    /// Returns the table of FTS5; `nil` for another module.
    ///
    /// The source of a table that has its own content, or none, is not in its SQL.
    func fullTextTable(named name: String) -> FullTextTable? {
        guard module == "fts5", let using = usingIndex else { return nil }
        var columns: [FullTextTable.Column] = []
        var options: [String: String] = [:]
        var otherOptions: [String] = []
        for argument in arguments(from: using + 2) {
            guard argument.count > 1, argument.dropFirst().first?.is("=") == true, let key = argument.first,
                key.kind == .word
            else {
                if let column = Self.column(argument) { columns.append(column) }
                continue
            }
            guard let option = Self.options.first(where: { Self.begins($0, with: key.text) }) else {
                otherOptions.append(source(argument))
                continue
            }
            let value = value(argument.dropFirst(2))
            // Lengths of prefixes can be in several options.
            options[option] = option == "prefix" ? options[option].map { "\($0) \(value)" } ?? value : value
        }
        let source = options.removeValue(forKey: "content")
        let rowID = options.removeValue(forKey: "content_rowid")
        let isExternal = source?.isEmpty == false
        var table = FullTextTable(
            name, columns: columns, source: isExternal ? source : nil, rowID: isExternal ? rowID : nil,
            content: isExternal ? .external : source == nil ? .own : .none, options: options)
        table.otherOptions = otherOptions
        return table
    }

    // FTS5 takes the options by any beginning of their names: the first one that fits.
    private static let options = ["prefix", "tokenize", "content", "content_rowid", "columnsize", "detail"]

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
        tokens.count == 1 ? tokens[tokens.startIndex].text : source(tokens)
    }

    /// The SQL of tokens, as it is written.
    private func source(_ tokens: ArraySlice<Token>) -> String {
        guard let first = tokens.first, let last = tokens.last else { return "" }
        return String(decoding: utf8[first.range.lowerBound..<last.range.upperBound], as: UTF8.self)
    }

    private static func column(_ tokens: ArraySlice<Token>) -> FullTextTable.Column? {
        guard let name = tokens.first else { return nil }
        return .init(name.text, isIndexed: !tokens.dropFirst().contains { $0.is("UNINDEXED") })
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
