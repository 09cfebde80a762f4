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
        // Only the first change remains of savepoints inside one another.
        let isNested = dice.once(in: 2)
        let last = isNested ? nil : Change.random(new, world.shape, &dice)
        last?.apply(to: &new, world.shape)
        if world.shape.reference == .deferred, !new.hasAllAuthors { return }
        let (verbs, shape) = (world.verbs, world.shape)
        let inner = "_ = try? c.savepoint { \(dropped.swift(shape)); throw CancellationError() }"
        world.log(
            transaction: isNested
                ? ["try c.savepoint { \(kept.swift(shape)); \(inner) }"]
                : ["try c.savepoint { \(kept.swift(shape)) }", inner] + [last?.swift(shape)].compactMap(\.self))
        func drop(_ connection: Connection) throws {
            do {
                try connection.savepoint {
                    try dropped.run(connection, verbs, shape)
                    throw InjectedError()
                }
            } catch is InjectedError {}
        }
        try world.transaction { connection in
            try connection.savepoint {
                try kept.run(connection, verbs, shape)
                if isNested { try drop(connection) }
            }
            if !isNested { try drop(connection) }
            try last?.run(connection, verbs, shape)
        }
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}
