import Squall
import SquallChanges

/// Databases of different forms that exchange their changes: peers, or a hub with replicas.
///
/// At the end all have the same rows.
class Network {
    var form: NetworkForm
    let sides: [NetworkSide]
    let world: World
    let name: String
    /// The batches that were made, which can be merged again.
    var kept: [(batch: SyncBatch, variable: String, sender: Int, versions: [NetworkKey: PeerVersion])] = []
    private var batchNumber = 0

    /// - Parameter first: Statements that write rows that are older than the logs.
    init(_ roles: [SyncLog.Role], _ form: NetworkForm, _ first: [[String]], _ name: String, _ world: World) throws {
        (self.form, self.world, self.name) = (form, world, name)
        sides = try roles.enumerated().map { index, role in
            try NetworkSide(index, role, form, first[index], name, world)
        }
    }

    /// Makes a batch of one side for another one.
    func batch(
        from sender: NetworkSide, for receiver: NetworkSide, isWhole: Bool = false
    ) throws -> (batch: SyncBatch, variable: String) {
        let cursor = isWhole ? nil : try receiver.cursor(of: sender)
        batchNumber += 1
        let variable = "batch_\(name)_\(batchNumber)"
        let swift =
            isWhole ? "nil" : "\(receiver.origin)Log.cursor(of: \"\(sender.origin)\", on: \(receiver.origin))"
        world.log("let \(variable) = try \(sender.origin)Log.changes(since: \(swift), on: \(sender.origin))")
        return (try sender.batch(since: cursor), variable)
    }

    /// Makes a batch of two changes after a position.
    func part(
        from sender: NetworkSide, since cursor: SyncCursor?, after last: String?, for receiver: NetworkSide
    ) throws -> (batch: SyncBatch, variable: String) {
        batchNumber += 1
        let variable = "batch_\(name)_\(batchNumber)"
        let position =
            last.map { "\($0).cursor" }
            ?? "\(receiver.origin)Log.cursor(of: \"\(sender.origin)\", on: \(receiver.origin))"
        world.log(
            "let \(variable) = try \(sender.origin)Log.changes(since: \(position), limit: 2, on: \(sender.origin))")
        return (try sender.batch(since: cursor, limit: 2), variable)
    }

    func logMerge(_ variable: String, _ receiver: NetworkSide) {
        world.log("_ = try \(receiver.origin)Log.merge(\(variable), on: \(receiver.origin))")
    }

    /// Whether a side can merge what another one sends: it has at least its columns.
    func fits(_ sender: NetworkSide, _ receiver: NetworkSide) -> Bool {
        form.sides[sender.index].width <= form.sides[receiver.index].width
    }

    /// Requires that a batch with columns that the receiver does not have is refused, and that nothing changes.
    func requireRefusal(of batch: SyncBatch, _ receiver: NetworkSide) throws {
        try requireRefusal(of: batch, receiver, "columns that it does not have") { problem in
            if case .otherColumns = problem { true } else { false }
        }
    }

    /// Requires that a batch is refused with a problem, and that nothing changes.
    func requireRefusal(
        of batch: SyncBatch, _ receiver: NetworkSide, _ subject: String, _ isExpected: (SyncProblem) -> Bool
    ) throws {
        let before = receiver.rows
        do {
            _ = try receiver.merge(batch, form)
            throw Violation(description: "\(receiver.origin) has merged \(subject)")
        } catch let error as SQLiteError {
            guard error.problem(SyncProblem.self).map(isExpected) == true else { throw error }
        }
        try receiver.readRows(form)
        try receiver.requireRows(before)
    }

    /// Requires that tables with another order of columns, and a log without one of the tables, take nothing of a side.
    func requireRefusals(_ sender: NetworkSide, _ role: SyncLog.Role) throws {
        let batch = try sender.batch(since: nil)
        let policy = role == .peer ? SyncLog.Policy.lastWriter(by: "stamp") : .hubWins
        let definition = form.definition(of: sender.index).prefix(2).joined(separator: "; ")
        for isOrder in [true, false] {
            let connection = try world.connection(":memory:", .create)
            defer { connection.close() }
            let other = definition.replacing("stamp INTEGER NOT NULL", with: "other TEXT, stamp INTEGER NOT NULL")
            try connection.execute("\(raw: isOrder ? other : definition)")
            let tables = isOrder ? ["owners": policy, "cards": policy] : ["owners": policy]
            let log = try SyncLog(connection, origin: "other", role: role, tables: tables)
            do {
                _ = try log.merge(batch, on: connection)
                throw Violation(description: "a batch of other tables was merged")
            } catch let error as SQLiteError {
                switch (error.problem(SyncProblem.self), isOrder) {
                case (.otherColumns?, true), (.unknownTable?, false): break
                default: throw error
                }
            }
            let count: Int = try connection.query("SELECT (SELECT count(*) FROM owners) + (SELECT count(*) FROM cards)")
            try require(count == 0, "a batch that was refused has left \(count) rows")
        }
    }

    /// Gives a side its next new column.
    func widen(_ side: NetworkSide) throws {
        try side.execute(form.widening(of: side.index))
        form.sides[side.index].width += 1
        try side.reopen()
        try side.readRows(form)
    }

    /// Gives all sides all columns that one of them has.
    func widenAll() throws {
        let width = form.sides.map(\.width).max() ?? 0
        for side in sides { while form.sides[side.index].width < width { try widen(side) } }
    }

    func close() { for side in sides { side.close() } }
}
