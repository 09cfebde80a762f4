/// A part of a Swift listing that has one colour.
struct SwiftToken: Equatable, Sendable {
    let kind: Kind
    let text: String

    enum Kind: String, Sendable {
        case plain, keyword, type, string, number, comment
    }

    /// The keywords that are coloured. Names that are also common for functions and labels, such as `get`, are left out.
    static let keywords: Set<String> = [
        "actor", "any", "as", "associatedtype", "async", "await", "borrowing", "break", "case", "catch", "class",
        "consuming", "continue", "convenience", "default", "defer", "deinit", "do", "dynamic", "each", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "final", "for", "func", "guard", "if", "import", "in",
        "indirect", "init", "inout", "internal", "is", "isolated", "lazy", "let", "macro", "mutating", "nil",
        "nonisolated", "nonmutating", "open", "operator", "override", "package", "private", "protocol", "public",
        "repeat", "required", "rethrows", "return", "self", "Self", "sending", "some", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "unowned", "var", "weak", "where", "while",
    ]
}
