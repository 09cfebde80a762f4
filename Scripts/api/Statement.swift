/// A statement of an interface, without the parts that are the same for all, or that callers do not see.
struct Statement {
    /// The attributes that concern callers, each followed by a space.
    private(set) var attributes = ""
    private(set) var modifiers: [Substring] = []
    /// The first word that is not a modifier: `func`, `init`, `struct`.
    private(set) var keyword: Substring = ""
    /// The text after the modifiers.
    private(set) var declaration: Substring = ""

    private static let modifierWords = Set(
        """
        borrowing consuming convenience distributed dynamic final indirect infix isolated lazy mutating nonisolated nonmutating open \
        optional override postfix prefix public required static unowned weak
        """.split(separator: " "))

    /// Attributes for the optimiser.
    private static let omittedAttributes: Set<Substring> = ["@frozen", "@inlinable", "@inline", "@usableFromInline"]

    init(_ text: String) {
        var rest = text[...]
        while rest.hasPrefix("@") { readAttribute(&rest) }
        while let end = rest.firstIndex(of: " ") {
            let word = rest[..<end]
            guard word.hasSuffix("(set)") || Self.modifierWords.contains(word.prefix { $0 != "(" }) else { break }
            modifiers.append(word)
            rest = rest[end...].drop { $0 == " " }
        }
        keyword = rest.prefix { $0.isLetter }
        declaration = rest
    }

    private mutating func readAttribute(_ rest: inout Substring) {
        let name = rest.prefix { !"( ".contains($0) }
        var end = name.endIndex
        if rest[end...].hasPrefix("(") { end = Scanner.brackets(at: rest[end...]).endIndex }
        var attribute = rest[..<end]
        rest = rest[end...].drop { $0 == " " }
        if Self.omittedAttributes.contains(name) { return }
        // The words of a message are not part of the interface.
        for part in [", message:", ", renamed:"] {
            guard name == "@available", let range = attribute.firstRange(of: part) else { continue }
            attribute = attribute[..<range.lowerBound] + ")"
        }
        attributes += attribute + " "
    }

    /// Whether the statement consists of attributes so far.
    var isEmpty: Bool { declaration.isEmpty && modifiers.isEmpty }

    /// Whether a `{` at the end begins the members of a type or of an extension.
    var hasMembers: Bool {
        ["actor", "class", "enum", "extension", "protocol", "struct"].contains(keyword)
    }

    /// The text on a line. A setter that callers cannot use is left out.
    var text: String {
        let isReadOnly = modifiers.contains { $0.hasSuffix("(set)") }
        let words = modifiers.filter { $0 != "public" && !$0.hasSuffix("(set)") }
        let end = isReadOnly && !declaration.hasSuffix("}") ? " { get }" : ""
        return (words + [declaration]).joined(separator: " ") + end
    }
}
