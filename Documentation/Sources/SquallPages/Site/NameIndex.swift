/// The page that lists every name with the types that have it, for the search of the browser: the site has no other,
/// which would need JavaScript.
struct NameIndex {
    static let path = PagePath(components: ["documentation", "names"])
    static let title = "All names"

    /// The links of each name, by their text.
    private var links: [String: [String: InlineReference]] = [:]

    init(archive: Archive) {
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
            abstract: [.text("Every name, with the types that have it. Find one with the search of your browser.")],
            sections: groups.map { initial, names in
                .content([.heading(Block.Heading(level: 2, text: initial, anchor: initial)), .table(table(of: names))])
            })
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
