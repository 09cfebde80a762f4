import Squall

/// The reason why a session of a store fails.
public enum StoreProblem: SQLiteProblem {
    /// Thrown when a session is used after its closure has ended.
    case sessionHasEnded
    /// Thrown when the result that a write has stored with this key cannot be read as the result of the closure. The code
    /// is `SQLITE_MISMATCH` (20).
    case storedResult(key: String, reason: String)
}

extension StoreProblem {
    public var code: ResultCode {
        switch self {
        case .sessionHasEnded: .misuse
        case .storedResult: .mismatch
        }
    }

    public var message: String {
        switch self {
        case .sessionHasEnded: "the session is used after its closure has ended"
        case .storedResult(let key, let reason):
            "the result that is stored with the key \"\(key)\" is not one of the closure: \(reason)"
        }
    }
}
