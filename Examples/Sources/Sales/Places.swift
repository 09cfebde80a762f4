import Squall

/// Prints the places of the sales by their amount, in the ways in which equal amounts can be counted.
func printPlaces(_ connection: Connection) throws {
    print("# Places by the amount")
    printLine("sale", "amount", "row", "rank", "dense", "third", "percent", "share")
    let places = Sale.select { sale in
        (
            sale.id, sale.amount, place(Expr.rowNumber(), sale), place(Expr.rank(), sale),
            place(Expr.denseRank(), sale),
            place(Expr.ntile(3), sale), place(Expr.percentRank(), sale), place(Expr.cumeDist(), sale)
        )
    }
    for (id, amount, row, rank, dense, third, percent, share) in try connection.all(
        places.order { ($0.amount.descending, $0.id) })
    {
        printLine(id, amount, row, rank, dense, third, percentage(percent), percentage(share))
    }
}

/// Computes a function over all sales, from the largest amount to the smallest.
private func place<Number>(_ function: WindowFunction<Number>, _ sale: Columns<Sale>) -> Expr<Number> {
    function.over(order: sale.amount.descending)
}

private func percentage(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

/// Prints each sale of a shop beside those before and after it.
func printNeighbours(_ connection: Connection) throws {
    print("\n# Sales of a shop, one after another")
    printLine("sale", "before", "after", "first", "second", "last")
    let neighbours = Sale.where { $0.shop == "Oslo" }.order { $0.sold }.select { sale in
        (
            sale.id, inTime(sale.amount.lag(default: 0), sale), inTime(sale.amount.lead(), sale),
            inTime(sale.amount.firstValue(), sale), inTime(sale.amount.nthValue(2), sale),
            inTime(sale.amount.lastValue(), sale, .rows(from: .unboundedPreceding, to: .unboundedFollowing))
        )
    }
    for (id, before, after, first, second, last) in try connection.all(neighbours) {
        printLine(id, before, after, first, second, last)
    }
}

private func inTime<Value>(
    _ function: WindowFunction<Value>, _ sale: Columns<Sale>, _ frame: WindowFrame? = nil
) -> Expr<Value> {
    function.over(partition: sale.shop, order: sale.sold.ascending, frame: frame)
}
