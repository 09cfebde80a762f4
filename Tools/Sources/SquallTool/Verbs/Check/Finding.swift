import Squall

/// A problem that `check` has found.
struct CheckFinding {
    /// The part of the check: `integrity`, `foreign key`, `full text`, `type`, `file`.
    let check: String
    let table: String?
    let message: String
    /// How to mend it, where there is a known way.
    var cure: String?
    /// Whether it is only told that something was not checked.
    var isNote = false

    static let columns = ["check", "table", "message", "cure"]

    var cells: [Cell] {
        [
            .text(check), table.map { .text($0) } ?? .null, .text(message), cure.map { .text($0) } ?? .null,
        ]
    }
}

extension CheckFinding {
    /// Runs a check. An error of the file that ends it is a finding, so that the other checks still run.
    static func running(
        _ check: String, on table: String? = nil, _ body: () throws -> [CheckFinding]
    ) throws -> [CheckFinding] {
        do {
            return try body()
        } catch let error as SQLiteError {
            if let missing = error.missingExtension { return [notChecked(check, table, missing)] }
            guard [.corrupt, .error, .ioError, .notADatabase].contains(error.resultCode) else { throw error }
            return [CheckFinding(check: check, table: table, message: error.message)]
        }
    }

    /// A check that needs something that only the program of the file adds to SQLite.
    static func notChecked(_ check: String, _ table: String?, _ missing: MissingExtension) -> CheckFinding {
        CheckFinding(
            check: check, table: table, message: "not checked, because only its program knows the \(missing)",
            isNote: true)
    }
}
