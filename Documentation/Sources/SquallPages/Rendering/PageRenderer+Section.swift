extension PageRenderer {
    /// Returns the parameters, the result, the errors and the discussion, each under its heading.
    func sections() -> [HTML] {
        var before: [HTML] = []
        var errors: [Aside] = []
        var discussion: [HTML] = []
        for section in page.sections {
            switch section {
            case .declarations, .mentions: break
            case .parameters(let parameters): before += html(parameters)
            case .content(let blocks):
                let content = Discussion(blocks, isSymbol: page.kind == .symbol)
                errors += content.errors
                if content.isResult {
                    before += html(content.blocks)
                } else {
                    discussion += html(content.blocks)
                }
            }
        }
        return before + html(errors) + discussion
    }

    private func html(_ parameters: [Section.Parameter]) -> [HTML] {
        [
            heading("Parameters", level: 2, anchor: "parameters"),
            Tag.dl(.class("parameters")) {
                for parameter in parameters {
                    Tag.dt { Tag.code { parameter.name } }
                    Tag.dd { compact(parameter.content) }
                }
            },
        ]
    }

    private func html(_ errors: [Aside]) -> [HTML] {
        guard !errors.isEmpty else { return [] }
        return [heading("Throws", level: 2, anchor: "throws")] + errors.flatMap { html($0.content) }
    }
}

/// A section of a symbol's text, apart from the errors that the symbol throws.
private struct Discussion {
    var blocks: [Block]
    var errors: [Aside] = []

    /// Whether the section describes the result.
    var isResult: Bool {
        if case .heading(let heading) = blocks.first { heading.anchor == "return-value" } else { false }
    }

    init(_ blocks: [Block], isSymbol: Bool) {
        self.blocks = blocks
        guard isSymbol else { return }
        self.blocks = []
        for block in blocks {
            if case .aside(let aside) = block, aside.name == "Throws" {
                errors.append(aside)
            } else {
                self.blocks.append(block)
            }
        }
        // A heading without text: the errors were the whole discussion.
        if !errors.isEmpty, self.blocks.count == 1, case .heading = self.blocks[0] {
            self.blocks = []
        }
    }
}
