import Squall
import SquallChanges

/// Two undo histories of some of the common tables each, such as the authors without the items that refer to them.
final class SubsetHistories: FeatureParts {
    /// A history with the steps that it must have.
    struct Track {
        /// The common tables of the history.
        let hasItems: Bool
        let hasAuthors: Bool
        let limit: Int
        /// The variable in the Swift of the run.
        let name: String
        var history: UndoHistory?
        var steps: [Step] = []
        var undone: [Step] = []
        /// Whether rows were written that are not of a step.
        var isDisturbed = false

        struct Step {
            let name: String?
            let before: Model
            let after: Model
            let traces: (before: [String], after: [String])
        }

        /// The rows of the tables of the history.
        func part(of model: Model) -> Model {
            var part = model
            if !hasItems { part.items = [:] }
            if !hasAuthors { part.authors = [:] }
            return part
        }
    }

    private let suffix: String
    private var starts = 0
    var tracks: [Track] = []
    /// The track whose step is undone or redone now.
    private var moving: Int?
    /// Whether the transaction is a group of the first history.
    private var isGroup = false
    /// The parts whose traces are of tables of the histories of items.
    private var tracedParts: [Bool] = []

    init(_ suffix: String) { self.suffix = suffix }

    /// A table of no history that refers to the authors in each way.
    var guests: String { "visitors_\(suffix)" }

    /// Only this process knows the rows of the table.
    func configure(_ settings: inout WorldSettings) { settings.allowsProcesses = false }

    static let actions = ["CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION"]

    var canResume: Bool { false }

    var ownTables: [String] { [guests] }

