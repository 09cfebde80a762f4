/// The layout of a declaration: one line when it fits, and otherwise a line for each parameter.
struct DeclarationLayout {
    /// The number of characters that fit on a normal screen.
    static let width = 85

    /// Returns the tokens of a declaration, with line breaks where it is too long for one line.
    static func lines(of tokens: [Token]) -> [Token] {
        guard tokens.map(\.text.count).reduce(0, +) > width else { return tokens }
        let hasParameters = tokens.contains { $0.kind == .keyword && callables.contains($0.text) }
        var layout = DeclarationLayout(parameters: hasParameters ? .ahead : .none)
        return layout.broken(tokens)
    }

    private static let callables: Set<String> = ["func", "init", "subscript", "macro", "case"]

    /// The place of the next token in relation to the list of parameters.
    private enum Parameters {
        case none, ahead, inside, past
    }

    private var parameters: Parameters
    /// The number of open brackets of any kind.
    private var depth = 0
    private var isInRequirements = false
    private var hasName = false

    private init(parameters: Parameters) {
        self.parameters = parameters
    }

    private mutating func broken(_ tokens: [Token]) -> [Token] {
        var result: [Token] = []
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .keyword where token.text == "where" && depth == 0:
                result.breakLine()
                isInRequirements = true
                result.append(token)
            case .text where !hasName && depth == 0 && index > 0 && tokens[index - 1].kind == .attribute:
                result.append(Token(kind: .text, text: token.text.replacingFirstSpace))
            case .text:
                result.append(Token(kind: .text, text: broken(token.text)))
            default:
                hasName = hasName || token.kind != .attribute
                result.append(token)
            }
        }
        return result
    }

    /// Returns punctuation with line breaks around and between the parameters, and between requirements.
    private mutating func broken(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "(" where parameters == .ahead && depth == 0:
                parameters = text.contains("()") ? .none : .inside
                depth += 1
                result += parameters == .inside ? "(\n    " : "("
            case "(", "[", "{", "<":
                depth += 1
                result.append(character)
            case ")" where parameters == .inside && depth == 1:
                parameters = .past
                depth -= 1
                result += "\n)"
            case ">" where result.last == "-": result.append(character)
            case ")", "]", "}", ">":
                depth -= 1
                result.append(character)
            case " " where result.last == "," && parameters == .inside && depth == 1: result += "\n    "
            case " " where result.last == "," && isInRequirements && depth == 0: result += "\n      "
            default: result.append(character)
            }
        }
        return result
    }
}

extension [Token] {
    /// Replaces the space at the end by a line break.
    fileprivate mutating func breakLine() {
        guard let last, last.kind == .text, last.text.last == " " else { return }
        self[count - 1] = Token(kind: .text, text: last.text.dropLast() + "\n")
    }
}

extension String {
    fileprivate var replacingFirstSpace: String {
        first == " " ? "\n" + dropFirst() : self
    }
}
