/// The links at the left of each page: the groups that the author wrote on the page of each module.
struct Navigation {
    private let modules: [(entry: Entry, groups: [Group])]

    private struct Group {
        let title: String
        let entries: [Entry]
    }

    private struct Entry {
        let title: String
        let path: PagePath
    }

    init(modules: [(path: PagePath, page: Page)], topics: [String: Topic]) {
        self.modules = modules.map { path, module in
            let groups = module.topics.filter { $0.generated != true }.map { group in
                let entries = group.identifiers.compactMap { identifier in
                    topics[identifier].map { Entry(title: $0.title, path: PagePath(url: $0.url)) }
                }
                return Group(title: group.title ?? "", entries: entries)
            }
            return (Entry(title: module.metadata.title, path: path), groups)
        }
    }

    /// Returns the lists of links. The page is marked, or the page above it when the page itself is not listed.
    func html(page: PagePath) -> [HTML] {
        let isListed = modules.contains { $0.groups.contains { $0.entries.contains { $0.path == page } } }
        return modules.flatMap { module in
            [Tag.p(.class("module")) { link(module.entry, page: page, isAncestorMarked: false) }]
                + (module.entry.path == .library ? [search(page: page)] : [])
                + module.groups.flatMap { group in
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
    }

    private func search(page: PagePath) -> HTML {
        let entry = Entry(title: SearchPage.title, path: SearchPage.path)
        return Tag.ul {
            Tag.li { link(entry, page: page, isAncestorMarked: false) }
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