    func setUp(_ world: World) throws {
        let columns = Self.actions.enumerated().map { number, action in
            "author_\(number) INTEGER DEFAULT NULL REFERENCES authors(id) ON DELETE \(action)"
        }
        try run(world, "CREATE TABLE \(guests)(id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
        tracedParts = world.parts.map { !($0 is UndoFeature) }
    }

    func run(_ world: World, _ sql: String) throws {
        world.log("try db.blocking.write { try $0.execute(\"\(sql)\") }")
        try world.database.blocking.write { try $0.execute("\(raw: sql)") }
    }

    func start(_ world: World) throws {
        starts += 1
        let others: [String] = try world.database.blocking.read { connection in
            try connection.query(
                """
                SELECT name FROM sqlite_schema WHERE type = 'table'
                AND (name LIKE 'audit%' OR name LIKE 'counts%' OR name LIKE 'vectors%' OR name LIKE 'orders%')
                """)
        }
        let subsets = [
            (items: false, authors: true), (items: true, authors: false), (items: true, authors: true),
        ]
        tracks = try (0..<2).map { number in
            let subset = subsets[(starts / 2 + number + (suffix == "a" ? 0 : 2)) % subsets.count]
            let tables = (subset.authors ? ["authors"] : []) + (subset.items ? ["items"] + others : [])
            let limit = number == 0 ? 100 : 3
            let name = "subset_\(suffix)\(number)"
            world.declare(name, "UndoHistory")
            world.log("\(name) = try UndoHistory(db, tables: \(tables), limit: \(limit))")
            var track = Track(hasItems: subset.items, hasAuthors: subset.authors, limit: limit, name: name)
            track.history = try UndoHistory(world.database, tables: tables, limit: limit)
            return track
        }
    }

    var door: ((_ body: (Connection) throws -> Void) throws -> Void)? {
        guard let history = tracks.first?.history else { return nil }
        return { [self] body in
            isGroup = true
            do {
                try history.blocking.write("Subset") { try body($0) }
            } catch {
                isGroup = false
                throw error
            }
        }
    }

    var swift: FeatureSwift { FeatureSwift(door: "subset_\(suffix)0.blocking.write(\"Subset\")") }

    // MARK: - Steps of the histories

    func committed(_ commit: Commit, _ world: World) throws {
        let name = isGroup ? "Subset" : nil
        isGroup = false
        if commit.isEmpty, commit.origin != .migration { return }
        for index in tracks.indices where index != moving {
            let step =
                commit.author is SyncFeature && commit.origin == .database ? commit.step : (commit.before, commit.after)
            switch commit.origin {
            case .migration: forget(index)
            case .outside: tracks[index].isDisturbed = true
            case .database where commit.author is SyncFeature:
                tracks[index].isDisturbed = true
                if let step { add(step, commit, nil, index) }
            case .surrounded, .database:
                if let step { add(step, commit, index == 0 ? name : nil, index) }
            }
        }
    }

    private func add(_ rows: (before: Model, after: Model), _ commit: Commit, _ name: String?, _ index: Int) {
        let track = tracks[index]
        let (before, after) = (track.part(of: rows.before), track.part(of: rows.after))
        let hasTraces =
            track.hasItems
            && tracedParts.indices.contains { tracedParts[$0] && commit.traces.before[$0] != commit.traces.after[$0] }
        if before == after, !hasTraces { return }
        tracks[index].steps.append(.init(name: name, before: before, after: after, traces: commit.traces))
        if tracks[index].steps.count > track.limit { tracks[index].steps.removeFirst() }
        tracks[index].undone = []
    }

    func forget(_ index: Int) {
        tracks[index].history?.removeAll()
        (tracks[index].steps, tracks[index].undone, tracks[index].isDisturbed) = ([], [], false)
    }

    /// Undoes the last step of a history, or redoes what was undone last. A row that the history does not have can be in its way.
    ///
    /// - Returns: Whether a foreign key has refused it.
    @discardableResult
    func move(_ index: Int, isRedo: Bool, _ world: World) throws -> Bool {
        let track = tracks[index]
        guard let history = track.history else { return false }
        let verb = isRedo ? "redo" : "undo"
        guard let moved = isRedo ? track.undone.last : track.steps.last else {
            world.log("_ = try \(track.name).blocking.\(verb)()")
            try require(
                !(isRedo ? history.blocking.redo() : history.blocking.undo()), "\(verb) has moved without a step")
            return false
        }
        let (from, to) = isRedo ? (moved.before, moved.after) : (moved.after, moved.before)
        let expected = world.model.taking(from, backTo: to)
        let isOrphaned = expected.map { world.shape.reference != nil && !$0.hasAllAuthors } ?? false
        let isRefused = expected == nil || isOrphaned || expected?.hasUniqueCodes == false
        world.log("_ = \(isRefused || track.isDisturbed ? "try?" : "try") \(track.name).blocking.\(verb)()")
        do {
            let hasMoved = try isRedo ? history.blocking.redo() : history.blocking.undo()
            try require(hasMoved, "\(verb) has not moved")
        } catch let error as UndoConflictError {
            try require(isRefused || track.isDisturbed, "\(verb) has a conflict that no row causes: \(error)")
            if isOrphaned, !track.isDisturbed {
                try require(
                    Set(error.conflicts.map(\.kind)) == [.foreignKey],
                    "\(verb) of rows to which others refer has the conflicts \(error)")
            }
            try world.check()
            return isOrphaned
        }
        guard let expected, !isRefused else {
            throw Violation(
                description: "\(verb) of \(track.name) had to have a conflict: \(moved.before.changes(to: moved.after))"
            )
        }
        if isRedo {
            tracks[index].steps.append(tracks[index].undone.removeLast())
        } else {
            tracks[index].undone.append(tracks[index].steps.removeLast())
        }
        moving = index
        defer { moving = nil }
        let before = world.traces
        try world.commit(expected, by: self)
        let traces = !track.hasItems ? before : isRedo ? moved.traces.after : moved.traces.before
        for part in tracedParts.indices where tracedParts[part] && !track.isDisturbed {
            try require(
                world.traces[part] == traces[part],
                "\(verb) has left \(world.traces[part]), not \(traces[part]) of a feature")
        }
        return false
    }

    func check(_ connection: Connection, _ model: Model) throws {
        let count: Int = try connection.query("SELECT count(*) FROM main.\(name: guests)")
        try require(count == 0, "\(guests) has \(count) rows")
    }

    func check(_ world: World) throws {
        for track in tracks {
            guard let history = track.history else { continue }
            try require(
                history.canUndo == !track.steps.isEmpty && history.canRedo == !track.undone.isEmpty,
                "\(track.name) has not the steps \(track.steps.count) and \(track.undone.count)")
            try require(
                history.undoName == track.steps.last?.name && history.redoName == track.undone.last?.name,
                "\(track.name) has the name \(history.undoName ?? "-"), not \(track.steps.last?.name ?? "-")")
        }
    }

    func stop() { for index in tracks.indices { tracks[index].history = nil } }
}
