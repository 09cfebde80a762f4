/// Reads the types of comments: `Int`, `[String: Int]?`, `Date as unixMilliseconds`.
struct TypeReader {
    /// A mistake in a text that was meant as a type.
    struct Mistake: Error, Hashable {
        let message: String
    }

    private let characters: [Character]
    private var position = 0

    private init(_ text: String) {
        characters = Array(text)
    }

    /// Reads a type with its form of storage; `nil` for a text that is not a type but prose.
    static func read(_ text: String) -> Result<(ValueType, TypeDeclaration.Nullability), Mistake>? {
        guard let first = text.first, first == "[" || first.isUppercase else { return nil }
        var reader = TypeReader(text)
        guard let name = reader.name() else { return reader.mistake(in: text) }
        let nullability: TypeDeclaration.Nullability =
            reader.skip("?") ? .optional : reader.skip("!") ? .promised : .proved
        let rest = String(reader.characters[reader.position...])
        let words = rest.split(whereSeparator: \.isWhitespace)
        if words.isEmpty { return .success((ValueType(name), nullability)) }
        guard words[0] == "as", rest.first?.isWhitespace == true, words.count <= 2 else {
            return reader.mistake(in: text)
        }
        let form = words.count == 2 ? String(words[1]) : ""
        guard let found = ValueType.Form(rawValue: form), found != .direct else {
            let forms = ValueType.Form.allCases.filter { $0 != .direct }.map(\.rawValue).joined(separator: ", ")
            return .failure(Mistake(message: "'\(form)' is not a form of storage, which is one of \(forms)"))
        }
        return .success((ValueType(name, as: found), nullability))
    }

    /// Returns the mistake in a text that begins as a type; `nil` for prose.
    private func mistake(in text: String) -> Result<(ValueType, TypeDeclaration.Nullability), Mistake>? {
        guard !text.contains(where: \.isWhitespace), let last = text.last, "?!>],;".contains(last) || text.contains("<")
        else { return nil }
        return .failure(Mistake(message: "'\(text)' is not a Swift type, such as Int, String? or [String: Int]"))
    }

    // MARK: Names

    /// Reads a type without `?` or `!` after it.
    private mutating func name() -> String? {
        if skip("[") {
            guard let element = element() else { return nil }
            if skip("]") { return "[\(element)]" }
            guard skip(":"), let value = self.element(), skip("]") else { return nil }
            return "[\(element): \(value)]"
        }
        guard var name = component() else { return nil }
        while position < characters.count, characters[position] == "." {
            position += 1
            guard let component = component() else { return nil }
            name += ".\(component)"
        }
        return name
    }

    /// Reads a part of a name, with the arguments of a generic type: `Set<Tag>`.
    private mutating func component() -> String? {
        let start = position
        while position < characters.count, SwiftIdentifier.isPart(characters[position]) { position += 1 }
        let name = String(characters[start..<position])
        guard SwiftIdentifier.isType(name) else { return nil }
        guard skip("<") else { return name }
        var arguments: [String] = []
        repeat {
            guard let argument = element() else { return nil }
            arguments.append(argument)
        } while skip(",")
        return skip(">") ? "\(name)<\(arguments.joined(separator: ", "))>" : nil
    }

    /// Reads a type inside another, which can be optional, with the white space around it.
    private mutating func element() -> String? {
        skipBlanks()
        guard var name = name() else { return nil }
        while skip("?") { name += "?" }
        skipBlanks()
        return name
    }

    private mutating func skip(_ character: Character) -> Bool {
        guard position < characters.count, characters[position] == character else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while position < characters.count, characters[position].isWhitespace { position += 1 }
    }

    // MARK: Corrections

    /// Returns the Swift type that was meant by the name of a type of SQL, or by a name in lower case; `nil` for another text.
    static func corrected(_ text: String) -> String? {
        let suffix = text.hasSuffix("?") || text.hasSuffix("!") ? text.suffix(1) : ""
        return types[String(text.dropLast(suffix.count)).asciiFolded].map { $0 + suffix }
    }

    private static let types: [String: String] = [
        "int": "Int", "integer": "Int", "int64": "Int64", "int32": "Int32", "double": "Double", "float": "Float",
        "real": "Double", "string": "String", "text": "String", "varchar": "String", "bool": "Bool", "boolean": "Bool",
        "date": "Date", "datetime": "Date", "data": "Data", "blob": "Data", "uuid": "UUID", "url": "URL",
        "decimal": "Decimal",
    ]
}
