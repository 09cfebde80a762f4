/// Reads types of comments: `Int`, `[String: Int]?`, `Date as unixMilliseconds`.
enum TypeReader {
    struct Mistake: Error {
        let message: String
    }

    /// Reads a type with its form; `nil` for a text that is not a type but prose.
    static func read(_ text: String, at location: SourceLocation) -> Result<TypeDeclaration, Mistake>? {
        guard let (name, rest) = name(text) else { return nil }
        var nullability = TypeDeclaration.Nullability.proved
        var remaining = rest
        if remaining.first == "?" { nullability = .optional }
        if remaining.first == "!" { nullability = .promised }
        if nullability != .proved { remaining.removeFirst() }
        let words = remaining.split(whereSeparator: \.isWhitespace)
        guard let first = words.first else {
            return remaining.isEmpty
                ? .success(.init(type: ValueType(name), nullability: nullability, location: location)) : nil
        }
        guard first == "as", words.count == 2, remaining.first?.isWhitespace == true else { return nil }
        guard let form = ValueType.Form(rawValue: String(words[1])), form != .direct else {
            let forms = ValueType.Form.allCases.filter { $0 != .direct }.map(\.rawValue).joined(separator: ", ")
            return .failure(Mistake(message: "'\(words[1])' is not a form of storage: there are \(forms)"))
        }
        return .success(.init(type: ValueType(name, as: form), nullability: nullability, location: location))
    }

    /// Reads a type, and returns it with the text after it.
    static func name(_ text: some StringProtocol) -> (name: String, rest: Substring)? {
        let text = Substring(text)
        guard let first = text.first else { return nil }
        if first == "[" { return bracketed(text, "[", "]") }
        var end = text.startIndex
        while end < text.endIndex {
            let start = end
            while end < text.endIndex, text[end].isIdentifierPart { end = text.index(after: end) }
            guard SwiftIdentifier.isType(text[start..<end]) else { return nil }
            if end < text.endIndex, text[end] == "<" {
                guard let arguments = bracketed(text[end...], "<", ">") else { return nil }
                end = arguments.rest.startIndex
            }
            guard end < text.endIndex, text[end] == "." else { break }
            end = text.index(after: end)
            if end == text.endIndex { return nil }
        }
        return (String(text[..<end]), text[end...])
    }

    private static func bracketed(_ text: Substring, _ open: Character, _ close: Character) -> (
        name: String, rest: Substring
    )? {
        var depth = 0
        for index in text.indices {
            if text[index] == open { depth += 1 }
            if text[index] == close { depth -= 1 }
            if depth == 0 {
                let end = text.index(after: index)
                return (String(text[..<end]), text[end...])
            }
        }
        return nil
    }
}

extension Character {
    fileprivate var isIdentifierPart: Bool { self == "_" || isLetter || isNumber }
}

extension FunctionDeclaration {
    /// Reads `distance(Double, Double) -> Double?`. Three dots in place of arguments are any number of any type.
    init?(_ text: String, at location: SourceLocation) {
        guard let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") else { return nil }
        let name = text[..<open].trimmed
        let list = text[open..<close].dropFirst().trimmed
        let rest = text[close...].dropFirst().trimmed
        guard !name.isEmpty, !name.contains(where: \.isWhitespace), rest.hasPrefix("->") else { return nil }
        guard case .success(let result)? = TypeReader.read(rest.dropFirst(2).trimmed, at: location) else { return nil }
        var arguments: [ValueType]? = []
        if list == "..." {
            arguments = nil
        } else if !list.isEmpty {
            for argument in list.split(separator: ",") {
                guard case .success(let type)? = TypeReader.read(argument.trimmed, at: location) else { return nil }
                arguments?.append(type.type)
            }
        }
        self.init(
            name: Name(name), arguments: arguments, result: result.type,
            resultIsOptional: result.nullability == .optional, location: location)
    }
}
