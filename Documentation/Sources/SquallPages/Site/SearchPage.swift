/// The page that lists every heading of an article, and every name with the types that have it.
///
/// Its field hides the rows without the words that are typed. Without JavaScript, the browser searches the page.
struct SearchPage {
    static let path = PagePath(components: ["documentation", "search"])
    static let title = "Search"
    static let script = "search.js"
    static let field = Tag.input(
        .id("search"), .text(.type, "search"), .text(.label, "Words or a name"), .text(.placeholder, "Words or a name"),
        .text(.hidden, ""))

    /// The links of each name, by their text.
    private var links: [String: [String: InlineReference]] = [:]
    private let articles: [(path: PagePath, page: Page)]
    /// The headings of articles, by the identifiers of links to them.
    private var headings: [String: Reference] = [:]

    init(archive: Archive) {
        articles = archive.pages.filter { $0.value.kind == .article && !$0.value.headings.isEmpty }
            .sorted { $0.value.metadata.title < $1.value.metadata.title }.map { (path: $0.key, page: $0.value) }
        for (path, page) in articles {
            for heading in page.headings {
                // DocC leaves the backticks around code.
                let title = heading.text.replacing("`", with: "")
                headings[page.identifier(of: heading)] = .topic(
                    Topic(title: title, url: "\(path.url)#\(heading.anchor)", kind: "section"))
            }
        }
        for (_, page) in archive.pages.sorted(by: { $0.key.url < $1.key.url }) where page.isListedByName {
            let parent = page.parent.flatMap { archive.topics[$0]?.title }
            let text = parent ?? page.metadata.roleHeading ?? ""
            // The first of several overloads; its page is listed beside the others on the page of the type.
            if links[page.name(in: parent)]?[text] == nil {
                links[page.name(in: parent), default: [:]][text] = InlineReference(
                    identifier: page.identifier, isActive: true,
                    overridingTitleInlineContent: [parent.map(Inline.code) ?? .text(text)])
            }
        }
    }

    /// Returns the page, below the page of the library.
    func page(below library: String) -> Page {
        let groups = Dictionary(grouping: links.keys, by: \.initial).sorted { $0.key < $1.key }
        return Page(
            identifier: Self.title, kind: .article, metadata: Metadata(title: Self.title), ancestors: [library],
            abstract: [.text("Every name with the types that have it, and every heading of a guide.")],
            sections: groups.map { initial, names in section(initial, table(of: names)) }
                + [section("Guides", tableOfHeadings)],
            references: headings)
    }

    private func section(_ title: String, _ table: Table) -> Section {
        .content([.heading(Block.Heading(level: 2, text: title, anchor: title)), .table(table)])
    }

    private var tableOfHeadings: Table {
        Table(
            header: .column,
            rows: articles.flatMap { _, page in
                page.headings.map { heading in
                    [link(page.identifier(of: heading)), link(page.identifier)]
                }
            })
    }

    private func link(_ identifier: String) -> [Block] {
        [.paragraph([.reference(InlineReference(identifier: identifier, isActive: true))])]
    }

    private func table(of names: [String]) -> Table {
        let names = names.sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) }
        return Table(
            header: .column,
            rows: names.map { name in
                let types = links[name, default: [:]].sorted { $0.key < $1.key }.map { [Inline.reference($0.value)] }
                return [[.paragraph([.code(name)])], [.paragraph(Array(types.joined(separator: [.text(", ")])))]]
            })
    }
}

extension Page {
    fileprivate var headings: [Block.Heading] {
        sections.flatMap { section in
            guard case .content(let blocks) = section else { return [Block.Heading]() }
            return blocks.compactMap { if case .heading(let heading) = $0 { heading } else { nil } }
        }
    }

    fileprivate func identifier(of heading: Block.Heading) -> String { "\(identifier)#\(heading.anchor)" }

    /// Whether a reader may look for the name: a declaration of the module, neither inherited nor an initialiser.
    fileprivate var isListedByName: Bool {
        let role = metadata.roleHeading ?? ""
        return kind == .symbol && !ancestors.isEmpty && role != "Initializer" && !role.hasPrefix("Extended ")
            && abstract.first != .text("Inherited from ")
    }

    /// Returns the name without that of the type: `readOnly` for `Connection.Mode.readOnly`.
    fileprivate func name(in parent: String?) -> String {
        guard let parent, metadata.title.hasPrefix(parent + ".") else { return metadata.title }
        return String(metadata.title.dropFirst(parent.count + 1))
    }
}

extension String {
    /// The letter under which a name is listed.
    fileprivate var initial: String {
        guard let first = first(where: { $0 != "`" && $0 != "_" }), first.isLetter else { return "Operators" }
        return first.uppercased()
    }
}
