import Squall

/// A second `Database` of the same file, which stays open, reads and writes.
final class OtherDatabase: FeatureParts {
    private var other: Database?

    func setUp(_ world: World) throws {}

    func start(_ world: World) throws {
        if world.settings.isInMemory { return }
        other = try world.openOther("other")
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        guard let other else { return }
        var new = world.model
        let change = Change.random(new, world.shape, &dice)
        change.apply(to: &new, world.shape)
        if world.shape.reference == .deferred, !new.hasAllAuthors { return }
        world.log("try other.blocking.write { c in \(change.swift(world.shape)) }")
        try other.blocking.write { try change.run($0, world.verbs, world.shape) }
        try world.commit(new, by: self, .outside)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        try other?.blocking.read { try world.checkRows($0, "another database") }
    }

    func stop() {
        try? other?.blocking.close()
        other = nil
    }
}
