import Squall

/// Another connection that writes to the file.
final class OutsiderFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        if world.settings.isInMemory { return }
        var new = world.model
        let change = Change.random(new, world.shape, &dice)
        change.apply(to: &new, world.shape)
        if world.shape.reference == .deferred, !new.hasAllAuthors { return }
        world.log(
            """
            do {
                let c = try Connection(path, mode: .existing, configuration: configuration)
                try prepare(c)
                try c.transaction { \(change.swift(world.shape)) }
                c.close()
            }
            """)
        let other = try world.connection()
        defer { other.close() }
        try other.transaction { try change.run(other, world.verbs, world.shape) }
        try world.commit(new, by: self, .outside)
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}
