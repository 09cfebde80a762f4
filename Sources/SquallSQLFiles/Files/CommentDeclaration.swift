/// What a comment declares.
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
    case type(table: String?, key: String, TypeDeclaration)
    /// A declaration with a mistake.
    case invalid(String)

    /// Reads a comment; `nil` for one that declares nothing.
    ///
    /// A declaration is a key, a colon, and a value. The key is one word, `:name`, `table.column`, or a name in double quotes. A value
    /// is a type, which begins with a capital letter or with `[`, and nothing follows it: other comments are prose.
    init?(_ comment: Comment, in source: SourceText) {
        guard let (key, value) = Self.split(comment.text) else { return nil }
        let location = source.location(at: comment.offset)
        switch key {
        case "name": self = Self.name(value)
        case "row":
            self = SwiftIdentifier.isType(value) ? .row(value) : .invalid("'\(value)' is not the name of a Swift type")
        case "plan": self = value == "no scan" ? .noScan : .invalid("a plan is 'no scan', not '\(value)'")
        case "collation":
            self = value.isEmpty ? .invalid("a collation has a name") : .collation(value)
        case "function":
            self =
                FunctionDeclaration(value, at: location).map { .function($0) }
                ?? .invalid("a function is declared as in: distance(Double, Double) -> Double?")
        default:
            guard let type = TypeReader.read(value, at: location) else { return nil }
            let (table, name) = Self.names(key)
            switch type {
            case .success(let declaration): self = .type(table: table, key: name, declaration)
            case .failure(let error): self = .invalid(error.message)
            }
        }
    }

    /// Splits a comment at the colon after its key.
    private static func split(_ text: String) -> (key: String, value: String)? {
        var key: Substring
        var rest: Substring
        if text.hasPrefix("\"") {
            guard let end = text.dropFirst().firstIndex(of: "\"") else { return nil }
            key = text[...end]
            rest = text[text.index(after: end)...]
        } else {
            let start = text.hasPrefix(":") ? text.index(after: text.startIndex) : text.startIndex
            guard let colon = text[start...].firstIndex(of: ":") else { return nil }
            key = text[..<colon]
            rest = text[colon...]
        }
        while key.last == " " { key.removeLast() }
        while rest.first == " " { rest.removeFirst() }
        guard rest.first == ":", !key.isEmpty, key.hasPrefix("\"") || !key.contains(where: \.isWhitespace) else {
            return nil
        }
        rest.removeFirst()
        return (String(key), rest.trimmed)
    }

    /// Splits `table.column`. A name in quotes is that of a column alone.
    private static func names(_ key: String) -> (table: String?, name: String) {
        if key.hasPrefix("\"") { return (nil, String(key.dropFirst().dropLast())) }
        guard let dot = key.firstIndex(of: "."), dot != key.startIndex else { return (nil, key) }
        return (String(key[..<dot]), String(key[dot...].dropFirst()))
    }

    private static func name(_ value: String) -> CommentDeclaration {
        let words = value.split(whereSeparator: \.isWhitespace)
        guard let name = words.first, SwiftIdentifier.isFunction(name) else {
            return .invalid("'\(words.first ?? "")' is not the name of a Swift function")
        }
        guard words.count > 1 else { return .name(String(name), nil) }
        let cardinality = words[1].hasPrefix(":") ? Cardinality(rawValue: String(words[1].dropFirst())) : nil
        guard let cardinality, words.count == 2 else {
            let kinds = Cardinality.allCases.map { ":\($0.rawValue)" }.joined(separator: ", ")
            return .invalid("after the name stands one of \(kinds), not '\(words.dropFirst().joined(separator: " "))'")
        }
        return .name(String(name), cardinality)
    }
}

/// The rules of names in Swift.
enum SwiftIdentifier {
    /// Whether a text can be the name of a function: letters of any script, digits, emoji and `_`, and no digit at its start.
    static func isFunction(_ text: some StringProtocol) -> Bool {
        guard let first = text.unicodeScalars.first, text != "_" else { return false }
        return isHead(first) && text.unicodeScalars.allSatisfy { isHead($0) || isTail($0) }
    }

    /// Whether a text can be the name of a type, which begins with a capital letter or with a letter without case.
    static func isType(_ text: some StringProtocol) -> Bool {
        isFunction(text) && text.unicodeScalars.first.map { !$0.properties.isLowercase && $0 != "_" } == true
    }

    private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || scalar.value > 127 && scalar.properties.isEmoji
    }

    private static func isTail(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark: true
        // What joins the parts of an emoji.
        default: scalar.value == 0x200d || scalar.value == 0xfe0f || (0x1f3fb...0x1f3ff).contains(scalar.value)
        }
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
