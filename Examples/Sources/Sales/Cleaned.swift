import Squall

/// Prints sums by columns that are cleaned first.
func printCleaned(_ connection: Connection) throws {
    print("\n# Sums by product and by shop")
    let products = Sale.group { product($0) }.select { (product($0), $0.amount.sum()) }
    for (product, sum) in try connection.all(products) { printLine(product, sum) }

    // An empty name of a shop is none, and the shop without a name is one group, the first one.
    let shops = Sale.group { shop($0) }.select { (shop($0), $0.amount.sum()) }
    for (shop, sum) in try connection.all(shops.order { shop($0).ascending.nullsFirst }) { printLine(shop, sum) }

    print("\n# Conditions")
    let conditions: [(String, (Columns<Sale>) -> Condition)] = [
        ("has a shop", { $0.shop.isNotNull }),
        ("has no shop", { $0.shop.isNull }),
        ("is not paid", { $0.isPaid.isFalse }),
        ("is not known to be paid", { !$0.isPaid.isSame(as: true) }),
        ("is an old product", { $0.product.glob("*-old") }),
        ("is a round sum", { $0.amount.remainder(dividingBy: 1_000) == 0 }),
    ]
    for (name, condition) in conditions {
        printLine(name + ":", try connection.all(Sale.where(condition).order { $0.id }.select { $0.id }))
    }

    print("\n# Amounts for people")
    let amounts = Sale.order { $0.id }.select { sale in
        (number(sale), untaxed(sale), rebate(sale), atLeast(2_500, sale.amount))
    }
    for (number, euros, rebate, billed) in try connection.all(amounts) { printLine(number, euros, billed, rebate) }
}

/// `trim(lower(replace(product, '-old', '')))`
private func product(_ sale: Columns<Sale>) -> Expr<String> {
    sale.product.replacing("-old", with: "").lowercased().trimmed()
}

private func shop(_ sale: Columns<Sale>) -> Expr<String?> { sale.shop.nullIf("") }

private func number(_ sale: Columns<Sale>) -> Expr<String?> { sale.id.cast(to: String.self).appending(".") }

/// The amount in euros, without the tax of 19 %.
private func untaxed(_ sale: Columns<Sale>) -> Expr<Double?> { (sale.amount / 119.0).rounded(toDigits: 2) }

/// A name for the rebate of a sale; NULL for the sales that have none.
private func rebate(_ sale: Columns<Sale>) -> Expr<String?> {
    let big: Case<String> = Expr.when(sale.amount >= 10_000, then: "a tenth")
    return big.when(sale.amount >= 5_000, then: "a twentieth").orNull
}

/// The larger one of a value and a column, for columns of all types that SQL compares.
private func atLeast<Value: ColumnStorable>(_ floor: Value, _ column: Expr<Value>) -> Expr<Value>
where Value.ColumnBase == Value {
    Expr.when(column < floor, then: floor).else(column)
}
