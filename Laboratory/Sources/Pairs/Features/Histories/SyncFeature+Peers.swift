import Squall
import SquallChanges

extension SyncFeature {
    /// Changes of both peers that do not know one another.
    private enum Collision: CaseIterable {
        case updated, deletedHere, deletedThere, inserted, unique, childOfDeleted, parentOfInserted
    }

    /// Both peers change a row before they exchange their changes, and the last writer wins.
    func collideAsPeers(_ world: World, _ dice: inout Dice) throws {
        let collision = dice.choice(of: Collision.allCases)
        switch collision {
        case .unique: try collideByUniqueValue(world, &dice)
        case .childOfDeleted, .parentOfInserted:
            if world.shape.reference != nil { try collideByParent(collision == .childOfDeleted, world, &dice) }
        case .updated, .deletedHere, .deletedThere, .inserted: try collideByRow(collision, world, &dice)
        }
    }

    private func collideByRow(_ collision: Collision, _ world: World, _ dice: inout Dice) throws {
        let clock: Int64? = dice.once(in: 2) ? 8 : nil
        var items = SyncLog.Policy.lastWriter(by: "stars")
        if let clock { items = .lastWriter(by: "stars", deletedAt: { clock }) }
        let time = clock.map { ", deletedAt: { \($0) }" } ?? ""
        try open(
            world, ["items": items, "authors": .lastWriter(by: "name")],
            swift: "[\"items\": .lastWriter(by: \"stars\"\(time)), \"authors\": .lastWriter(by: \"name\")]")
        let row = newRow(&dice)
        if collision != .inserted { try world.write([.insert([row], .record)], nil, &dice) }
        try exchange(world)
        let isNew = collision == .inserted
        let mine = collision == .deletedHere ? nil : changed(row, &dice)
        let theirs = collision == .deletedThere ? nil : changed(row, &dice)
        try world.write(
            [mine.map { isNew ? .insert([$0], .record) : .update($0, .record) } ?? .delete(row, .record)], nil, &dice)
        try record(theirs.map { isNew ? .insert([$0], .sql) : .update($0, .sql) } ?? .delete(row, .sql), world)
        // Of two that are equal, the greater origin wins: "replica_a" after "hub".
        func version(_ stars: Int64?) -> (Int64, Int) {
            let stamp = stars ?? clock ?? .min
            return isNew || stamp > row.stars ? (stamp, 0) : (row.stars, 1)
        }
        let theirsWins = version(theirs?.stars) >= version(mine?.stars)
        var new = world.model
        if theirsWins { new.items[row.id] = theirs }
        let takesFirst = dice.once(in: 2)
        if takesFirst {
            try requireSuperseded(take(world), theirsWins)
            try requireReplica(new, world, "rows of a peer that has not sent")
        }
        try requireSuperseded(send(world), !theirsWins && !takesFirst)
        try requireSuperseded(take(world), false)
        try world.commit(new, by: self)
    }

    private func changed(_ row: ItemRow, _ dice: inout Dice) -> ItemRow {
        var row = row
        (row.note, row.stars) = (
            ItemRow.text(&dice) + " \(dice.number(below: 1_000_000))", dice.choice(of: [3, 5, 7, 9])
        )
        return row
    }

    /// Requires that a report names a row of the batch only if it has lost.
    private func requireSuperseded(_ report: SyncReport, _ isExpected: Bool) throws {
        let isClear = report.conflicts.isEmpty && report.pending.isEmpty && report.recorded.isEmpty
        try require(isClear, "a merge in which the last writer wins: \(report)")
        try require(report.superseded.count == (isExpected ? 1 : 0), "superseded rows: \(report)")
    }

    /// Each peer keeps its own row with a unique value, until one of them changes it.
    private func collideByUniqueValue(_ world: World, _ dice: inout Dice) throws {
        var (mine, theirs) = (newRow(&dice), newRow(&dice))
        (mine.code, theirs.code) = (mine.id, mine.id)
        try world.write([.insert([mine], .record)], nil, &dice)
        try record(.insert([theirs], .sql), world)
        try require(send(world).pending.count == 1, "a row without its unique value is not pending at the hub")
        try require(take(world).pending.count == 1, "a row without its unique value is not pending at the replica")
        var other = world.model
        (other.items[mine.id], other.items[theirs.id]) = (nil, theirs)
        try requireReplica(other, world, "rows of a peer with a row that is pending")
        mine.code = nil
        try world.write([.update(mine, .record)], nil, &dice)
        var new = world.model
        new.items[theirs.id] = theirs
        try exchange(world)
        try world.commit(new, by: self)
    }

    /// One peer deletes a parent, and the other inserts a child of it.
    private func collideByParent(_ deletesHere: Bool, _ world: World, _ dice: inout Dice) throws {
        var child = newRow(&dice)
        let author = child.id
        child.owner = author
        try world.write([.insertAuthor(author)], nil, &dice)
        try exchange(world)
        let (deletion, insertion) = (Change.deleteAuthor(author), Change.insert([child], .sql))
        try world.write([deletesHere ? deletion : insertion], nil, &dice)
        try record(deletesHere ? insertion : deletion, world)
        if dice.once(in: 2) { _ = try take(world) }
        _ = try send(world)
        _ = try take(world)
        var new = world.model
        new.items[author] = child
        if refusesDeletion(ofOwnerOf: child, world) {
            // Both are pending until the child is deleted.
            try require(
                world.database.blocking.read { try world.rows(of: $0) }, equals: world.model,
                "rows of a peer that has a pending parent or child")
            if deletesHere {
                try record(.delete(child, .sql), world)
            } else {
                try world.write([.delete(child, .record)], nil, &dice)
            }
            new.items[author] = nil
        }
        new.authors[author] = "owner"
        deletion.apply(to: &new, world.shape)
        // What a foreign key does is a change of the peer that merges, which the other one gets.
        _ = try send(world)
        _ = try take(world)
        try exchange(world)
        try world.commit(new, by: self)
    }
}
