import Squall

/// The pairs that the library refuses, with the reasons.
enum Refusals {
    /// Whether an error names its reason by a type.
    static func isTyped(_ error: SQLiteError) -> Bool {
        if case .problem = error.kind { true } else { false }
    }

    /// The reason of an error, for the matrix.
    static func reason(_ error: SQLiteError) -> String {
        if case .problem(let problem) = error.kind { "\(problem)" } else { "untyped: \(error)" }
    }
}
