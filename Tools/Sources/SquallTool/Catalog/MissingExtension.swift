import Squall

/// Something that a file needs and only its program adds to SQLite.
enum MissingExtension: Hashable {
    case function(String), collation(String), module(String), tokenizer(String)
    /// A collation of the key of a WITHOUT ROWID table, which SQLite does not name.
    case collationOfKey

    /// Returns `nil` for a message that does not name such a thing.
    init?(message: String) {
        guard message != "no query solution" else {
            self = .collationOfKey
            return
        }
        let kinds: [(start: String, make: (String) -> Self)] = [
            ("no such function: ", Self.function), ("unknown function: ", Self.function),
            ("no such collation sequence: ", Self.collation), ("no such module: ", Self.module),
            ("no such tokenizer: ", Self.tokenizer),
        ]
        guard let kind = kinds.first(where: { message.hasPrefix($0.start) }) else { return nil }
        let name = message.dropFirst(kind.start.count)
        self = kind.make(String(name.hasSuffix("()") ? name.dropLast(2) : name))
    }
}

extension MissingExtension: CustomStringConvertible {
    /// The kind and the name: `collation german`.
    var description: String {
        switch self {
        case .function(let name): "function \(name)"
        case .collation(let name): "collation \(name)"
        case .module(let name): "module \(name)"
        case .tokenizer(let name): "tokenizer \(name)"
        case .collationOfKey: "collation of its key"
        }
    }
}

extension SQLiteError {
    /// The extension that the file needs and the tool does not have; `nil` for another error.
    var missingExtension: MissingExtension? { resultCode == .error ? MissingExtension(message: message) : nil }
}
