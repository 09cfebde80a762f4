import Squall

/// The reason why an R*Tree cannot be used as declared. The R*Tree is the error's ``SQLiteError/subject``.
public enum SpatialProblem: SQLiteProblem {
    /// Thrown when the declaration has no dimensions, or more than five.
    case dimensions(count: Int)
    /// Thrown when a box has another number of dimensions than the R*Tree, or the source of its triggers has.
    case boxDimensions(expected: Int, found: Int)
    /// Thrown when a coordinate is too large for the form in which the R*Tree stores coordinates.
    case coordinate(Double)
    /// Thrown when the coordinates of a row of the table that an R*Tree follows are not those of a box that fits.
    case source(table: String, id: Int64)
    /// Thrown when the smallest coordinate of a stored box is greater than the largest.
    case entry(id: Int64)
    /// Thrown when the closure of a spatial function returns a negative score, or NaN.
    case invalidScore(function: String)
}

extension SpatialProblem {
    public var code: ResultCode {
        switch self {
        case .dimensions, .boxDimensions, .coordinate, .invalidScore: .misuse
        case .source: .constraint
        case .entry: .corrupt
        }
    }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        let name = subject.tableName
        return switch self {
        case .dimensions(let count): "the R*Tree \"\(name)\" has 1 to 5 dimensions, not \(count)"
        case .boxDimensions(let expected, let found):
            "a box in the R*Tree \"\(name)\" has \(expected) dimensions, not \(found)"
        case .coordinate(let value): "the R*Tree \"\(name)\" cannot store the coordinate \(value)"
        case .source(let table, let id):
            "the coordinates of the row \(id) of \"\(table)\" do not fit the R*Tree \"\(name)\""
        case .entry(let id): "the entry \(id) of the R*Tree \"\(name)\" is damaged"
        case .invalidScore(let function): "\(function)(): a score is a number that is not negative"
        }
    }
}
