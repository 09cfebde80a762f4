/// The place of a value that is read or written as a ``Blob``.
struct BlobPlace: Hashable, Sendable {
    /// The name of the database: `main`, `temp` or that of an attached one.
    let database: String
    let table: String
    let column: String
    /// The rowid of the row.
    var row: Int64
}

extension SQLiteError {
    init(_ problem: BlobProblem, at place: BlobPlace) {
        self.init(
            problem, of: .value(in: place.table, column: place.column, row: place.row, database: place.database))
    }
}
