import Squall

/// Savepoints inside a transaction, of which some are rolled back.
final class SavepointFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        var (new, draft) = (world.model, world.model)
        let kept = Change.random(new, world.shape, &dice)
        kept.apply(to: &new, world.shape)
        draft = new
        let dropped = Change.random(draft, world.shape, &dice)
        let last = Change.random(new, world.shape, &dice)
        last.apply(to: &new, world.shape)
        if world.shape.reference == .deferred, !new.hasAllAuthors { return }
        let (verbs, shape) = (world.verbs, world.shape)
        world.log(
            transaction: [
                "try c.savepoint { \(kept.swift(shape)) }",
                "_ = try? c.savepoint { \(dropped.swift(shape)); throw CancellationError() }", last.swift(shape),
            ])
        try world.transaction { connection in
            try connection.savepoint { try kept.run(connection, verbs, shape) }
            do {
                try connection.savepoint {
                    try dropped.run(connection, verbs, shape)
                    throw InjectedError()
                }
            } catch is InjectedError {}
            try last.run(connection, verbs, shape)
        }
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}
