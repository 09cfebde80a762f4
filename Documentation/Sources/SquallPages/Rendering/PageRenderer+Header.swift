extension PageRenderer {
    /// Returns the title of the page, with its abstract and the availability of its symbol.
    func header() -> [HTML] {
        let isCode = page.kind == .symbol && !page.ancestors.isEmpty
        var header: [HTML] = []
        if page.kind == .symbol, let role = page.metadata.roleHeading {
            header.append(Tag.p(.class("role")) { role })
        }
        let title = page.metadata.title
        header.append(isCode ? Tag.h1(.class("symbol")) { HTML.breakable(title) } : Tag.h1 { title })
        if !page.abstract.isEmpty {
            header.append(Tag.p(.class("abstract")) { html(page.abstract) })
        }
        if !page.deprecation.isEmpty {
            header.append(
                Tag.aside(.class("warning")) {
                    Tag.p(.class("label")) { "Deprecated" }
                    html(page.deprecation)
                }
            )
        }
        return header + facts()
    }

    /// Returns the facts about a symbol that its declaration does not show.
    private func facts() -> [HTML] {
        var facts: [[HTML]] = []
        if page.metadata.required == true {
            facts.append(["Required."])
        }
        if let conformance = page.metadata.conformance {
            facts.append(html(conformance))
        }
        let platforms = (page.metadata.platforms ?? []).filter { $0.unavailable != true }.map(\.summary)
        if !platforms.isEmpty {
            facts.append([.text("Available on \(platforms.joined(separator: ", ")).")])
        }
        return facts.map { fact in Tag.p(.class("fact")) { fact } }
    }

    func html(_ conformance: Conformance) -> [HTML] {
        html(conformance.availabilityPrefix) + [" "] + html(conformance.constraints)
    }
}

extension Metadata.Platform {
    fileprivate var summary: String {
        let name = introducedAt.map { "\(self.name) \($0)" } ?? self.name
        return deprecatedAt.map { "\(name) (deprecated in \($0))" } ?? name
    }
}
