import Squall
import SquallChanges

/// An undo history of all tables.
final class UndoFeature: FeatureParts {
    private let suffix: String
    private var history: UndoHistory?
    private var undone: [(before: Model, after: Model)] = []
    private var steps: [(before: Model, after: Model)] = []

    init(_ suffix: String) { self.suffix = suffix }

    func setUp(_ world: World) throws {}

    func start(_ world: World) throws {
        world.log("let history_\(suffix) = try UndoHistory(db)")
        (steps, undone) = ([], [])
        history = try UndoHistory(world.database)
    }

    var door: ((_ body: (Connection) throws -> Void) throws -> Void)? {
        guard let history else { return nil }
        return { body in try history.blocking.write("Change") { try body($0) } }
    }

    func committed(_ commit: Commit, _ world: World) throws {
        if commit.author === self { return }
        if commit.origin == .migration || commit.origin == .outside {
            history?.removeAll()
            (steps, undone) = ([], [])
        } else if commit.before.fingerprints != commit.after.fingerprints {
            steps.append((commit.before, commit.after))
            undone = []
        }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        guard let history else { return }
        let isRedo = dice.once(in: 3) && !undone.isEmpty
        let verb = isRedo ? "redo" : "undo"
        world.log("try history_\(suffix).blocking.\(verb)()")
        let hasMoved = isRedo ? try history.blocking.redo() : try history.blocking.undo()
        guard let moved = isRedo ? undone.popLast() : steps.popLast() else {
            return try require(!hasMoved, "\(verb) has moved without a step")
        }
        try require(hasMoved, "\(verb) has not moved")
        if isRedo { steps.append(moved) } else { undone.append(moved) }
        try world.commit(isRedo ? moved.after : moved.before, by: self)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        guard let history else { return }
        try require(history.canUndo == !steps.isEmpty, "canUndo is \(history.canUndo) with \(steps.count) steps")
        try require(history.canRedo == !undone.isEmpty, "canRedo is \(history.canRedo) with \(undone.count) steps")
    }

    func stop() { history = nil }
}
