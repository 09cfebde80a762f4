import Squall

// The numbers of a shop: places and moving sums by window functions, sums by parts of dates, values out of JSON, and columns that
// are cleaned before they are counted. Each number is computed by SQLite, in one pass over the table.

func sales() throws {
    let connection = try Connection()
    try connection.create(Sale.table)
    try connection.insert(contentsOf: Sale.examples)

    try printPlaces(connection)
    try printNeighbours(connection)
    try printFrames(connection)
    try printCalendar(connection)
    try printDetails(connection)
    try printCleaned(connection)
    try printTexts(connection)
    try printPlan(connection)
    try printClauses(connection)
}

/// Prints the values of a row in columns of one width.
func printLine(_ values: Any?...) {
    let fields = values.map { value in
        let text = value.map { "\($0)" } ?? "–"
        return text + String(repeating: " ", count: max(1, 10 - text.count))
    }
    print("    " + fields.joined().trimmingSuffix(" "))
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> Substring {
        self[...(lastIndex { $0 != character } ?? startIndex)]
    }
}
