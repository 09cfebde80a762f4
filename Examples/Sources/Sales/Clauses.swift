import Squall

/// Adds the same clauses to queries of several kinds: for records, and for values of columns.
func printClauses(_ connection: Connection) throws {
    print("# The dearest")
    let products: ValueQuery<Columns<Sale>, Expr<String>> = Sale.select { $0.product }
    for name in try connection.all(firstTwo(dearest(products))) { printLine(name) }
    for sale in try connection.all(firstTwo(dearest(Sale.query))) { printLine(sale.product, sale.amount) }
}

/// Works for each query on the table of sales, as `Sale.query`, or one that selects values.
private func dearest<Q: ClauseQuery1>(_ query: Q) -> Q where Q.Names == Columns<Sale> {
    query.where { $0.amount > 0 }.order { $0.amount.descending }
}

/// Works for each query, also of several tables.
private func firstTwo<Q: ClauseQuery>(_ query: Q) -> Q { query.limit(2) }
