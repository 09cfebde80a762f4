import Squall

/// A change of one column, as a form on the screen or a request has it: a value, SQL that computes one, or `nil` for NULL.
struct Change {
    let column: String
    let value: (any Settable)?

    func apply(to table: String, _ id: Int64, on connection: Connection) throws {
        try connection.update(table, rowIDs: [id], set: [column: value])
    }
}
