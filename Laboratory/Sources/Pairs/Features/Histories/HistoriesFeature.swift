import Squall
import SquallChanges

/// Two undo histories of tables of their own: one of boards with their cards, and one of notes.
final class HistoriesFeature: FeatureParts {
    private let suffix: String
    private var boards: Track
    private var notes: Track
    private var number = 0
    /// The name of a column of the notes that is renamed.
    private var renamed = "first"

    /// A history, the rows of its tables, and those before and after its steps.
    private struct Track {
        struct Step {
            let name: String?
            let before: [String]
            let after: [String]
        }

        let tables: [String]
        /// The query of the rows as texts.
        let query: String
        var history: UndoHistory?
        var rows: [String] = []
        var undoable: [Step] = []
        var redoable: [Step] = []

        /// Takes note of a step, if a transaction has changed rows.
        mutating func record(_ new: [String], _ name: String?) {
            if new == rows { return }
            undoable.append(Step(name: name, before: rows, after: new))
            redoable = []
            rows = new
        }
    }

    init(_ suffix: String) {
        self.suffix = suffix
        boards = Track(
            tables: ["boards_\(suffix)", "cards_\(suffix)"],
            query: """
                SELECT 'board ' || id || ' ' || place FROM boards_\(suffix)
                UNION ALL SELECT 'card ' || id || ' ' || board FROM cards_\(suffix) ORDER BY 1
                """)
        notes = Track(
            tables: ["notes_\(suffix)"], query: "SELECT 'note ' || id || ' ' || text FROM notes_\(suffix) ORDER BY 1")
    }

    /// Only this process knows the rows of the tables.
    func configure(_ settings: inout WorldSettings) { settings.allowsProcesses = false }

    func setUp(_ world: World) throws {
        try run(
            world,
            """
            CREATE TABLE boards_\(suffix)(id INTEGER PRIMARY KEY, place INTEGER UNIQUE);
            CREATE TABLE cards_\(suffix)(
            id INTEGER PRIMARY KEY, board INTEGER NOT NULL REFERENCES boards_\(suffix)(id) ON DELETE CASCADE);
            CREATE TABLE notes_\(suffix)(id INTEGER PRIMARY KEY, text TEXT NOT NULL, first TEXT);
            INSERT INTO boards_\(suffix) VALUES(1, 1), (2, 2);
            INSERT INTO cards_\(suffix)(board) VALUES(1), (1), (2)
            """)
        boards.rows = try rows(world, boards)
    }

    func start(_ world: World) throws {
        try start(\.boards, world)
        try start(\.notes, world)
    }

    private func start(_ path: ReferenceWritableKeyPath<HistoriesFeature, Track>, _ world: World) throws {
        let tables = self[keyPath: path].tables
        world.declare("\(tables[0])History", "UndoHistory")
        world.log("\(tables[0])History = try UndoHistory(db, tables: \(tables))")
        self[keyPath: path].history = try UndoHistory(world.database, tables: tables)
        (self[keyPath: path].undoable, self[keyPath: path].redoable) = ([], [])
    }

    private func run(_ world: World, _ sql: String) throws {
        world.log("try db.blocking.write { try $0.execute(\"\"\"\n\(sql)\n\"\"\") }")
        try world.database.blocking.write { try $0.execute("\(raw: sql)") }
    }

    private func rows(_ world: World, _ track: Track) throws -> [String] {
        try world.database.blocking.writeWithoutTransaction { try $0.query("\(raw: track.query)") }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        number += 1
        let note = "INSERT INTO notes_\(suffix)(text) VALUES('note \(number)')"
        switch dice.number(below: 8) {
        case 0, 1: try group(world, boardChange(&dice), with: nil)
        case 2: try group(world, boardChange(&dice), with: note)
        case 3: try run(world, note)
        // SQLite's ALTER TABLE takes the table of a trigger for the TEMP table.
        case 4: if dice.once(in: 2), !world.hidesTables { try rename(world) } else { try alter(world) }
        default: try move(world, dice.once(in: 3) ? \.notes : \.boards, dice.once(in: 3) ? .redo : .undo)
        }
        if dice.once(in: 2) { try move(world, dice.once(in: 3) ? \.notes : \.boards, .undo) }
        notes.record(try rows(world, notes), nil)
        try world.check()
    }

    /// Returns a change of the boards: two that exchange their unique places, one that goes with its cards, or a new one.
    private func boardChange(_ dice: inout Dice) -> String {
        let (boards, cards) = ("boards_\(suffix)", "cards_\(suffix)")
        switch dice.number(below: 4) {
        case 0: return "DELETE FROM \(boards) WHERE id = (SELECT max(id) FROM \(boards) WHERE id > 2)"
        case 1:
            return """
                INSERT INTO \(boards) SELECT max(id) + 1, max(place) + 1 FROM \(boards);
                INSERT INTO \(cards)(board) SELECT max(id) FROM \(boards)
                """
        default:
            return """
                UPDATE \(boards) SET place = -place WHERE id <= 2;
                UPDATE \(boards) SET place = 3 + place WHERE id <= 2
                """
        }
    }

