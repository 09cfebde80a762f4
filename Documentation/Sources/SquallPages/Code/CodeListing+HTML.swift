extension CodeListing {
    /// Returns the listing as a box of its own.
    ///
    /// - Parameter defaultLanguage: The language of a listing for which the author named none.
    func html(defaultLanguage: String?) -> HTML {
        let source = code.joined(separator: "\n")
        let isSwift = (syntax ?? defaultLanguage) == "swift"
        return Tag.pre(.class("listing")) {
            Tag.code {
                if isSwift {
                    SwiftLexer.tokens(of: source).map(\.html)
                } else {
                    source
                }
            }
        }
    }
}

extension SwiftToken {
    fileprivate var html: HTML {
        kind == .plain ? .text(text) : Tag.span(.class(kind.rawValue)) { text }
    }
}
