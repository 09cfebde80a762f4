/// Divides a Swift listing into tokens, as far as colours need it. The texts of the tokens together are the listing.
struct SwiftLexer {
    private var rest: Substring
    private var tokens: [SwiftToken] = []

    static func tokens(of source: String) -> [SwiftToken] {
        var lexer = SwiftLexer(rest: source[...])
        lexer.scanCode(untilParenthesis: false)
        return lexer.tokens
    }

    private init(rest: Substring) {
        self.rest = rest
    }

    /// Scans code to the end, or to the parenthesis that ends an interpolation.
    private mutating func scanCode(untilParenthesis: Bool) {
        var depth = 0
        while let next = rest.first {
            switch next {
            case ")" where untilParenthesis && depth == 0: return
            case "(", ")":
                depth += next == "(" ? 1 : -1
                take(.plain, 1)
            case "/" where rest.hasPrefix("//"): take(.comment, rest.prefix { !$0.isNewline }.count)
            case "/" where rest.hasPrefix("/*"): scanBlockComment()
            case "\"": scanString(hashes: 0)
            case "#": scanHash()
            case "@": take(.keyword, 1 + rest.dropFirst().prefix(while: \.isIdentifierPart).count)
            case "`": take(.plain, 1 + rest.dropFirst().prefix { $0 != "`" }.count + 1)
            case _ where next.isNumber: scanNumber()
            case _ where next.isIdentifierPart: scanIdentifier()
            default: take(.plain, 1)
            }
        }
    }

    /// Appends the next characters as a token, or to the token before them when it is of the same kind.
    private mutating func take(_ kind: SwiftToken.Kind, _ count: Int) {
        let text = rest.prefix(count)
        rest = rest.dropFirst(count)
        if let last = tokens.last, last.kind == kind {
            tokens[tokens.count - 1] = SwiftToken(kind: kind, text: last.text + text)
        } else {
            tokens.append(SwiftToken(kind: kind, text: String(text)))
        }
    }

    private mutating func scanIdentifier() {
        let name = String(rest.prefix(while: \.isIdentifierPart))
        let isMember = tokens.last?.text.last == "." && tokens.last?.kind == .plain
        let isLabel = rest.dropFirst(name.count).first == ":" && name != "default"
        if SwiftToken.keywords.contains(name), !isMember, !isLabel {
            take(.keyword, name.count)
        } else if name.first?.isUppercase == true {
            take(.type, name.count)
        } else {
            take(.plain, name.count)
        }
    }

    /// Scans a number, whose point is followed by a digit: `1...3` has two numbers.
    private mutating func scanNumber() {
        var count = rest.prefix(while: \.isIdentifierPart).count
        let fraction = rest.dropFirst(count)
        if fraction.first == ".", fraction.dropFirst().first?.isNumber == true {
            count += 1 + fraction.dropFirst().prefix(while: \.isIdentifierPart).count
        }
        take(.number, count)
    }

    private mutating func scanBlockComment() {
        var depth = 0
        repeat {
            if rest.hasPrefix("/*") {
                depth += 1
                take(.comment, 2)
            } else if rest.hasPrefix("*/") {
                depth -= 1
                take(.comment, 2)
            } else {
                take(.comment, 1)
            }
        } while depth > 0 && !rest.isEmpty
    }

    /// Scans a raw string, or a directive such as `#if`.
    private mutating func scanHash() {
        let hashes = rest.prefix { $0 == "#" }.count
        if rest.dropFirst(hashes).first == "\"" {
            scanString(hashes: hashes)
        } else {
            take(.keyword, hashes + rest.dropFirst(hashes).prefix(while: \.isIdentifierPart).count)
        }
    }

    /// Scans a string with its interpolations, which are code.
    private mutating func scanString(hashes: Int) {
        let pounds = String(repeating: "#", count: hashes)
        let quote = rest.dropFirst(hashes).hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        let escape = "\\" + pounds
        take(.string, hashes + quote.count)
        while !rest.isEmpty, !rest.hasPrefix(quote + pounds) {
            if rest.hasPrefix(escape + "(") {
                take(.string, escape.count + 1)
                scanCode(untilParenthesis: true)
                take(.string, min(rest.count, 1))
            } else if rest.hasPrefix(escape) {
                take(.string, escape.count + 1)
            } else if quote.count == 1, rest.first?.isNewline == true {
                return
            } else {
                take(.string, 1)
            }
        }
        take(.string, quote.count + hashes)
    }
}

extension Character {
    fileprivate var isIdentifierPart: Bool { isLetter || isNumber || self == "_" || self == "$" }
}
