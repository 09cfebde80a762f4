import Squall

/// The rows of a query that a type can be made from. The others do not end the query.
struct Salvage<Record: Fetchable> {
    private(set) var records: [Record] = []
    private(set) var emptyRows = 0
    private(set) var errors: [ConversionError] = []

    init(_ sql: SQL, on connection: Connection) throws {
        try connection.forEach(sql) { row in
            do {
                if let record = try Record.fetch(from: row) { records.append(record) } else { emptyRows += 1 }
            } catch let error as ConversionError {
                errors.append(error)
            }
        }
    }
}
