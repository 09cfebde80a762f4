import Squall

/// Reads the declarations of functions: `distance(Double, Double) -> Double?`.
enum FunctionReader {
    /// Reads a function; `nil` for another text. Three dots in place of the arguments are any number of any type:
    /// `concat(...) -> String`.
    static func read(_ text: String, at location: SourceLocation) -> FunctionDeclaration? {
        guard let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") else { return nil }
        let name = String(text[..<open])
        let rest = text[close...].dropFirst().trimmed
        guard !name.isEmpty, name.utf8.allSatisfy(\.isOfWord), name.utf8.first?.isDigit == false, rest.hasPrefix("->"),
            case .success(let (result, nullability))? = TypeReader.read(rest.dropFirst(2).trimmed),
            nullability != .promised
        else { return nil }
        let list = text[open..<close].dropFirst().trimmed
        var arguments: [ValueType]?
        if list != "..." {
            guard let types = types(list) else { return nil }
            arguments = types
        }
        return FunctionDeclaration(
            name: Identifier(name), arguments: arguments, result: result, resultIsOptional: nullability == .optional,
            location: location)
    }

    /// Reads the types of arguments; `nil` if one is not a type. Their `?` is allowed and changes nothing, because
    /// SQLite passes NULL to every function.
    private static func types(_ list: String) -> [ValueType]? {
        if list.isEmpty { return [] }
        var types: [ValueType] = []
        for text in split(list) {
            guard case .success(let (type, nullability))? = TypeReader.read(text.trimmed), nullability != .promised
            else {
                return nil
            }
            types.append(type)
        }
        return types
    }

    /// Splits a list at the commas outside of `[]` and `<>`.
    private static func split(_ list: String) -> [Substring] {
        var depth = 0
        return list.split(omittingEmptySubsequences: false) { character in
            if "[<".contains(character) { depth += 1 }
            if "]>".contains(character) { depth -= 1 }
            return depth == 0 && character == ","
        }
    }
}