    /// Changes boards in a group, which is inside another transaction if there is also a change of a note.
    private func group(_ world: World, _ sql: String, with other: String?) throws {
        guard let history = boards.history else { return }
        let name = "Group \(number)"
        world.log(
            """
            try db.blocking.write { c in
                \(other.map { "try c.execute(\"\($0)\")" } ?? "")
            \(other == nil ? "}" : "")
            try \(boards.tables[0])History.blocking.write("\(name)") { c in
                try c.execute("\(sql.split(separator: "\n").joined(separator: " "))")
                try? c.savepoint {
                    try c.execute("DELETE FROM cards_\(suffix)")
                    throw CancellationError()
                }
            }
            \(other == nil ? "" : "}")
            """)
        let group = { (connection: Connection) throws in
            try connection.execute("\(raw: sql)")
            try? connection.savepoint {
                try connection.execute("DELETE FROM \(name: "cards_\(self.suffix)")")
                throw InjectedError()
            }
        }
        if let other {
            try world.database.blocking.write { connection in
                try connection.execute("\(raw: other)")
                try history.blocking.write(name) { try group($0) }
            }
        } else {
            try history.blocking.write(name) { try group($0) }
        }
        boards.record(try rows(world, boards), name)
    }

    /// Renames a column, so that the table has as many as the steps before.
    private func rename(_ world: World) throws {
        try run(world, "INSERT INTO notes_\(suffix)(text) VALUES('note \(number)')")
        notes.record(try rows(world, notes), nil)
        try run(world, "ALTER TABLE notes_\(suffix) RENAME COLUMN \(renamed) TO first_\(number)")
        renamed = "first_\(number)"
        try forgetNotes(world)
    }

    /// Changes rows and their table in one transaction: it is not a step, and ends redoing.
    private func alter(_ world: World) throws {
        for _ in 0..<2 {
            try run(world, "INSERT INTO notes_\(suffix)(text) VALUES('note \(number)')")
            notes.record(try rows(world, notes), nil)
        }
        try move(world, \.notes, .undo)
        try run(
            world,
            """
            UPDATE notes_\(suffix) SET text = text || '.';
            ALTER TABLE notes_\(suffix) ADD COLUMN extra_\(number)
            """)
        let new = try rows(world, notes)
        (notes.rows, notes.redoable) = (new, [])
        try require(notes.history?.canRedo != true, "a transaction that alters a table has not ended redoing")
        try forgetNotes(world)
    }

    /// The steps of the notes cannot be undone any more.
    private func forgetNotes(_ world: World) throws {
        guard let history = notes.history else { return }
        if !notes.undoable.isEmpty {
            world.log("_ = try? \(notes.tables[0])History.blocking.undo()")
            do {
                _ = try history.blocking.undo()
                throw Violation(description: "a step of an altered table was undone")
            } catch let error as SQLiteError where error.problem(UndoProblem.self) == .altered {}
        }
        world.log("\(notes.tables[0])History.removeAll()")
        history.removeAll()
        (notes.undoable, notes.redoable) = ([], [])
    }

    private enum Direction: String { case undo, redo }

    private func move(
        _ world: World, _ path: ReferenceWritableKeyPath<HistoriesFeature, Track>, _ direction: Direction
    ) throws {
        if path == \.notes { notes.record(try rows(world, notes), nil) }
        guard let history = self[keyPath: path].history else { return }
        world.log("_ = try \(self[keyPath: path].tables[0])History.blocking.\(direction)()")
        let hasMoved = try direction == .undo ? history.blocking.undo() : history.blocking.redo()
        let step = direction == .undo ? self[keyPath: path].undoable.last : self[keyPath: path].redoable.last
        try require(hasMoved == (step != nil), "\(direction) has \(hasMoved ? "" : "not ")moved")
        guard let step else { return }
        if direction == .undo {
            self[keyPath: path].redoable.append(self[keyPath: path].undoable.removeLast())
            self[keyPath: path].rows = step.before
        } else {
            self[keyPath: path].undoable.append(self[keyPath: path].redoable.removeLast())
            self[keyPath: path].rows = step.after
        }
    }

    func check(_ connection: Connection, _ model: Model) throws {
        for track in [boards, notes] {
            try require(connection.query("\(raw: track.query)"), equals: track.rows, "rows of \(track.tables)")
        }
    }

    func check(_ world: World) throws {
        for track in [boards, notes] {
            guard let history = track.history else { continue }
            try require(
                history.canUndo == !track.undoable.isEmpty && history.canRedo == !track.redoable.isEmpty
                    && history.undoName == track.undoable.last?.name && history.redoName == track.redoable.last?.name,
                "the history of \(track.tables) has not the steps \(track.undoable.count) and \(track.redoable.count)")
        }
    }

    var canResume: Bool { false }

    var ownTables: [String] { boards.tables + notes.tables }

    func stop() { (boards.history, notes.history) = (nil, nil) }
}
