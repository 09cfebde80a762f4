import Squall

/// A problem of a ``Storage``.
public enum StorageProblem: SQLiteProblem {
    /// Thrown when a storage is given two tables of one record type.
    case declaredTwice
    /// Thrown when a storage is given a record of a type that has no declared table.
    case unknownRecord(type: String)
}

extension StorageProblem {
    public var code: ResultCode { .misuse }

    public var message: String { message(of: .table("?")) }

    public func message(of subject: SQLiteError.Subject) -> String {
        switch self {
        case .declaredTwice: "the table \"\(subject.table ?? "?")\" is the second one of its record type"
        case .unknownRecord(let type): "the storage has no table of \(type)"
        }
    }
}
