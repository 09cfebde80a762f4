import Squall

/// The reason why a search function fails.
public enum SearchFunctionProblem: SQLiteProblem {
    /// Thrown when a search function uses a column, a phrase or an instance that the match does not have.
    case noSuchPart(String, index: Int)
    /// Thrown when a search function is called with another number of arguments than its closure takes.
    case argumentCount(function: String, expected: Int, given: Int)
    /// Thrown when a search function uses the state of its query inside a closure that changes it.
    case stateInUse
}

extension SearchFunctionProblem {
    public var code: ResultCode {
        switch self {
        case .noSuchPart: .range
        case .argumentCount: .error
        case .stateInUse: .misuse
        }
    }

    public var message: String {
        switch self {
        case .noSuchPart(let part, let index): "the match has no \(part) \(index)"
        case .argumentCount(let function, let expected, let given):
            "\(function)() takes \(expected) arguments after the table, not \(given)"
        case .stateInUse: "the state of the query is used inside a closure that changes it"
        }
    }
}
