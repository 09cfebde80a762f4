/// Finds where a piece of Swift ends. Brackets inside string literals do not count.
enum Scanner {
    /// Returns the number of brackets that are open at the end of a text.
    static func openBrackets(in text: some StringProtocol) -> Int {
        var depth = 0
        forEachBracket(in: text) { _, change in
            depth += change
            return true
        }
        return depth
    }

    /// Returns the part of a text up to the bracket that closes its first one.
    static func brackets(at start: Substring) -> Substring {
        var depth = 0
        var end = start.endIndex
        forEachBracket(in: start) { index, change in
            depth += change
            guard depth == 0 else { return true }
            end = start.index(after: index)
            return false
        }
        return start[..<end]
    }

    /// Calls a closure with the place of each bracket, and 1 or -1, until it returns `false`.
    private static func forEachBracket<Text: StringProtocol>(in text: Text, _ body: (Text.Index, Int) -> Bool) {
        var isString = false
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if character == "\"" {
                isString.toggle()
            } else if isString {
                if character == "\\" { text.formIndex(after: &index) }
            } else if "([{".contains(character) {
                if !body(index, 1) { return }
            } else if ")]}".contains(character) {
                if !body(index, -1) { return }
            }
            if index < text.endIndex { text.formIndex(after: &index) }
        }
    }
}
