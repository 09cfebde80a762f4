extension PageRenderer {
    /// The number of headings from which a page has a list of them.
    static let outlinedHeadings = 6

    /// Returns the list of a page's headings, which opens on a click. A page with few headings has none.
    func outline(of content: [HTML]) -> [HTML] {
        let entries = content.compactMap(entry)
        guard entries.count >= Self.outlinedHeadings else { return [] }
        return [
            Tag.details(.class("outline")) {
                Tag.summary { "On this page" }
                Tag.nav(.text(.label, "On this page")) {
                    Tag.ul { entries }
                }
            }
        ]
    }

    private func entry(_ node: HTML) -> HTML? {
        guard case .element(let tag, let attributes, let title) = node, tag == .h2 || tag == .h3,
            case .text(let anchor) = attributes.first(where: { $0.name == .id })?.value
        else { return nil }
        return Tag.li(.class(tag.rawValue)) {
            Tag.a(.href(.page(path, anchor: anchor))) { title.plainText }
        }
    }
}
