import Squall
import SquallChanges

extension SyncFeature {
    /// Changes of both sides that do not know one another.
    private enum Collision: CaseIterable {
        case columns, sameColumn, deletedAtHub, deletedAtReplica, movedAtHub, movedAtReplica, inserted, unique
        case childOfDeleted, parentOfInserted
    }

    /// The changes of one collision, and the row and the conflict that follow from the policies.
    private struct Meeting {
        var first: [Change] = []
        var atHub: [Change] = []
        var atReplica: [Change] = []
        /// Makes the result in the model, which has the changes of the hub.
        var result: (inout Model) -> Void = { _ in }
        var kinds: Set<Changeset.Conflict.Kind> = []
        /// Whether the policy decides. A constraint of the hub always wins.
        var isDecided = true
    }

    /// Both sides change a row before they exchange their changes, and one wins by the policy.
    func collideAtHub(_ world: World, _ dice: inout Dice) throws {
        let winner = dice.once(in: 2) ? SyncConflict.Winner.hub : .replica
        let meeting = meeting(dice.choice(of: Collision.allCases), winner, world, &dice)
        let isResolved = dice.once(in: 2)
        let policy: SyncLog.Policy =
            isResolved ? .resolve { _ in winner } : winner == .hub ? .hubWins : .replicaWins
        let swift = isResolved ? ".resolve { _ in .\(winner) }" : ".\(winner)Wins"
        try open(
            world, ["items": policy, "authors": policy], swift: "[\"items\": \(swift), \"authors\": \(swift)]")
        if !meeting.first.isEmpty { try world.write(meeting.first, nil, &dice) }
        try exchange(world)
        try world.write(meeting.atHub, nil, &dice)
        for change in meeting.atReplica { try record(change, world) }
        var new = world.model
        meeting.result(&new)
        func check(_ report: SyncReport, _ place: String) throws {
            let isExpected =
                report.conflicts.count == (meeting.kinds.isEmpty ? 0 : 1)
                && report.conflicts.allSatisfy {
                    meeting.kinds.contains($0.kind) && $0.winner == (meeting.isDecided ? winner : .hub)
                }
            try require(isExpected, "conflicts \(place): \(report.conflicts), and not \(meeting.kinds)")
        }
        if dice.once(in: 2) {
            try check(take(world), "at a replica that has not sent")
            try requireReplica(new, world, "rows of a replica that has not sent")
            try exchange(world)
        } else {
            try check(send(world), "at the hub")
            try check(take(world), "that the hub sends back")
        }
        try world.commit(new, by: self)
    }

    private func meeting(
        _ collision: Collision, _ winner: SyncConflict.Winner, _ world: World, _ dice: inout Dice
    ) -> Meeting {
        let row = newRow(&dice)
        var (hub, replica) = (row, row)
        let replicaWins = winner == .replica
        switch collision {
        case .columns:
            (hub.name, replica.price) = ("hub alpha", 77.5)
            var both = hub
            both.price = replica.price
            return Meeting(
                first: [.insert([row], .record)], atHub: [.update(hub, .record)], atReplica: [.update(replica, .sql)],
                result: { $0.items[row.id] = both })
        case .sameColumn:
            (hub.note, replica.note, replica.price) = ("hub beta", "replica beta", 77.5)
            hub.stars = 6
            var both = replica
            both.stars = 6
            return Meeting(
                first: [.insert([row], .record)], atHub: [.update(hub, .record)], atReplica: [.update(replica, .sql)],
                result: { [both] in if replicaWins { $0.items[row.id] = both } }, kinds: [.data])
        case .deletedAtHub:
            replica.note = "replica beta"
            return Meeting(
                first: [.insert([row], .record)], atHub: [.delete(row, .record)], atReplica: [.update(replica, .sql)],
                result: { [replica] in if replicaWins { $0.items[row.id] = replica } }, kinds: [.notFound])
        case .deletedAtReplica:
            hub.note = "hub beta"
            return Meeting(
                first: [.insert([row], .record)], atHub: [.update(hub, .record)], atReplica: [.delete(row, .sql)],
                result: { if replicaWins { $0.items[row.id] = nil } }, kinds: [.data])
        case .movedAtHub, .movedAtReplica:
            let (isAtHub, shape) = (collision == .movedAtHub, world.shape)
            // To the smaller key: AUTOINCREMENT takes note of keys that are inserted.
            let id = row.id
            let row = newRow(&dice)
            (hub, replica) = (row, row)
            let move = Change.move(row, to: id, replacing: false, isAtHub ? .record : .sql)
            (hub.note, replica.note) = ("hub beta", "replica beta")
            return Meeting(
                first: [.insert([row], .record)], atHub: [isAtHub ? move : .update(hub, .record)],
                atReplica: [isAtHub ? .update(replica, .sql) : move],
                result: { [hub, replica] model in
                    // A change of the key is a deletion and an insert, of which only the deletion meets the other change.
                    model.items[row.id] = row
                    move.apply(to: &model, shape)
                    if isAtHub == replicaWins { model.items[row.id] = isAtHub ? replica : hub }
                }, kinds: [isAtHub ? .notFound : .data])
        case .inserted:
            (hub.name, replica.name) = ("hub gamma", "replica gamma")
            return Meeting(
                atHub: [.insert([hub], .record)], atReplica: [.insert([replica], .sql)],
                result: { [replica] in if replicaWins { $0.items[row.id] = replica } }, kinds: [.conflict])
        case .unique:
            var other = newRow(&dice)
            (hub.code, other.code) = (row.id, row.id)
            return Meeting(
                atHub: [.insert([hub], .record)], atReplica: [.insert([other], .sql)], kinds: [.constraint],
                isDecided: false)
        case .childOfDeleted:
            replica.owner = row.id
            let isChecked = world.shape.reference != nil
            return Meeting(
                first: [.insertAuthor(row.id)], atHub: [.deleteAuthor(row.id)], atReplica: [.insert([replica], .sql)],
                result: { [replica] in if !isChecked { $0.items[row.id] = replica } },
                kinds: isChecked ? [.constraint, .foreignKey] : [], isDecided: false)
        case .parentOfInserted:
            hub.owner = row.id
            let (shape, isRefused) = (world.shape, refusesDeletion(ofOwnerOf: hub, world))
            return Meeting(
                first: [.insertAuthor(row.id)], atHub: [.insert([hub], .record)], atReplica: [.deleteAuthor(row.id)],
                result: { if !isRefused { Change.deleteAuthor(row.id).apply(to: &$0, shape) } },
                kinds: isRefused ? [.constraint, .foreignKey] : [], isDecided: false)
        }
    }
}
