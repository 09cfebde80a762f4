import Squall
import SquallChanges

/// Two peers, of which one deletes rows to which the other has rows that no log has: the deletion waits until they are gone, also
/// when the peer forgets the deletions that all others know.
struct PendingDeletion {
    private let first: LoggedSide
    private let second: LoggedSide

    init(_ suffix: String, _ world: World) throws {
        let definition = """
            CREATE TABLE parents(id INTEGER PRIMARY KEY, code TEXT UNIQUE, stamp INTEGER NOT NULL); \
            CREATE TABLE children(id INTEGER PRIMARY KEY, code TEXT REFERENCES parents(code))
            """
        first = try LoggedSide("deleting_\(suffix)", .peer, ["parents"], definition, world)
        second = try LoggedSide("waiting_\(suffix)", .peer, ["parents"], definition, world)
    }

    /// Deletes a new parent of a number.
    func step(_ number: Int, _ world: World, _ dice: inout Dice) throws {
        try first.record(
            "INSERT INTO parents VALUES(\(number), 'code \(number)', 1), (-\(number), 'other \(number)', 1)", world)
        try exchange(pending: 0, world)
        try second.run("INSERT INTO children VALUES(\(number), 'code \(number)')", world)
        try first.record("DELETE FROM parents WHERE id = \(number)", world)
        try exchange(pending: 1, world)
        try requireRows(first, [-number])
        try requireRows(second, [-number, number])
        if dice.once(in: 2) { try second.compact(knownTo: first, world) }
        if dice.once(in: 3) { try first.compact(knownTo: second, world) }
        if dice.once(in: 2) { try exchange(pending: 1, world) }
        try second.run("DELETE FROM children", world)
        try exchange(pending: 0, world)
        for side in [first, second] {
            try requireRows(side, [-number])
            let pending = try side.log.pending(on: side.connection)
            try require(pending.isEmpty, "a deletion waits without a row in its way: \(pending)")
        }
        try first.record("DELETE FROM parents", world)
        try exchange(pending: 0, world)
    }

    /// Merges the changes of each side at the other one, where a number of them wait.
    private func exchange(pending: Int, _ world: World) throws {
        let report = try second.merge(first, world)
        try require(
            report.pending.count == pending && report.conflicts.isEmpty,
            "not \(pending) pending changes in a merge: \(report)")
        _ = try first.merge(second, world)
    }

    private func requireRows(_ side: LoggedSide, _ expected: [Int]) throws {
        let found: [Int] = try side.connection.query("SELECT id FROM parents ORDER BY id")
        try require(found == expected, "the parents of \(side.name) are \(found), not \(expected)")
    }

    /// The lines with what must hold at the end of the Swift of a run.
    var expectations: [String] {
        [first, second].map { "#expect(try \($0.name).query(\"SELECT count(*) FROM parents\") == 0)" }
    }
}
