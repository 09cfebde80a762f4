/// A statement that cannot be in a query.
struct RefusedStatement {
    let message: String
    /// The place in the statement of what is refused.
    let offset: Int

    /// Returns the reason why a statement cannot be in a query; `nil` if it can.
    init?(_ statement: SourceStatement) {
        var lexer = Lexer(statement.text)
        var first = lexer.next()
        if first?.is("EXPLAIN") == true {
            first = lexer.next()
            if first?.is("QUERY") == true {
                _ = lexer.next()
                first = lexer.next()
            }
        }
        guard let first, first.kind == .word, let message = Self.reason(first.keyword, &lexer) else { return nil }
        (self.message, offset) = (message, first.range.lowerBound)
    }

    private static func reason(_ keyword: String, _ lexer: inout Lexer) -> String? {
        switch keyword {
        case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE":
            "\(keyword) cannot be in a query: the statements of a query run in one transaction, and several queries do "
                + "inside 'transaction' in Swift"
        case "ATTACH", "DETACH": "\(keyword) cannot be in a query: attach databases with 'attachDatabase' in Swift"
        case "VACUUM":
            "VACUUM cannot be in a query: it runs outside of transactions, with 'vacuum' of a Database in Swift"
        case "PRAGMA":
            setsValue(&lexer)
                ? "a PRAGMA with a value cannot be in a query: it changes a connection, which its configuration does"
                : nil
        default: nil
        }
    }

    /// Returns whether the rest of a PRAGMA sets a value. Some take the name of a table and only read.
    private static func setsValue(_ lexer: inout Lexer) -> Bool {
        var name = ""
        while let token = lexer.next() {
            if token.is("=") { return true }
            if token.is("(") { return !readingPragmas.contains(name) }
            name = token.text.asciiUppercased
        }
        return false
    }

    private static let readingPragmas: Set<String> = [
        "FOREIGN_KEY_CHECK", "FOREIGN_KEY_LIST", "INDEX_INFO", "INDEX_LIST", "INDEX_XINFO", "INTEGRITY_CHECK",
        "QUICK_CHECK", "TABLE_INFO", "TABLE_LIST", "TABLE_XINFO",
    ]
}
