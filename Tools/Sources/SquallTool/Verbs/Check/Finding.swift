/// A problem that `check` has found.
struct CheckFinding {
    /// The part of the check: `integrity`, `foreign key`, `full text`, `type`, `file`.
    let check: String
    let table: String?
    let message: String
    /// How to mend it, where there is a known way.
    var cure: String?

    static let columns = ["check", "table", "message", "cure"]

    var cells: [Cell] {
        [
            .text(check), table.map { .text($0) } ?? .null, .text(message), cure.map { .text($0) } ?? .null,
        ]
    }
}
