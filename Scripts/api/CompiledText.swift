/// The words of Swift that is compiled and run: the guides' snippets and the examples. Comments do not count.
struct CompiledText {
    private var words: Set<Substring> = []
    /// The words behind a point, and those that a declaration has given a meaning: `.name`, `func name`.
    private var members: Set<Substring> = []
    private var operators: Set<Substring> = []

    private static let declarations: Set<Substring> = ["case", "func", "let", "typealias", "var"]

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) { read(line.prefix(upTo: Self.comment(in: line))) }
    }

    /// Returns where the comment of a line begins, or its end. The `//` of an address in a text is none.
    private static func comment(in line: Substring) -> String.Index {
        line.ranges(of: "//").first { $0.lowerBound == line.startIndex || line[..<$0.lowerBound].last != ":" }?
            .lowerBound
            ?? line.endIndex
    }

    private mutating func read(_ line: Substring) {
        var rest = line
        var last: Substring = ""
        while let first = rest.first {
            let isWord = Self.isPartOfWord(first)
            let isOperator = Self.isPartOfOperator(first)
            let run =
                isWord
                ? rest.prefix(while: Self.isPartOfWord)
                : isOperator ? rest.prefix(while: Self.isPartOfOperator) : rest.prefix(1)
            rest = rest[run.endIndex...]
            if isOperator { operators.insert(run) }
            if isWord { words.insert(run) }
            if isWord, last == "." || Self.declarations.contains(last) { members.insert(run) }
            if run != " ", run != "`" { last = run }
        }
    }

    private static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private static func isPartOfOperator(_ character: Character) -> Bool { "+-*/%<>=!&|~".contains(character) }

    /// Whether a program uses a declaration, as far as its name says.
    func uses(_ declaration: Declaration) -> Bool {
        switch declaration.kind {
        // They have no name, or are written by the compiler.
        case "extension", "init", "subscript", "type.subscript": true
        case "method" where declaration.name == "callAsFunction": true
        case "func.op": operators.contains(declaration.name[...])
        case "actor", "associatedtype", "class", "enum", "func", "protocol", "struct", "typealias", "var":
            words.contains(declaration.name[...])
        default: members.contains(declaration.name[...])
        }
    }
}
