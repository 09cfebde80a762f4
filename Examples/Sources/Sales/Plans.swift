import Squall

/// Prints how SQLite reads the table: a test of a program can check that a query which is run often reads no whole table.
func printPlan(_ connection: Connection) throws {
    print("\n# Plans")
    let inShop = Sale.where { $0.shop == "Oslo" }.order { $0.sold }
    let ofProduct = Sale.where { $0.product == "coat" }
    let withSum = Sale.where { sale in sale.amount > Sale.select { $0.amount.average() }.value }
    for query in [inShop, ofProduct, withSum] {
        let plan: QueryPlan = try connection.explainQueryPlan(query.sql)
        let scans = plan.nodes.flatMap(scans)
        print("    " + (scans.isEmpty ? "reads by an index" : "reads all rows: " + scans.joined(separator: ", ")))
    }
}

/// Returns the tables that a part of a plan reads as a whole, and those in the queries inside it.
private func scans(_ node: QueryPlan.Node) -> [String] {
    let words = node.detail.split(separator: " ")
    let own =
        words.first == "SCAN" && !node.detail.contains("INDEX") ? words.dropFirst().prefix(1).map(String.init) : []
    return own + node.children.flatMap(scans)
}
