import Squall

/// Prints the plan by which SQLite would run a query, as a tree.
func printPlan(of sql: SQL, on connection: Connection) throws {
    let plan: QueryPlan = try connection.explainQueryPlan(sql)
    print("Plan:")
    for node in plan.nodes { printNode(node, depth: 1) }
    let scans = plan.all.filter { $0.detail.hasPrefix("SCAN") }
    print("  \(scans.count) tables are read from start to end")
}

private func printNode(_ node: QueryPlan.Node, depth: Int) {
    // The rest of the text differs between versions of SQLite.
    let start = node.detail.split(separator: " ").prefix(2).joined(separator: " ")
    print(String(repeating: "  ", count: depth) + start)
    for child in node.children { printNode(child, depth: depth + 1) }
}
