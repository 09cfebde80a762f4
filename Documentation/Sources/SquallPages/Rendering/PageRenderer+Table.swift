extension PageRenderer {
    /// Returns a table in a box that scrolls when the table is wider than the screen.
    func table(_ table: Table) -> HTML {
        let hasHeaderRow = table.header == .row || table.header == .both
        let head = table.rows.prefix(hasHeaderRow ? 1 : 0)
        let body = table.rows.dropFirst(head.count)
        return Tag.div(.class("table")) {
            Tag.table {
                if let titles = head.first {
                    Tag.thead { row(titles, in: table, isHeader: true) }
                }
                Tag.tbody {
                    for cells in body {
                        row(cells, in: table, isHeader: false)
                    }
                }
            }
        }
    }

    private func row(_ cells: [[Block]], in table: Table, isHeader: Bool) -> HTML {
        Tag.tr {
            for (column, blocks) in cells.enumerated() {
                cell(blocks, column: column, in: table, isInHeaderRow: isHeader)
            }
        }
    }

    private func cell(_ blocks: [Block], column: Int, in table: Table, isInHeaderRow: Bool) -> HTML {
        let isTitle = column == 0 && (table.header == .column || table.header == .both)
        var attributes: [Attribute] = []
        if isInHeaderRow || isTitle {
            attributes.append(.text(.scope, isInHeaderRow ? "col" : "row"))
        }
        if column < table.alignments.count, table.alignments[column] != .unset {
            attributes.append(.class(table.alignments[column].rawValue))
        }
        return .element(isInHeaderRow || isTitle ? .th : .td, attributes, compact(blocks))
    }
}
