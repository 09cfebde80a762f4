import Squall
import SquallChanges

/// Changes of some of the common tables, which are applied to a copy that has changed too, with each answer to its conflicts.
final class DivergedCopy: FeatureParts {
    private let suffix: String
    private var number = 0

    init(_ suffix: String) { self.suffix = suffix }

    func setUp(_ world: World) throws {
        // The tables that cannot be recorded are refused.
        try world.database.blocking.read { _ = try $0.recordChanges(in: "authors", "items") { _ in } }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        let shape = world.shape
        // The copy does not have the values that features write, and a collation makes other values equal.
        if shape.hasColumnsOfFeatures || shape.hasTouch || shape.collation != nil || shape.lateColumn != nil { return }
        number += 1
        let name = "copy_\(suffix)\(number)"
        let copy = try makeCopy(name, world)
        defer { copy.close() }
        let before = world.model
        // The copy gets another item of an owner who is deleted with his items.
        let owner = shape.reference == nil || dice.once(in: 2) ? nil : sharedOwner(before, &dice)
        let tables =
            owner == nil ? dice.choice(of: [["authors"], ["items"], ["authors", "items"]]) : ["authors", "items"]
        let removal = owner.map { removing($0, before, shape) }
        guard let changes = try record(tables, removal, world, &dice) else { return }
        func part(_ model: Model) -> Model {
            var part = model
            if !tables.contains("items") { part.items = [:] }
            if !tables.contains("authors") { part.authors = [:] }
            return part
        }
        let other = try diverge(copy, name, before, adding: owner, world, &dice)
        let replaces = dice.once(in: 2)
        let expected = AppliedChanges(
            of: part(before), to: part(world.model), in: other, replaces: replaces, runsActions: tables == ["authors"],
            shape)
        // Where triggers of the program may run, the actions of foreign keys run again, and the recorded ones meet their rows.
        let runsTriggers = dice.once(in: 2) && !(tables.count > 1 && removesOwners(before, world))
        try apply(
            changes, copy, name, other, expected, aborts: dice.once(in: 3), replaces: replaces, runsTriggers, world)
    }

    /// Makes a copy of the common tables, with a trigger that counts.
    private func makeCopy(_ name: String, _ world: World) throws -> Connection {
        let definition =
            world.shape.definition
            + "; CREATE TABLE fired(item); CREATE TRIGGER fires AFTER INSERT ON items BEGIN INSERT INTO fired VALUES(new.id); END"
        var rows = world.model.authors.sorted { $0.key < $1.key }.map { id, name in
            "INSERT INTO authors VALUES(\(id), '\(name)')"
        }
        rows += world.model.rows.map { row in
            "INSERT INTO items(\(TableShape.columns.joined(separator: ", "))) "
                + "VALUES(\(row.sqlValues(world.shape).joined(separator: ", ")))"
        }
        let copy = try world.connection(":memory:", .create)
        world.log("let \(name) = try Connection(\":memory:\", configuration: configuration)\ntry prepare(\(name))")
        for statement in [definition] + rows + ["DELETE FROM fired"] {
            world.log("try \(name).execute(#\"\(statement)\"#)")
            try copy.execute("\(raw: statement)")
        }
        return copy
    }

    /// Whether owners of items were deleted, so that the action of a foreign key may be among the changes.
    private func removesOwners(_ before: Model, _ world: World) -> Bool {
        let owners = before.items.values.compactMap(\.owner)
        return world.shape.reference != nil
            && owners.contains { before.authors[$0] != nil && world.model.authors[$0] == nil }
    }

    /// Returns an owner of items.
    private func sharedOwner(_ model: Model, _ dice: inout Dice) -> Int64? {
        dice.element(of: model.rows.compactMap(\.owner).filter { model.authors[$0] != nil })
    }

    /// Returns changes after which no item has an owner, by the action of the foreign key where it does not refuse.
    private func removing(_ owner: Int64, _ model: Model, _ shape: TableShape) -> [Change] {
        let removal = Change.deleteAuthor(owner)
        if shape.reference != .deferred, !model.refuses(removal, shape) { return [removal] }
        return model.rows.filter { $0.owner == owner }.map { .delete($0, .sql) } + [removal]
    }

