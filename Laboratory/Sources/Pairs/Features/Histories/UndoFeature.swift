import Squall
import SquallChanges

/// An undo history of all tables, of which one is of this feature.
final class UndoFeature: FeatureParts {
    private let suffix: String
    private var history: UndoHistory?
    private var undone: [Commit] = []
    /// Whether rows were written that are not of a step.
    private var isDisturbed = false
    private var steps: [Commit] = []

    init(_ suffix: String) { self.suffix = suffix }

    /// The table that no other feature knows.
    private var drafts: String { "drafts_\(suffix)" }

    func setUp(_ world: World) throws {
        world.log("try db.blocking.write { try $0.execute(\"CREATE TABLE \(drafts)(id INTEGER PRIMARY KEY)\") }")
        try world.database.blocking.write { try $0.execute("CREATE TABLE \(name: drafts)(id INTEGER PRIMARY KEY)") }
    }

    func traces(_ connection: Connection) throws -> String {
        try connection.query("SELECT CAST(count(*) AS TEXT) FROM main.\(name: drafts)")
    }

    func start(_ world: World) throws {
        world.declare("history_\(suffix)", "UndoHistory")
        (steps, undone, isDisturbed) = ([], [], false)
        let tables = try tables(world)
        world.log("history_\(suffix) = try UndoHistory(db, tables: \(tables))")
        history = try UndoHistory(world.database, tables: tables)
    }

    /// The tables of the history: all, but those that only another feature writes.
    private func tables(_ world: World) throws -> [String] {
        if world.parts.allSatisfy({ $0.ownTables.isEmpty }) { return [] }
        return try world.database.blocking.read {
            try $0.query(
                """
                SELECT name FROM sqlite_schema WHERE type = 'table'
                AND (name IN ('authors', 'items') OR name LIKE 'audit%' OR name LIKE 'counts%' OR name LIKE 'vectors%'
                OR name LIKE 'drafts%')
                """)
        }
    }

    var door: ((_ body: (Connection) throws -> Void) throws -> Void)? {
        guard let history else { return nil }
        return { body in try history.blocking.write("Change") { try body($0) } }
    }

    var swift: FeatureSwift {
        FeatureSwift(door: "history_\(suffix).blocking.write(\"Change\")")
    }

    func committed(_ commit: Commit, _ world: World) throws {
        let isMove = commit.author === self && commit.origin == .database
        if isMove || commit.isEmpty, commit.origin != .migration { return }
        switch commit.origin {
        case .migration: forget()
        // Of neither is a step.
        case .outside: isDisturbed = true
        case .database where commit.author is SyncFeature:
            isDisturbed = true
            guard let step = commit.step else { return }
            steps.append(
                Commit(
                    before: step.before, after: step.after, author: nil, origin: .database, traces: commit.traces))
            undone = []
        case .surrounded, .database:
            steps.append(commit)
            undone = []
        }
    }

    private func forget() {
        history?.removeAll()
        (steps, undone, isDisturbed) = ([], [], false)
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        // A statement of the program means a TEMP table.
        if !world.hidesTables, dice.once(in: 2) { try writeDraft(world, &dice) }
        try move(world, isRedo: dice.once(in: 3) && !undone.isEmpty)
    }

    /// Changes the common tables and the one of this feature in one transaction, which is one step.
    private func writeDraft(_ world: World, _ dice: inout Dice) throws {
        let (verbs, shape) = (world.verbs, world.shape)
        let change = Change.random(world.model, shape, &dice)
        var new = world.model
        change.apply(to: &new, shape)
        if !world.allows(new) { return }
        world.log(transaction: [change.swift(shape), "try c.run(\"INSERT INTO main.\(drafts) DEFAULT VALUES\")"])
        try world.transaction { connection in
            try change.run(connection, verbs, shape)
            try connection.run("INSERT INTO main.\(name: drafts) DEFAULT VALUES")
        }
        try world.commit(new, by: self, .surrounded)
    }

    /// Undoes the last step, or redoes what was undone last.
    func move(_ world: World, isRedo: Bool) throws {
        guard let history else { return }
        let verb = isRedo ? "redo" : "undo"
        // It may have a conflict with a row that another has written.
        world.log("_ = \(isDisturbed ? "try?" : "try") history_\(suffix).blocking.\(verb)()")
        guard let moved = isRedo ? undone.last : steps.last else {
            return try require(
                !(isRedo ? history.blocking.redo() : history.blocking.undo()), "\(verb) has moved without a step")
        }
        let (from, to) = isRedo ? (moved.before, moved.after) : (moved.after, moved.before)
        let expected = world.model.taking(from, backTo: to)
        do {
            let hasMoved = isRedo ? try history.blocking.redo() : try history.blocking.undo()
            try require(hasMoved, "\(verb) has not moved")
        } catch let error as UndoConflictError {
            // A row of others can also have a unique value, or be the missing parent.
            try require(isDisturbed, "\(verb) has a conflict, and no one else has written: \(error)")
            try world.check()
            return forget()
        }
        guard let expected else { throw Violation(description: "\(verb) had to have a conflict") }
        if isRedo { steps.append(undone.removeLast()) } else { undone.append(steps.removeLast()) }
        try world.commit(expected, by: self)
        let traces = isRedo ? moved.traces.after : moved.traces.before
        try require(
            isDisturbed || world.traces == traces, "\(verb) has left \(world.traces), not \(traces) of the features")
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        guard let history else { return }
        try require(history.canUndo == !steps.isEmpty, "canUndo is \(history.canUndo) with \(steps.count) steps")
        try require(history.canRedo == !undone.isEmpty, "canRedo is \(history.canRedo) with \(undone.count) steps")
    }

    func stop() { history = nil }
}
