/// A rule for cells that are left out, because their situation cannot occur in them.
struct ImpossibleCells: Sendable {
    let situations: [String]
    /// The grounds; `nil` for all.
    var grounds: [Ground]?
    /// What the objects of the calls hold; `nil` for all calls.
    var holdings: [Call.Holding]?
    let reason: String

    static func rule(for cell: Cell) -> ImpossibleCells? {
        rules.first { $0.includes(cell) }
    }

    func includes(_ cell: Cell) -> Bool {
        situations.contains(cell.situation.name) && grounds?.contains(cell.ground) != false
            && holdings?.contains(cell.call.holding) != false
    }

    private static let reading: [Call.Holding] = [.rows, .blob, .writableBlob]

    static let rules = [
        ImpossibleCells(
            situations: [
                "in a transaction", "in a commit hook", "in a rollback hook", "in a WAL hook",
                "in the sync of a virtual table", "in the commit of a virtual table", "in a transaction, after close",
                "in a transaction that SQLite has ended", "while iterating, after a rollback",
            ],
            grounds: [.group], reason: "the closure is in a transaction, inside which no other begins or ends"),
        ImpossibleCells(
            situations: ["in a busy handler"], grounds: [.group],
            reason: "the closure has the write lock, so that no other connection can lock the file"),
        ImpossibleCells(
            situations: ["in a busy handler"], grounds: [.memory], reason: "no other connection has the database"),
        ImpossibleCells(
            situations: ["in a busy handler"], holdings: reading,
            reason: "SQLite does not wait for the write lock in a transaction that has read"),
        ImpossibleCells(
            situations: ["destination of a running backup"], holdings: reading,
            reason: "a connection with a running statement cannot be a destination"),
        ImpossibleCells(
            situations: ["in the release of a function by its removal"], holdings: reading,
            reason: "SQLite does not remove a function while a statement is running"),
        ImpossibleCells(
            situations: ["in the release of a function by close"], holdings: [.statement, .rows],
            reason: "SQLite keeps the functions until the last statement is released"),
        ImpossibleCells(
            situations: [
                "in a savepoint", "in a commit hook", "in a WAL hook", "in the sync of a virtual table",
                "in the commit of a virtual table", "in the conflict closure of apply", "in the filter of apply",
                "in the stream of apply", "in a closure of a sync log", "in the closure that writes a changeset",
            ],
            holdings: [.writableBlob],
            reason: "beside a blob that is open for writing, no savepoint begins, and no transaction ends"),
    ]

    /// A line for each rule, with the number of cells that it leaves out.
    static var listing: [String] {
        let cells = Situation.all.flatMap { Cell.candidates(in: $0) }
        return rules.map { rule in
            let grounds = rule.grounds.map { " (\($0.map(\.rawValue).joined(separator: ", ")))" } ?? ""
            let count = cells.count { rule.includes($0) }
            return "\(count) cells: \(rule.situations.joined(separator: "; "))\(grounds): \(rule.reason)"
        }
    }

    /// A sentence for each name that no situation has.
    static var violations: [String] {
        let known = Set(Situation.all.map(\.name))
        return rules.flatMap(\.situations).filter { !known.contains($0) }.map { "there is no situation \($0)" }
    }
}
