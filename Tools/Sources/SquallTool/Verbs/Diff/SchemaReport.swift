import Rainbow
import Squall

/// Prints the differences of two schemas.
struct SchemaReport {
    let differences: [SchemaDifference]
    let output: Output

    /// Prints a list. The differences of a table are indented below it.
    func printList() throws {
        for difference in differences {
            let indentation = difference.table == nil ? "" : "    "
            try output.write(indentation + heading(of: difference) + "\n")
            for (change, sql) in body(of: difference) {
                try output.write(
                    "\(indentation)    \(change.sign) \(sql.onOneLine.printable)".styled(as: change) + "\n")
            }
        }
    }

    /// Prints one row for each difference.
    func printRows(as format: OutputFormat) throws {
        let rows = differences.map { difference -> [Cell] in
            let texts = [difference.table, difference.name, difference.from, difference.to]
            return [.text(difference.change.rawValue), .text(difference.kind)]
                + texts.map { $0.map { .text($0) } ?? .null }
        }
        try output.write(rows, columns: ["change", "kind", "table", "name", "from", "to"], as: format)
    }

    /// Prints the number of differences of each kind.
    func printSummary(as format: OutputFormat) throws {
        var kinds: [String] = []
        for difference in differences where !kinds.contains(difference.kind) { kinds.append(difference.kind) }
        let rows = kinds.map { kind -> [Cell] in
            let own = differences.filter { $0.kind == kind }
            return [.text(kind)]
                + [ChangeKind.added, .removed, .changed].map { change in
                    .integer(Int64(own.count { $0.change == change }))
                }
        }
        try output.write(rows, columns: ["kind", "added", "removed", "changed"], as: format)
    }

    private func heading(of difference: SchemaDifference) -> String {
        var text = "\(difference.change.sign) \(difference.kind)"
        switch difference.kind {
        case "column", "constraint", "options":
            let definitions = [difference.from, difference.to].compactMap { $0?.onOneLine }
            text += " " + definitions.joined(separator: " → ")
        default: text += " \(difference.name)"
        }
        return text.printable.styled(as: difference.change)
    }

    /// The definitions of objects that have changed, in both files.
    private func body(of difference: SchemaDifference) -> [(ChangeKind, String)] {
        guard difference.change == .changed, !["column", "options"].contains(difference.kind) else { return [] }
        return [(ChangeKind.removed, difference.from), (.added, difference.to)].compactMap { change, sql in
            sql.map { (change, $0) }
        }
    }
}

extension String {
    /// The text in the colour of a change.
    func styled(as change: ChangeKind) -> String {
        switch change {
        case .added: green
        case .removed: red
        case .changed: yellow
        }
    }
}
