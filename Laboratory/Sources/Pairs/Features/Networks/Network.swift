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

    func logMerge(_ variable: String, _ receiver: NetworkSide) {
        world.log("_ = try \(receiver.origin)Log.merge(\(variable), on: \(receiver.origin))")
    }

    /// Whether a side can merge what another one sends: it has at least its columns.
    func fits(_ sender: NetworkSide, _ receiver: NetworkSide) -> Bool {
        form.sides[sender.index].width <= form.sides[receiver.index].width
    }

    /// Requires that a batch with columns that the receiver does not have is refused, and that nothing changes.
    func requireRefusal(of batch: SyncBatch, _ receiver: NetworkSide) throws {
        let before = receiver.rows
        do {
            _ = try receiver.merge(batch, form)
            throw Violation(description: "\(receiver.origin) has merged columns that it does not have")
        } catch let error as SQLiteError {
            guard case .otherColumns? = error.problem(SyncProblem.self) else { throw error }
        }
        try receiver.readRows(form)
        try receiver.requireRows(before)
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
