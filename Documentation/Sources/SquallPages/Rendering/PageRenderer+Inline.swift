extension PageRenderer {
    func html(_ inlines: [Inline]) -> [HTML] {
        inlines.map(html)
    }

    private func html(_ inline: Inline) -> HTML {
        switch inline {
        case .text(let text) where text.isUnresolvedLink: Tag.a(.href(.unresolved(text))) { text }
        case .text(let text): .text(text)
        case .code(let code) where code.isUnresolvedSymbol: Tag.a(.href(.unresolved(code))) { Tag.code { code } }
        case .code(let code): self.code(code)
        case .styled(let style, let content): style.tag.callAsFunction { html(content) }
        case .reference(let reference): link(reference)
        case .image(let identifier): image(identifier)
        }
    }

    /// Returns code. The name of another module is a link to its page: DocC links only within a module.
    private func code(_ code: String) -> HTML {
        let content = Tag.code { HTML.breakable(code) }
        guard let module = topics["doc://\(code)/documentation/\(code)"].map({ PagePath(url: $0.url) }),
            !path.components.starts(with: module.components)
        else { return content }
        return Tag.a(.href(.page(module, anchor: nil))) { content }
    }

    private func link(_ link: InlineReference) -> HTML {
        let title = link.overridingTitleInlineContent.map(html)
        switch reference(link.identifier) {
        case .topic(let topic):
            let content = title ?? [topic.isSymbol ? Tag.code { HTML.breakable(topic.title) } : .text(topic.title)]
            return link.isActive ? Tag.a(.href(Link(url: topic.url))) { content } : Tag.span { content }
        case .web(let address, let text): return Tag.a(.href(Link(web: address))) { title ?? html(text) }
        case .image: return html(.image(link.identifier))
        case .external(let text): return Tag.code { title ?? [.text(text)] }
        case nil: return Tag.a(.href(.unresolved(link.identifier))) { title ?? [.text(link.identifier)] }
        }
    }

    /// Returns an image, which the browser replaces on a dark page.
    private func image(_ identifier: String) -> HTML {
        guard case .image(let image) = reference(identifier) else {
            return Tag.a(.href(.unresolved(identifier))) { identifier }
        }
        return Tag.picture {
            if let dark = image.darkURL {
                Tag.source(.text(.media, "(prefers-color-scheme: dark)"), .link(.srcset, .file(ofArchive: dark)))
            }
            Tag.img(.link(.src, .file(ofArchive: image.url)), .text(.alt, image.alternative))
        }
    }
}

extension String {
    /// Whether a text is a link to an article that DocC did not find: it writes the address as text.
    fileprivate var isUnresolvedLink: Bool {
        hasPrefix("doc:") && count > "doc:".count && !contains(where: \.isWhitespace)
    }

    /// Whether code is a link to a symbol that DocC did not find, and that names the overload or the kind:
    /// `insert(into:from:)-4k4sx`, `first(_:)->Value?`, `Reason-swift.enum`.
    fileprivate var isUnresolvedSymbol: Bool {
        wholeMatch(of: /[\w.\/]+(?:\((?:\w+:)*\)-(?:[0-9a-z]{4,5}|[(>].*)|-swift\.\w+)/) != nil
    }
}

extension Inline.Style {
    fileprivate var tag: Tag {
        switch self {
        case .emphasis: .em
        case .strong: .strong
        case .strikethrough: .del
        case .subscript: .sub
        case .superscript: .sup
        }
    }
}
