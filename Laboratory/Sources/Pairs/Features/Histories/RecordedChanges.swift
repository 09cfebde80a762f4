import Squall
import SquallChanges

/// Changes that are recorded and applied to a twin of the common tables.
final class RecordedChanges: FeatureParts {
    private let suffix: String
    private var twin: Connection?
    private var recorded: Changeset?
    /// The number of changesets.
    private var number = 0

    init(_ suffix: String) { self.suffix = suffix }

    func setUp(_ world: World) throws {
        let path = "\(world.folder)/twin_\(suffix).db"
        let twin = try world.connection(path, .create)
        self.twin = twin
        world.log(
            """
            let twin_\(suffix) = try Connection("\\(folder)/twin_\(suffix).db", configuration: configuration)
            try prepare(twin_\(suffix))
            try twin_\(suffix).execute(#"\(world.shape.definition)"#)
            var changes_\(suffix): Changeset!
            """)
        try twin.execute("\(raw: world.shape.definition)")
        try world.database.blocking.read { _ = try $0.recordChanges(in: "authors", "items") { _ in } }
        try copyAll(world)
    }

    func resume(_ world: World, as former: any FeatureParts) throws {
        twin = try world.connection("\(world.folder)/twin_\(suffix).db")
        try copyAll(world)
    }

    func surround(_ connection: Connection, _ body: (Connection) throws -> Void) throws {
        recorded = nil
        recorded = try connection.recordChanges(in: "authors", "items") { try body($0) }
    }

    var swift: FeatureSwift {
        FeatureSwift(
            surrounding: "changes_\(suffix) = try c.recordChanges(in: \"authors\", \"items\")",
            expectations: ["#expect(try Set(twin_\(suffix).table(items).all()) == Set(expected))"])
    }

    func committed(_ commit: Commit, _ world: World) throws {
        guard let twin else { return }
        if commit.origin == .surrounded, let recorded {
            world.log("try twin_\(suffix).apply(changes_\(suffix))")
            try twin.apply(recorded)
            if number % 3 == 0 { try takeBack(recorded, commit, world) }
            number += 1
            self.recorded = nil
        } else {
            try copyAll(world)
        }
        try world.checkCopiedRows(twin, "the twin")
    }

    /// Takes changes back in the twin, and applies them again.
    private func takeBack(_ changes: Changeset, _ commit: Commit, _ world: World) throws {
        guard let twin else { return }
        world.log(
            """
            try twin_\(suffix).apply(changes_\(suffix).inverted())
            try twin_\(suffix).apply(changes_\(suffix))
            """)
        try twin.apply(changes.inverted())
        try require(
            world.rows(of: twin), equals: commit.before,
            "rows of the twin without the changes")
        try twin.apply(changes)
    }

    /// Applies the difference of the files.
    private func copyAll(_ world: World) throws {
        guard let twin else { return }
        world.log(
            """
            try twin_\(suffix).apply(db.blocking.writeWithoutTransaction {
                try $0.difference(from: twin_\(suffix).fileName, tables: ["authors", "items"])
            })
            """)
        let difference = try world.database.blocking.writeWithoutTransaction {
            try $0.difference(from: twin.fileName, tables: ["authors", "items"])
        }
        try twin.apply(difference)
    }

    /// Records changes and takes them back at once.
    func step(_ world: World, _ dice: inout Dice) throws {
        var draft = world.model
        let changes = (0..<3).map { _ in
            let change = Change.random(draft, world.shape, &dice)
            change.apply(to: &draft, world.shape)
            return change
        }
        if world.shape.hasTriggers || (world.shape.reference == .deferred && !draft.hasAllAuthors) { return }
        world.log("try db.blocking.write { c in let changes = try c.recordChanges(in: \"authors\", \"items\") { c in")
        for change in changes { world.log("    " + change.swift(world.shape)) }
        world.log("}; try c.apply(changes.inverted()) }")
        try world.database.blocking.write { connection in
            let recorded = try connection.recordChanges(in: "authors", "items") { connection in
                for change in changes { try change.run(connection, world.verbs, world.shape) }
            }
            try connection.apply(recorded.inverted())
        }
        try world.commit(world.model, by: self, .database)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        guard let twin else { return }
        let problems: [String] = try twin.query("PRAGMA integrity_check")
        try require(problems == ["ok"], "integrity_check of the twin: \(problems)")
    }
}
