import Squall

/// The text of a statement as SQLite compiles it: without comments, with lists as tables, and with a list of columns in
/// place of `*`.
struct RunnableText {
    /// A part of the text: a token, or the columns of `*`.
    private struct Part {
        var piece: Piece
        /// The offset in the text that SQLite compiles.
        let offset: Int
        /// The offset in the statement of the file.
        let original: Int
    }

    private enum Piece {
        case text(String)
        case parameter(String)
        case list(String)
    }

    /// The text for SQLite.
    private(set) var text = ""
    private var parts: [Part] = []

    /// - Parameters:
    ///   - sql: The statement as it is written.
    ///   - stars: The columns for each `*`, by its place; with an empty range, for an INSERT without a list of columns.
    init(_ sql: String, tokens: [Token], stars: [Range<Int>: [String?]] = [:]) {
        let bytes = Array(sql.utf8)
        var (previous, index) = (0, 0)
        while index < tokens.count {
            let token = tokens[index]
            if index > 0 {
                if let columns = stars[previous..<previous], !columns.contains(nil) {
                    append(.text("(\(columns.compactMap { $0 }.joined(separator: ", ")))"), at: previous)
                }
                append(.text(Self.gap(bytes[previous..<token.range.lowerBound])), at: previous)
            }
            let star = stars.first { !$0.key.isEmpty && $0.key.lowerBound == token.range.lowerBound }
            if let (range, columns) = star, !columns.isEmpty, !columns.contains(nil) {
                append(.text(columns.compactMap { $0 }.joined(separator: ", ")), at: range.lowerBound)
                previous = range.upperBound
                while index < tokens.count, tokens[index].range.lowerBound < range.upperBound { index += 1 }
                continue
            }
            switch token.kind {
            case .list:
                // In `IN(:ids...)`, the parenthesis has separated the words.
                if text.utf8.last?.isOfWord == true { append(.text(" "), at: token.range.lowerBound) }
                append(.list(token.text), at: token.range.lowerBound)
            case .parameter: append(.parameter(token.text), at: token.range.lowerBound)
            // `IN (:ids...)` is written without these parentheses.
            case .sign
            where token.text == "(" && Self.isList(tokens, index + 1) && tokens[safe: index + 2]?.is(")") == true,
                .sign
            where token.text == ")" && Self.isList(tokens, index - 1) && tokens[safe: index - 2]?.is("(") == true:
                break
            default:
                append(.text(String(decoding: bytes[token.range], as: UTF8.self)), at: token.range.lowerBound)
            }
            previous = token.range.upperBound
            index += 1
        }
    }

    private static func isList(_ tokens: [Token], _ index: Int) -> Bool { tokens[safe: index]?.kind == .list }

    private mutating func append(_ piece: Piece, at original: Int) {
        parts.append(Part(piece: piece, offset: text.utf8.count, original: original))
        switch piece {
        case .text(let part), .parameter(let part): text += part
        case .list(let name): text += "squall_array(\(name))"
        }
    }

    /// The white space between two tokens, without comments.
    private static func gap(_ bytes: ArraySlice<UInt8>) -> String {
        let isBlank = bytes.allSatisfy { [9, 10, 12, 13, 32].contains($0) }
        if isBlank { return String(decoding: bytes.filter { $0 != 13 }, as: UTF8.self) }
        guard let line = bytes.lastIndex(of: 10) else { return bytes.isEmpty ? "" : " " }
        let indentation = bytes[line...].dropFirst().prefix { $0 == 32 || $0 == 9 }
        return "\n" + String(decoding: indentation, as: UTF8.self)
    }

    /// Returns the offset in the statement of the file for one in the text that SQLite compiles.
    func originalOffset(of offset: Int) -> Int {
        guard let part = parts.last(where: { $0.offset <= offset }) else { return 0 }
        if case .text = part.piece { return part.original + offset - part.offset }
        return part.original
    }

    /// The pieces, with parameters by their index in a list of names without prefixes.
    func pieces(_ parameters: [String]) -> [CheckedQuery.Statement.Piece] {
        var pieces: [CheckedQuery.Statement.Piece] = []
        func index(_ name: String) -> Int { parameters.firstIndex(of: String(name.dropFirst())) ?? 0 }
        for part in parts {
            switch part.piece {
            case .parameter(let name): pieces.append(.parameter(index(name)))
            case .list(let name): pieces.append(.list(index(name)))
            case .text(""): break
            case .text(let text):
                if case .text(let before)? = pieces.last {
                    pieces[pieces.count - 1] = .text(before + text)
                } else {
                    pieces.append(.text(text))
                }
            }
        }
        return pieces
    }
}

extension RandomAccessCollection where Index == Int {
    /// The element at an index; `nil` for an index out of range.
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
