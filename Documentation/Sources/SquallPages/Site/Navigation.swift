/// The links at the left of each page: the groups that the author wrote on the page of the module.
struct Navigation {
    private let groups: [Group]
    private let module: Topic

    private struct Group {
        let title: String
        let topics: [Topic]
    }

    init(module: Page, path: PagePath, topics: [String: Topic]) {
        self.module = Topic(title: module.metadata.title, url: path.url, kind: module.kind.rawValue)
        groups = module.topics.filter { $0.generated != true }.map { group in
            let topics = group.identifiers.compactMap { identifier -> Topic? in
                if case .topic(let topic) = module.references[identifier] { topic } else { topics[identifier] }
            }
            return Group(title: group.title ?? "", topics: topics)
        }
    }

    /// Returns the lists of links, in which the page, or else the page above it, is marked.
    func html(page: PagePath) -> [HTML] {
        let isListed = groups.contains { group in group.topics.contains { $0.path == page } }
        return [Tag.p(.class("module")) { link(module, page: page, isAncestorMarked: false) }]
            + groups.flatMap { group in
                [
                    Tag.p(.class("group")) { group.title },
                    Tag.ul {
                        for topic in group.topics {
                            Tag.li { link(topic, page: page, isAncestorMarked: !isListed) }
                        }
                    },
                ]
            }
    }

    private func link(_ topic: Topic, page: PagePath, isAncestorMarked: Bool) -> HTML {
        var attributes: [Attribute] = [.href(Link(url: topic.url))]
        if topic.path == page {
            attributes.append(.text(.current, "page"))
        } else if isAncestorMarked, page.components.starts(with: topic.path.components) {
            attributes.append(.text(.current, "true"))
        }
        return .element(.a, attributes, [.text(topic.title)])
    }
}

extension Topic {
    fileprivate var path: PagePath { PagePath(url: url) }
}
