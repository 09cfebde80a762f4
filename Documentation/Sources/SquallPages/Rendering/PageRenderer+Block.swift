import Foundation

extension PageRenderer {
    func html(_ blocks: [Block]) -> [HTML] {
        blocks.map(html)
    }

    private func html(_ block: Block) -> HTML {
        switch block {
        case .heading(let heading): self.heading(heading.text, level: heading.level, anchor: heading.anchor)
        case .paragraph(let content): Tag.p { html(content) }
        case .code(let listing): listing.html(defaultLanguage: defaultLanguage)
        case .unorderedList(let items): Tag.ul { items.map(item) }
        case .orderedList(let items, let start): orderedList(items, start: start)
        case .terms(let terms): termList(terms)
        case .aside(let aside): self.aside(aside)
        case .table(let table): self.table(table)
        case .thematicBreak: Tag.hr()
        }
    }

    /// Returns a heading that links to itself, so that its address can be copied.
    func heading(_ title: String, level: Int, anchor: String) -> HTML {
        Tag.heading(level)(.id(anchor)) {
            Tag.a(.href(.page(path, anchor: anchor))) { html(ofHeading: title) }
        }
    }

    /// Returns the text of a heading, in which DocC leaves the backticks around code.
    private func html(ofHeading title: String) -> [HTML] {
        title.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            index.isMultiple(of: 2) ? .text(String(part)) : Tag.code { String(part) }
        }
    }

    /// Returns the content of an item or a cell; a single paragraph is written as its text.
    func compact(_ blocks: [Block]) -> [HTML] {
        if case .paragraph(let content) = blocks.first, blocks.count == 1 { html(content) } else { html(blocks) }
    }

    private func item(_ item: Block.Item) -> HTML {
        Tag.li { compact(item.content) }
    }

    private func orderedList(_ items: [Block.Item], start: Int) -> HTML {
        .element(.ol, start == 1 ? [] : [.text(.start, String(start))], items.map(item))
    }

    private func termList(_ terms: [Block.Term]) -> HTML {
        Tag.dl {
            for term in terms {
                Tag.dt { html(term.term.inlineContent) }
                Tag.dd { compact(term.definition.content) }
            }
        }
    }

    private func aside(_ aside: Aside) -> HTML {
        Tag.aside(.class(aside.style.rawValue)) {
            Tag.p(.class("label")) { aside.name ?? aside.style.rawValue.capitalized }
            html(aside.content)
        }
    }
}
