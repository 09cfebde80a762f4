import ArgumentParser

/// A word to search for, or several in their order; with `*` at its end, the beginning of words.
struct SearchWord {
    private let text: String
    private let isPrefix: Bool

    init(_ argument: String) throws {
        isPrefix = argument.hasSuffix("*")
        text = isPrefix ? String(argument.dropLast()) : argument
        guard !text.allSatisfy(\.isWhitespace) else {
            throw ValidationError("'\(argument)' is not a word to search for.")
        }
    }

    /// The word in the language of FTS5, in quotes so that none of it is an operator.
    var matchExpression: String {
        text.quotedName + (isPrefix ? "*" : "")
    }

    /// The pattern of LIKE for a text that contains the word, with `\` before its own wildcards.
    var likePattern: String {
        "%\(text.inserting("\\", before: ["\\", "%", "_"]))%"
    }
}
