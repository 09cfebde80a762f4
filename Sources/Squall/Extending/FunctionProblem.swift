/// The reason why a function, a collation or a module is not added.
public enum FunctionProblem: SQLiteProblem {
    /// Thrown when a function is added whose name has more than 255 bytes.
    case nameTooLong(byteCount: Int)
    /// Thrown when a function is added with more than 127 arguments.
    case tooManyArguments(count: Int)
    /// Thrown when a function or a collation is added or removed while one of the connection is running. The
    /// code is `SQLITE_BUSY` (5).
    case changedDuringCall(name: String)
}

extension FunctionProblem {
    public var code: ResultCode {
        switch self {
        case .nameTooLong, .tooManyArguments: .misuse
        case .changedDuringCall: .busy
        }
    }

    public var message: String {
        switch self {
        case .nameTooLong(let count): "the name of a function has at most 255 bytes, not \(count)"
        case .tooManyArguments(let count): "a function has at most 127 arguments, not \(count)"
        case .changedDuringCall(let name):
            "functions, collations and modules cannot be changed while one is running: \(name)"
        }
    }
}
