import Squall

/// Prints lists and sums of texts, which SQLite takes apart and joins.
func printTexts(_ connection: Connection) throws {
    print("\n# Products as texts")
    let initials = Sale.group { initial($0) }.select { (initial($0), $0.product.trimmed().groupConcat(separator: "|")) }
    for (initial, products) in try connection.all(initials) { printLine(initial, products) }

    // The part before a hyphen, and the whole text where there is none.
    let names = Sale.where { $0.product.hasSuffix("-old") || $0.product.hasSuffix("t") }.order { $0.id }.select {
        stem($0.product)
    }
    printLine("stems", try connection.all(names))

    // Words for a search, of columns of which one is optional.
    let words = Sale.select { $0.product.lowercased().trimmed().optional }
        .union(Sale.where { !$0.shop.isEmpty }.select { $0.shop.lowercased() })
    printLine("words", try connection.all(words.order { $0.ascending }).compactMap { $0 })

    print("\n# Days as texts")
    let days = Sale.group { $0.sold.formatted("%d.%m.") }
        .select { ($0.sold.formatted("%d.%m."), $0.amount.total(), $0.sold.second.max()) }
    for (day, total, second) in try connection.all(days.order { $0.sold.day }) { printLine(day, total, second) }
    // Text in a column of numbers would sort after all of them.
    let wrong = Sale.where { $0.amount.storageClass != "integer" }
    printLine(try connection.count(wrong), "amounts are not numbers")
}

private func initial(_ sale: Columns<Sale>) -> Expr<String> {
    sale.product.trimmed().substring(from: 1, length: 1).uppercased()
}

private func stem(_ text: Expr<String>) -> Expr<String> {
    let length = text.index(of: "-") - 1
    return .when(length < 0, then: text).else(Expr("substr(\(text), 1, \(length))"))
}
