/// The reason why the triggers of a program cannot be left out of a statement.
public enum TriggerProblem: SQLiteProblem {
    /// Thrown when the triggers of the program are off, and a trigger that keeps a search table or an R*Tree in step cannot run
    /// alone: it writes to other tables or views too, or a TEMP table or view has a name that it uses.
    case inseparable(String)
}

extension TriggerProblem {
    public var code: ResultCode { .error }

    public var message: String {
        switch self {
        case .inseparable(let name):
            """
            the trigger \(name) cannot run alone to keep an index in step: it writes to other tables or views too, or a TEMP table or view has \
            a name that it uses; split the trigger, or rename that table
            """
        }
    }
}
