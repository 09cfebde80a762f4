/// A value of a row. Texts are bytes, because some are not valid UTF-8.
enum Value: Hashable {
    case null
    case integer(Int64)
    /// The bits, so that a NaN equals itself.
    case real(UInt64)
    case bytes([UInt8])
}

/// The result of one statement.
struct Outcome: Equatable {
    var rows: [[Value]] = []
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
