extension PageRenderer {
    func topicGroups() -> [HTML] {
        groups(page.topics, title: "Topics", anchor: "topics")
            + groups(page.defaultImplementations, title: "Default implementations", anchor: "default-implementations")
    }

    func seeAlso() -> [HTML] {
        groups(page.seeAlso, title: "See also", anchor: "see-also", hasAnchors: false)
    }

    /// Returns the types that are related to the page's type, on one line for each relation.
    func relationships() -> [HTML] {
        guard !page.relationships.isEmpty else { return [] }
        return [
            heading("Relationships", level: 2, anchor: "relationships"),
            Tag.dl(.class("relationships")) {
                for group in page.relationships {
                    Tag.dt { group.title ?? "" }
                    Tag.dd { group.identifiers.map(relative).separated(by: ", ") }
                }
            },
        ]
    }

    private func relative(_ identifier: String) -> [HTML] {
        switch reference(identifier) {
        case .topic(let topic):
            [Tag.a(.href(Link(url: topic.url))) { Tag.code { topic.title } }]
                + (topic.conformance.map { [" ("] + html($0.constraints) + [")"] } ?? [])
        case .external(let title): [Tag.code { title }]
        case .web(let address, let title): [Tag.a(.href(Link(web: address))) { html(title) }]
        case .image, nil: [Tag.a(.href(.unresolved(identifier))) { identifier }]
        }
    }

    private func groups(_ groups: [LinkGroup], title: String, anchor: String, hasAnchors: Bool = true) -> [HTML] {
        guard !groups.isEmpty else { return [] }
        return [heading(title, level: 2, anchor: anchor)] + groups.flatMap { html($0, hasAnchor: hasAnchors) }
    }

    private func html(_ group: LinkGroup, hasAnchor: Bool) -> [HTML] {
        var result: [HTML] = []
        if let title = group.title {
            let anchor = hasAnchor ? group.anchor : nil
            result.append(anchor.map { heading(title, level: 3, anchor: $0) } ?? Tag.h3 { title })
        }
        if let abstract = group.abstract {
            result.append(Tag.p { html(abstract) })
        }
        if case .content(let blocks) = group.discussion {
            result += html(blocks)
        }
        // DocC may list a page of default implementations twice.
        var listed: Set<String> = []
        let identifiers = group.identifiers.filter { listed.insert($0).inserted }
        return result + [Tag.ul(.class("topics")) { identifiers.map(topic) }]
    }

    private func topic(_ identifier: String) -> HTML {
        guard case .topic(let topic) = reference(identifier) else {
            return Tag.li { relative(identifier) }
        }
        return Tag.li {
            Tag.a(.class(topic.deprecated == true ? "deprecated" : "topic"), .href(Link(url: topic.url))) {
                if let fragments = topic.fragments, topic.isSymbol {
                    Tag.code { fragments.flatMap(breakable) }
                } else {
                    topic.title
                }
            }
            if let abstract = topic.abstract, !abstract.isEmpty {
                Tag.p { html(abstract) }
            }
            notes(topic).map { note in Tag.p(.class("fact")) { note } }
        }
    }

    private func notes(_ topic: Topic) -> [[HTML]] {
        var notes: [[HTML]] = []
        if topic.deprecated == true {
            notes.append(["Deprecated."])
        }
        if topic.required == true {
            let hasDefault = (topic.defaultImplementations ?? 0) > 0
            notes.append([hasDefault ? "Required, with a default implementation." : "Required."])
        }
        if let conformance = topic.conformance {
            notes.append(html(conformance))
        }
        return notes
    }
}
