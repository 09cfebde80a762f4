/// A tree of HTML: escaped text and elements.
///
/// The tree has no case for unescaped source, so that content cannot become markup. Links stay typed until a page is
/// written, because a relative address depends on the page.
enum HTML: Hashable, Sendable {
    case text(String)
    case element(Tag, [Attribute], [HTML])
}

extension HTML: ExpressibleByStringLiteral {
    init(stringLiteral text: String) {
        self = .text(text)
    }
}

extension [HTML] {
    /// The text without elements.
    var plainText: String {
        map { node in
            switch node {
            case .text(let text): text
            case .element(_, _, let children): children.plainText
            }
        }.joined()
    }
}

extension [[HTML]] {
    /// The parts one after the other, with a text between them.
    func separated(by separator: String) -> [HTML] {
        Array<HTML>(joined(separator: [.text(separator)]))
    }
}
