import Squall

/// Prints sums by parts of the date, which SQLite computes from the seconds that the column stores.
func printCalendar(_ connection: Connection) throws {
    print("\n# Sums by weekday and by the time of the day")
    let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    let weekdays = Sale.group { $0.sold.weekday }.select { ($0.sold.weekday, $0.amount.sum()) }
    for (weekday, sum) in try connection.all(weekdays.order { $0.sold.weekday }) {
        printLine(weekday.map { names[$0] }, sum)
    }

    // A part of a date is a number, with which SQL computes: hours become parts of the day.
    let parts = Sale.group { partOfDay($0) }.select { (partOfDay($0), $0.amount.sum(), Expr.rowCount) }
    for (part, sum, count) in try connection.all(parts.order { $0.sold.hour.min() }) { printLine(part, sum, count) }

    // Where a clock is wrong, minutes are not zero.
    let odd = Sale.where { $0.sold.minute != 0 || $0.sold.dayOfYear > 365 }
    print("    \(try connection.count(odd)) sales at an odd time")
    let first = Sale.select { ($0.sold.dayOfYear.min(), $0.sold.dayOfYear.max()) }
    if let (first, last) = try connection.first(first) { printLine("days", first, last) }
}

private func partOfDay(_ sale: Columns<Sale>) -> Expr<String> {
    Expr.when(sale.sold.hour < 12, then: "morning").when(sale.sold.hour < 14, then: "noon").else("afternoon")
}
