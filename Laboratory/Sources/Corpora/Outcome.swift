/// A value of a row. A text that is not valid UTF-8 is a BLOB, as Squall reads it.
enum Value: Hashable {
    case null
    case integer(Int64)
    /// The bits, so that a NaN equals itself.
    case real(UInt64)
    case text([UInt8])
    case blob([UInt8])
}

/// The result of one statement.
struct Outcome: Equatable {
    /// The first rows.
    var rows: [[Value]] = []
    /// The number of all rows.
    var rowCount = 0
    var failure: Failure?

    struct Failure: Equatable {
        var code: Int32
        var message: String
    }

    /// The rows that are kept for the comparison.
    static let maximumRowCount = 2_000
}

/// A statement and its result.
struct Step {
    var sql: String
    var outcome: Outcome
}
