import Rainbow
import Squall

extension QueryPlan.Node {
    /// A step that an index could avoid.
    enum Mark: String {
        case fullScan = "full scan"
        case indexScan = "full scan of an index"
        case automaticIndex = "index made for this run"
        case sort = "sort"
        case temporaryTree = "temporary B-tree"
    }

    /// Returns what is costly about the step.
    ///
    /// - Parameter names: The tables of the SQL and their aliases. A scan of anything else, such as a subquery, is not one of
    ///   a table.
    func mark(_ names: Set<Identifier>) -> Mark? {
        mark(isScan: scannedName.map { names.contains(Identifier($0)) } ?? false)
    }

    /// Returns what is costly about the step.
    ///
    /// - Parameter isScan: Whether the step reads a whole table.
    func mark(isScan: Bool) -> Mark? {
        if detail.contains("AUTOMATIC") { return .automaticIndex }
        if detail.hasPrefix("USE TEMP B-TREE") { return detail.contains("ORDER BY") ? .sort : .temporaryTree }
        guard isScan else { return nil }
        return detail.contains(" INDEX ") && !detail.contains(" VIRTUAL TABLE ") ? .indexScan : .fullScan
    }

    /// The table or alias of a step `SCAN cars` or `SCAN TABLE cars`; `nil` for other steps and for virtual tables.
    var scannedName: String? {
        guard detail.hasPrefix("SCAN "), !detail.contains(" VIRTUAL TABLE ") else { return nil }
        // A name may have spaces, and is followed by `USING …`, `AS …` or nothing.
        let rest = detail.dropFirst("SCAN ".count)
        let text = rest.hasPrefix("TABLE ") ? rest.dropFirst("TABLE ".count) : rest
        let ends = [" USING ", " AS ", " LEFT-JOIN", " RIGHT-JOIN"].compactMap { text.firstRange(of: $0)?.lowerBound }
        return String(text[..<(ends.min() ?? text.endIndex)])
    }
}

extension QueryPlan {
    /// The plan as a tree, with a mark at each costly step.
    func tree(_ names: Set<Identifier>) -> String {
        tree { $0.mark(names) }
    }

    /// The plan as a tree, with marks.
    func tree(mark: (Node) -> Node.Mark?) -> String {
        Self.lines(of: nodes, prefix: "", mark).joined()
    }

    private static func lines(of nodes: [Node], prefix: String, _ mark: (Node) -> Node.Mark?) -> [String] {
        nodes.enumerated().flatMap { index, node in
            let isLast = index == nodes.count - 1
            let text = mark(node).map { "  " + "← \($0.rawValue)".yellow } ?? ""
            let line = (prefix + (isLast ? "└─ " : "├─ ")).dim + node.detail.printable + text + "\n"
            return [line] + lines(of: node.children, prefix: prefix + (isLast ? "   " : "│  "), mark)
        }
    }
}
