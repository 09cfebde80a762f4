import ArgumentParser

/// The type that the option `--type` gives a column: `zip=text`.
struct TypeOverride: ExpressibleByArgument {
    let column: String
    let type: ColumnType

    init?(argument: String) {
        guard let equals = argument.lastIndex(of: "="), equals > argument.startIndex else { return nil }
        column = String(argument[..<equals])
        switch argument[argument.index(after: equals)...].lowercased() {
        case "integer", "int": type = .integer
        case "real": type = .real
        case "text": type = .text
        case "blob": type = .blob
        case "numeric": type = .numeric
        case "any": type = .any
        default: return nil
        }
    }
}
