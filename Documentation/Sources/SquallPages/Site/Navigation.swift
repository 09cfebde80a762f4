/// The links at the left of each page: the groups that the author wrote on the page of the module.
struct Navigation {
    private let groups: [Group]
    private let module: Entry

    private struct Group {
        let title: String
        let entries: [Entry]
    }

    private struct Entry {
        let title: String
        let path: PagePath
    }

    init(module: Page, path: PagePath, topics: [String: Topic]) {
        self.module = Entry(title: module.metadata.title, path: path)
        groups = module.topics.filter { $0.generated != true }.map { group in
            let entries = group.identifiers.compactMap { identifier in
                topics[identifier].map { Entry(title: $0.title, path: PagePath(url: $0.url)) }
            }
            return Group(title: group.title ?? "", entries: entries)
        }
    }

    /// Returns the lists of links. The page is marked, or the page above it when the page itself is not listed.
    func html(page: PagePath) -> [HTML] {
        let isListed = groups.contains { group in group.entries.contains { $0.path == page } }
        return [Tag.p(.class("module")) { link(module, page: page, isAncestorMarked: false) }]
            + groups.flatMap { group in
                [
                    Tag.p(.class("group")) { group.title },
                    Tag.ul {
                        for entry in group.entries {
                            Tag.li { link(entry, page: page, isAncestorMarked: !isListed) }
                        }
                    },
                ]
            }
    }

    private func link(_ entry: Entry, page: PagePath, isAncestorMarked: Bool) -> HTML {
        var attributes: [Attribute] = [.href(.page(entry.path, anchor: nil))]
        if entry.path == page {
            attributes.append(.text(.current, "page"))
        } else if isAncestorMarked, page.components.starts(with: entry.path.components) {
            attributes.append(.text(.current, "true"))
        }
        return .element(.a, attributes, [.text(entry.title)])
    }
}
