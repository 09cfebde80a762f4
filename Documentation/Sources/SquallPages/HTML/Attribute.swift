/// An attribute of an HTML element.
struct Attribute: Hashable, Sendable {
    enum Name: String, Sendable {
        case id, `class`, href, lang, charset, name, content, rel, start, scope, src, srcset, alt, media, type,
            placeholder, hidden
        case label = "aria-label"
        case current = "aria-current"
    }

    enum Value: Hashable, Sendable {
        case text(String)
        case link(Link)
    }

    let name: Name
    let value: Value

    static func id(_ id: String) -> Attribute { Attribute(name: .id, value: .text(id)) }
    static func `class`(_ name: String) -> Attribute { Attribute(name: .class, value: .text(name)) }
    static func href(_ link: Link) -> Attribute { .link(.href, link) }
    static func link(_ name: Name, _ link: Link) -> Attribute { Attribute(name: name, value: .link(link)) }
    static func text(_ name: Name, _ text: String) -> Attribute { Attribute(name: name, value: .text(text)) }
}
