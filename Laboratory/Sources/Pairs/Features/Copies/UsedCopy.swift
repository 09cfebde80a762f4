import Foundation
import Squall
import SquallChanges

/// A copy of the database that is opened by the program, with the settings of the original, and written.
///
/// All that keeps the rows in step must be in the copy, and the original must stay as it is.
final class UsedCopy {
    let world: World
    let database: Database
    /// The rows of the copy.
    private(set) var model: Model
    /// Calls the closure that makes the changes of a transaction.
    var surround: (Connection, (Connection) throws -> Void) throws -> Void = { try $1($0) }

    private init(_ world: World, _ path: String) throws {
        (self.world, model) = (world, world.model)
        let preparations = world.settings.preparations
        database = try Database(path, configuration: world.settings.configuration) { connection in
            for prepare in preparations { try prepare(connection) }
        }
    }

    /// Uses the copy in a file.
    static func use(_ path: String, _ world: World, _ dice: inout Dice) throws {
        let copy = try UsedCopy(world, path)
        defer { try? copy.database.blocking.close() }
        try copy.use(&dice)
    }

    /// Uses a copy whose bytes become the content of a database in memory.
    static func use(bytes: Data, _ world: World, _ dice: inout Dice) throws {
        let copy = try UsedCopy(world, ":memory:")
        defer { try? copy.database.blocking.close() }
        try copy.database.blocking.writeWithoutTransaction { try $0.deserialize(bytes) }
        try copy.use(&dice)
    }

    private func use(_ dice: inout Dice) throws {
        world.log("// The copy is opened with the features of the database, and written.")
        let original = try world.content()
        if let original { try require(Self.content(of: database), equals: original, "content of a copy") }
        for part in world.parts { try part.opened(self) }
        for change in changes(&dice) { try write(change) }
        try check()
        for part in world.parts { try part.written(self) }
        let hasHistory = world.parts.contains { $0 is UndoFeature || $0 is HistoriesFeature || $0 is UniqueParent }
        if hasHistory { try undo(&dice) }
        if let original, let content = try world.content() {
            try require(content, equals: original, "content of a database whose copy was written")
        }
    }

    // MARK: - Writing

    /// Draws changes of each kind, and another one, that leave the mark of AUTOINCREMENT as it is.
    private func changes(_ dice: inout Dice) -> [Change] {
        var (draft, changes) = (model, [Change]())
        func way() -> Change.Way { dice.once(in: 2) ? .record : .sql }
        func add(_ change: Change?) {
            guard let change else { return }
            var new = draft
            change.apply(to: &new, world.shape)
            let isNumbered = world.shape.key == .autoincrement
            if isNumbered, (new.items.keys.max() ?? 0) > (model.items.keys.max() ?? 0) { return }
            if !world.allows(new) { return }
            draft = new
            changes.append(change)
        }
        func free() -> Int64 { (0...).first { draft.items[$0] == nil } ?? 0 }
        add(.insert([ItemRow(id: free(), &dice)], way()))
        if var row = dice.element(of: draft.rows) {
            (row.name, row.note, row.stars) = ("copied gamma", "alpha copied", 4)
            add(.update(row, way()))
        }
        add(dice.element(of: draft.rows).map { .move($0, to: free(), replacing: false, way()) })
        add(dice.element(of: draft.rows).map { .delete($0, way()) })
        add(Change.random(draft, world.shape, &dice))
        return changes
    }

    func write(_ change: Change) throws {
        try database.blocking.write { connection in
            try surround(connection) { try change.run($0, world.verbs, world.shape) }
        }
        take(change)
    }

    /// Takes note of a change that was merged.
    func take(_ change: Change) { change.apply(to: &model, world.shape) }

    /// Checks the rows of the copy, and the oracles of the features in it.
    func check() throws {
        try database.blocking.read { try require(world.rows(of: $0), equals: model, "rows of a copy that was written") }
        try database.blocking.writeWithoutTransaction { connection in
            try world.checkStructure(connection, "a copy that was written")
            for part in world.parts { try part.checkWritten(connection, model) }
        }
    }

    // MARK: - Undoing

    /// A history of the copy has no steps, and undoes its own.
    private func undo(_ dice: inout Dice) throws {
        let names: [String] = try database.blocking.read { connection in
            try connection.query(
                """
                SELECT name FROM pragma_table_list AS l
                WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@' AND name NOT LIKE 'squall@_%' ESCAPE '@'
                AND EXISTS (SELECT 1 FROM pragma_table_xinfo(l.name, 'main') WHERE pk > 0) ORDER BY name
                """)
        }
        let history = try UndoHistory(database, tables: names)
        try require(!history.canUndo && !history.canRedo, "a history of a copy begins with steps")
        let before = try Self.rows(of: database)
        let (verbs, shape) = (world.verbs, world.shape)
        let change = Change.random(model, shape, &dice)
        var new = model
        change.apply(to: &new, shape)
        if !world.allows(new) { return }
        try history.blocking.write("Change") { try change.run($0, verbs, shape) }
        try require(history.canUndo || new == model, "a history of a copy has no step of \(change)")
        try require(history.blocking.undo() == (new != model) || new == model, "a history of a copy has undone nothing")
        try require(Self.rows(of: database), equals: before, "content of a copy after an undo")
    }

    /// The content without the tables in which indexes and logs are, whose bytes depend on how they were written.
    private static func rows(of database: Database) throws -> [String] {
        try content(of: database).filter { !$0.hasPrefix("the shadow ") && !$0.hasPrefix("the table squall_") }
    }

    // MARK: - Content

    /// Returns the structure of a database and the rows of all its tables, as texts.
    static func content(of database: Database) throws -> [String] {
        try database.blocking.read { try content(of: $0) }
    }

    static func content(of connection: Connection) throws -> [String] {
        let reads = try ObjectRead.objects(of: connection)
        let numbers: [Int] = [
            try connection.query("PRAGMA main.user_version"), try connection.query("PRAGMA main.application_id"),
        ]
        // VACUUM INTO does not copy a table of the marks of AUTOINCREMENT that is empty.
        let schema: [String] = try connection.query(
            """
            SELECT type || ' ' || name || ' of ' || tbl_name || ': ' || ifnull(sql, '') FROM main.sqlite_schema
            WHERE name <> 'sqlite_sequence' ORDER BY 1
            """)
        return try ["the numbers \(numbers)"] + schema
            + zip(reads, ObjectRead.texts(of: reads, connection)).map { "\($0.name): \($1)" }
    }
}

extension World {
    /// Returns the structure of the database and the rows of all its tables, as texts; `nil` beside another process, which changes them.
    func content() throws -> [String]? { hasOutsider ? nil : try UsedCopy.content(of: database) }
}
