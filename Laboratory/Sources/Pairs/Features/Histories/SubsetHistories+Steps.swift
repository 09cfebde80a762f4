import Squall
import SquallChanges

extension SubsetHistories {
    func step(_ world: World, _ dice: inout Dice) throws {
        let index = dice.number(below: tracks.count)
        switch world.hidesTables ? 7 : dice.number(below: 8) {
        case 0, 1: try undoBelowGuest(world, &dice)
        case 2, 3: try undoBelowItem(world, &dice)
        case 4: try undoAfterDeletion(world, &dice)
        default:
            try move(index, isRedo: dice.once(in: 3) && !tracks[index].undone.isEmpty, world)
            if dice.once(in: 2) { try move(index, isRedo: false, world) }
        }
    }

    /// The key of an author that does not exist.
    private func newAuthor(_ world: World) -> Int64 {
        (100...).first { number in
            world.model.authors[number] == nil && !world.model.items.values.contains { $0.owner == number }
        } ?? 100
    }

    /// Inserts an author, and a row that refers to it in a table of no history: undoing would delete its parent, or run the action.
    private func undoBelowGuest(_ world: World, _ dice: inout Dice) throws {
        let author = newAuthor(world)
        try world.write([.insertAuthor(author)], nil, &dice)
        for index in tracks.indices where tracks[index].hasAuthors && !tracks[index].isDisturbed {
            guard let step = tracks[index].steps.last, step.before.authors[author] == nil else { continue }
            let column = "author_\(dice.number(below: Self.actions.count))"
            try run(world, "INSERT INTO main.\(guests)(\(column)) VALUES(\(author))")
            world.log("_ = try? \(tracks[index].name).blocking.undo()")
            do {
                _ = try tracks[index].history?.blocking.undo()
                throw Violation(description: "an undo has taken the author to whom \(column) refers")
            } catch let error as UndoConflictError {
                try require(error.conflicts.map(\.kind) == [.foreignKey], "the conflicts of an undo: \(error)")
            }
            let found: Int = try world.database.blocking.read { connection in
                try connection.query("SELECT count(*) FROM main.\(name: guests) WHERE \(name: column) = \(author)")
            }
            try require(found == 1, "an undo that was refused has changed \(column)")
            try run(world, "DELETE FROM main.\(guests)")
            try world.check()
            if dice.once(in: 2) { try move(index, isRedo: false, world) }
        }
    }

    /// Inserts an author and then an item of it. A history that has only the authors cannot undo its step.
    private func undoBelowItem(_ world: World, _ dice: inout Dice) throws {
        let author = newAuthor(world)
        try world.write([.insertAuthor(author)], nil, &dice)
        var row = ItemRow(id: (0...).first { world.model.items[$0] == nil } ?? 0, &dice)
        row.owner = author
        try world.write([.insert([row], .record)], nil, &dice)
        for index in tracks.indices where tracks[index].hasAuthors {
            guard try move(index, isRedo: false, world), dice.once(in: 2), let found = world.model.items[row.id] else {
                continue
            }
            var free = found
            free.owner = nil
            try world.write([.update(free, .sql)], nil, &dice)
            if !tracks[index].hasItems { try move(index, isRedo: false, world) }
        }
    }

    /// Deletes an author with what the foreign key does. A history that has only the items cannot give them their author back.
    private func undoAfterDeletion(_ world: World, _ dice: inout Dice) throws {
        let owners = world.model.rows.compactMap(\.owner).filter { world.model.authors[$0] != nil }
        guard let author = dice.element(of: owners) else { return }
        let change = Change.deleteAuthor(author)
        var new = world.model
        change.apply(to: &new, world.shape)
        if world.model.refuses(change, world.shape) || !world.allows(new) { return }
        try world.write([change], nil, &dice)
        for index in tracks.indices.shuffled(by: &dice) {
            guard try move(index, isRedo: false, world), !tracks[index].hasAuthors, dice.once(in: 2) else { continue }
            try world.write([.insertAuthor(author)], nil, &dice)
            try move(index, isRedo: false, world)
        }
    }
}

extension Range<Int> {
    /// The numbers, in one of two orders.
    fileprivate func shuffled(by dice: inout Dice) -> [Int] { dice.once(in: 2) ? reversed() : Array(self) }
}
