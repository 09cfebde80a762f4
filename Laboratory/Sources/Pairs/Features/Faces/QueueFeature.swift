import Squall

/// A queue and a pool of connections of the program.
final class QueueFeature: FeatureParts {
    private var queue: ConnectionQueue?
    private var pool: ConnectionPool?

    func setUp(_ world: World) throws {}

    func start(_ world: World) throws {
        if world.settings.isInMemory { return }
        world.declare("queue", "ConnectionQueue")
        world.log(
            """
            do {
                let connection = try Connection(path, mode: .existing, configuration: configuration)
                try prepare(connection)
                queue = ConnectionQueue(connection: connection)
            }
            """)
        let preparations = world.settings.preparations
        let prepare: @Sendable (Connection) throws -> Void = { for prepare in preparations { try prepare($0) } }
        let connection = try Connection(
            "\(world.folder)/main.db", mode: .existing, configuration: world.settings.configuration)
        try prepare(connection)
        queue = ConnectionQueue(connection: connection)
        pool = ConnectionPool(
            storageLocation: .onDisk("\(world.folder)/main.db"), configuration: world.settings.configuration,
            connectionPreparation: prepare)
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        guard let queue else { return }
        var new = world.model
        let change = Change.random(new, world.shape, &dice)
        change.apply(to: &new, world.shape)
        if !world.allows(new) { return }
        world.log("_ = try queue.executeInTransaction { c in \(change.swift(world.shape)) }")
        try queue.executeInTransaction { try change.run($0, world.verbs, world.shape) }
        try world.commit(new, by: self, .outside)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        try pool?.execute { try world.checkRows($0, "a pool") }
        try queue?.execute { try world.checkRows($0, "a queue") }
    }

    func stop() { (queue, pool) = (nil, nil) }
}