    /// Makes changes in the database, and records those of some tables.
    private func record(
        _ tables: [String], _ given: [Change]?, _ world: World, _ dice: inout Dice
    ) throws -> Changeset? {
        var (new, changes) = (world.model, given ?? [])
        for change in changes { change.apply(to: &new, world.shape) }
        if given == nil {
            for _ in 0...dice.number(below: 3) {
                let change = Change.random(new, world.shape, &dice)
                change.apply(to: &new, world.shape)
                changes.append(change)
            }
        }
        if !world.allows(new) { return nil }
        let list = tables.map { "\"\($0)\"" }.joined(separator: ", ")
        world.log("var recorded_\(suffix)\(number): Changeset!")
        world.log(
            transaction: ["recorded_\(suffix)\(number) = try c.recordChanges(in: \(list)) { c in"]
                + changes.map { "    \($0.swift(world.shape))" } + ["}"])
        var recorded: Changeset?
        try world.transaction { connection in
            let recorder = try connection.startRecording(in: tables)
            defer { recorder.stop() }
            for change in changes { try change.run(connection, world.verbs, world.shape) }
            recorded = try recorder.changeset()
        }
        try world.commit(new, by: self, .surrounded)
        return recorded
    }

    /// Changes the copy, and returns its rows.
    private func diverge(
        _ copy: Connection, _ name: String, _ before: Model, adding owner: Int64?, _ world: World, _ dice: inout Dice
    ) throws -> Model {
        var model = before
        for number in 0..<(owner == nil ? dice.number(below: 3) : 1 + dice.number(below: 2)) {
            var change = Change.random(model, world.shape, &dice)
            if number == 0, let owner {
                var row = ItemRow(id: (70...).first { before.items[$0] == nil } ?? 70, &dice)
                (row.owner, row.code) = (owner, nil)
                change = .insert([row], .sql)
            }
            var new = model
            change.apply(to: &new, world.shape)
            if !world.allows(new) { continue }
            world.log(change.swift(world.shape).replacing("try c.", with: "try \(name)."))
            try change.run(copy, world.verbs, world.shape)
            model = new
        }
        try require(world.rows(of: copy), equals: model, "rows of a copy that was changed")
        try copy.run("DELETE FROM fired")
        return model
    }

    private func apply(
        _ changes: Changeset, _ copy: Connection, _ name: String, _ before: Model, _ expected: AppliedChanges,
        aborts: Bool, replaces: Bool, _ runsTriggers: Bool, _ world: World
    ) throws {
        let answer =
            aborts ? "$0; return .abort" : "(\(replaces) && [.data, .conflict].contains($0.kind)) ? .replace : .omit"
        world.log(
            """
            _ = try? \(name).apply(recorded_\(suffix)\(number), options: \(runsTriggers ? "[]" : ".withoutTriggers")) {
                \(aborts ? "_ = " : "")\(answer)
            }
            """)
        var kinds: Set<Changeset.Conflict.Kind> = []
        do {
            try copy.apply(changes, options: runsTriggers ? [] : .withoutTriggers) { conflict in
                kinds.insert(conflict.kind)
                if aborts { return .abort }
                return replaces && [.data, .conflict].contains(conflict.kind) ? .replace : .omit
            }
        } catch let error as SQLiteError where aborts && !kinds.isEmpty {
            guard case .aborted? = error.problem(ChangesetProblem.self) else { throw error }
            try require(
                expected.isConstrained || !expected.kinds.isDisjoint(with: kinds),
                "applying changes has the conflicts \(kinds), not \(expected.kinds)")
            return try require(world.rows(of: copy), equals: before, "rows of a copy whose changes were aborted")
        }
        try check(copy, expected, before, kinds, runsTriggers, world)
    }

    private func check(
        _ copy: Connection, _ expected: AppliedChanges, _ before: Model, _ kinds: Set<Changeset.Conflict.Kind>,
        _ runsTriggers: Bool, _ world: World
    ) throws {
        let problems: [String] = try copy.query("PRAGMA integrity_check")
        let orphans: [String] = try copy.query("SELECT \"table\" FROM pragma_foreign_key_check")
        // The answer keeps a violation that it was asked about.
        let isKnown = orphans.isEmpty != kinds.contains(.foreignKey)
        try require(problems == ["ok"] && isKnown, "a copy with changes: \(problems), \(orphans), \(kinds)")
        let fired: Int = try copy.query("SELECT count(*) FROM fired")
        if !runsTriggers { try require(fired == 0, "a trigger has run \(fired) times without triggers") }
        let rows = try world.rows(of: copy)
        if !expected.isConstrained {
            try require(kinds == expected.kinds, "applying changes has the conflicts \(kinds), not \(expected.kinds)")
            try require(rows, equals: expected.model, "rows of a copy with changes")
            let isExact = runsTriggers && !kinds.contains(.conflict)
            return try require(
                !isExact || fired == expected.inserted, "a trigger has run \(fired) times, not \(expected.inserted)")
        }
        // A constraint leaves a row as it was, or changes it; the action of a foreign key changes the owner.
        for (id, row) in rows.items {
            let isOwn = [before.items[id], expected.model.items[id]].contains { other in
                guard var other else { return false }
                if row.owner == nil || row.owner == 0 { other.owner = row.owner }
                return other == row
            }
            try require(isOwn, "a copy has a row that neither side has: \(row.fingerprint)")
        }
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}
