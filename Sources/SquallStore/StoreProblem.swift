import Squall

/// The reason why a connection of a store fails.
public enum StoreProblem: SQLiteProblem {
    /// Thrown when a connection is used after its closure has ended.
    case connectionReturned
    /// Thrown when the result that a write has stored with this key cannot be read as the result of the closure. The code
    /// is `SQLITE_MISMATCH` (20).
    case storedResult(key: String, reason: String)
}

extension StoreProblem {
    public var code: ResultCode {
        switch self {
        case .connectionReturned: .misuse
        case .storedResult: .mismatch
        }
    }

    public var message: String {
        switch self {
        case .connectionReturned: "the connection of a store is used after its closure has ended"
        case .storedResult(let key, let reason):
            "the result that is stored with the key \"\(key)\" is not one of the closure: \(reason)"
        }
    }
}
