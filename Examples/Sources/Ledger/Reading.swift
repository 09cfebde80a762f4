import Squall

/// The order that a user has chosen; entries that are equal in it are in the order of their ids.
private func sorted(by term: (Columns<Entry>) -> some OrderingConvertible) -> Query<Columns<Entry>> {
    Entry.order { (term($0), $0.id) }
}

/// The term for a parameter of a request, such as `-amount`.
private func term(_ parameter: String, _ entry: Columns<Entry>) -> Ordering {
    switch parameter {
    case "-amount": entry.amount.descending
    case "note": entry.note.ascending.nullsLast
    case "-note": entry.note.descending.nullsFirst
    default: entry.amount.ascending
    }
}

/// The values of a column for the first rows of an order.
private func first<Column: Selectable>(
    _ count: Int, _ query: Query<Columns<Entry>>, _ column: (Columns<Entry>) -> Column, _ connection: Connection
) throws -> [Column.Output] {
    try connection.all(query.limit(count).select(column))
}

func readInParts(_ connection: Connection) throws {
    print("\n# The first entries of an order")
    for parameter in ["-amount", "note", "-note"] {
        let query = sorted { term(parameter, $0) }
        print("\(parameter): \(try first(2, query, { $0.reference }, connection))")
    }
    print("by account: \(try first(3, sorted { $0.account }, { $0.amount < 0 }, connection))")

    // A page is a query too, which can be kept and run elsewhere.
    var page: PageQuery<Entry> = sorted { $0.account }.page(size: 3)
    print("pages by \(page.sql.text.split(separator: " ORDER BY ").last ?? "no order")")
    var pages: [[String]] = []
    while true {
        let read = try connection.page(page)
        pages.append(read.items.map(\.reference))
        guard let next = read.next else { break }
        page = sorted { $0.account }.page(after: next, size: 3)
    }
    print("pages: \(pages)")

    var rows = try connection.rows(sorted { $0.amount })
    print("until the sum is under -50.00: \(try references(&rows, untilUnder: -5_000))")
}

/// Reads rows until their sum is low enough. The rest is not read.
private func references(_ rows: inout RowCursor<Entry>, untilUnder limit: Int) throws -> [String] {
    var sum = 0
    var references: [String] = []
    while sum >= limit, let entry = try rows.next() {
        sum += entry.amount
        references.append(entry.reference)
    }
    return references
}
