extension PageRenderer {
    /// Returns the declaration of the page's symbol, and the articles that mention it.
    func declarations() -> [HTML] {
        page.sections.flatMap { section -> [HTML] in
            guard case .declarations(let declarations) = section else { return [] }
            return declarations.map { declaration in
                Tag.pre(.class("declaration")) {
                    Tag.code { DeclarationLayout.lines(of: declaration.tokens).map(html) }
                }
            }
        } + mentions()
    }

    /// Returns a token of a declaration; a type is a link to its page.
    func html(_ token: Token) -> HTML {
        let style: String? =
            switch token.kind {
            case .keyword, .attribute: "keyword"
            case .number: "number"
            case .string: "string"
            case .identifier: "name"
            case .typeIdentifier: "type"
            case .genericParameter, .text, .label, .internalParam, .externalParam: nil
            }
        guard let style else { return .text(token.text) }
        if let identifier = token.identifier {
            return Tag.a(.class(style), .href(link(to: identifier))) { token.text }
        }
        return Tag.span(.class(style)) { token.text }
    }

    /// Returns a token for a line that is broken where the screen ends.
    func breakable(_ token: Token) -> [HTML] {
        token.kind == .text ? HTML.breakable(token.text) : [html(token)]
    }

    private func link(to identifier: String) -> Link {
        if case .topic(let topic) = reference(identifier) { Link(url: topic.url) } else { .unresolved(identifier) }
    }

    /// Returns links to the articles that mention the symbol. The module has none: its page lists all articles.
    private func mentions() -> [HTML] {
        let identifiers = page.sections.flatMap { section -> [String] in
            if case .mentions(let identifiers) = section { identifiers } else { [] }
        }
        guard !identifiers.isEmpty, !page.ancestors.isEmpty else { return [] }
        let links = identifiers.map { identifier in
            html([.reference(InlineReference(identifier: identifier, isActive: true))])
        }
        return [
            Tag.p(.class("fact")) {
                "Mentioned in "
                links.separated(by: ", ")
                "."
            }
        ]
    }
}
