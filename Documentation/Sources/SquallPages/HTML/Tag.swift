/// The name of an HTML element.
enum Tag: String, Sendable {
    case a, article, aside, body, br, code, dd, del, details, div, dl, dt, em, h1, h2, h3, h4, h5, h6, head, hr, html
    case img, input, li, link, main, meta, nav, ol, p, picture, pre, script, section, source, span, strong, sub, summary
    case sup, table, tbody, td, th, thead, title, tr, ul, wbr

    /// Whether the element has neither content nor an end tag.
    var isVoid: Bool {
        switch self {
        case .br, .hr, .img, .input, .link, .meta, .source, .wbr: true
        default: false
        }
    }

    /// Whether the element is within a line of text, where a line break would be a space.
    var isInline: Bool {
        switch self {
        case .a, .br, .code, .del, .em, .img, .picture, .source, .span, .strong, .sub, .sup, .wbr: true
        default: false
        }
    }

    /// Returns the heading of a level; HTML has six.
    static func heading(_ level: Int) -> Tag {
        let headings: [Tag] = [.h1, .h2, .h3, .h4, .h5, .h6]
        return headings[min(max(level, 1), headings.count) - 1]
    }

    func callAsFunction(_ attributes: Attribute..., @HTMLBuilder content: () -> [HTML]) -> HTML {
        .element(self, attributes, content())
    }

    func callAsFunction(_ attributes: Attribute...) -> HTML {
        .element(self, attributes, [])
    }
}
