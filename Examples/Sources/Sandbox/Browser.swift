import Squall

/// Shows the rows of a statement page by page. The program holds the statement; SQLite computes a row when it is asked for.
struct Browser {
    let statement: Statement

    init(_ text: String, on connection: Connection, _ values: [String: any Bindable]) throws {
        statement = try connection.prepare(SQL(raw: text))
        // The statement is from a stranger, and so are the names of its parameters.
        for case let name? in statement.parameterNames where values[name] == nil {
            print("  a value is needed for \(name)")
        }
        try statement.bind(values)
    }

    /// Prints the next rows.
    ///
    /// - Returns: Whether there may be more.
    func showPage(of count: Int) throws -> Bool {
        for _ in 0..<count {
            guard try statement.step(), let row = statement.row else { return false }
            let values = row.columns.map { "\($0.value ?? "NULL")" }
            print("  \(values.joined(separator: " | "))")
        }
        return statement.isBusy
    }
}

func browse() throws {
    let connection = try Connection("shop.db")
    print("Pages:")
    let browser = try Browser(
        "SELECT id, name FROM customers WHERE id < :end ORDER BY id", on: connection, [":end": 100])
    let statement = browser.statement
    print("  \(statement.columnCount) columns: \(statement.columnNames.joined(separator: ", "))")
    let hasMore = try browser.showPage(of: 2)
    print("  \(hasMore ? "more …" : "that was all")")

    // A statement in the middle of its rows keeps a read transaction open. A reset ends it.
    try statement.reset()
    print("  \(statement.isBusy ? "still reading" : "not reading any more")")

    for text in ["SELECT 1", "DELETE FROM customers"] {
        let isHarmless = try connection.prepare(SQL(raw: text)).isReadOnly
        print("  \(text) \(isHarmless ? "can be run again" : "is run once")")
    }
}
