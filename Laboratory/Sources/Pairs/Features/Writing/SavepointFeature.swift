import Squall

/// Savepoints inside a transaction, of which some are rolled back, or lost with it.
final class SavepointFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        if dice.once(in: 4) { return try loseTransaction(world, &dice) }
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

    /// Inserts many records, of which one lets SQLite roll the whole transaction back: nothing of it remains, and its closure cannot go on.
    private func loseTransaction(_ world: World, _ dice: inout Dice) throws {
        let (verbs, shape) = (world.verbs, world.shape)
        // The trigger is lost with the transaction.
        let trigger = """
            CREATE TEMP TRIGGER fatal BEFORE INSERT ON main.items WHEN new.name = 'fatal' COLLATE BINARY BEGIN \
            SELECT RAISE(ROLLBACK, 'fatal'); END
            """
        let before = Change.random(world.model, shape, &dice)
        // More than one statement takes.
        var rows = (500..<570).map { ItemRow(id: $0) }
        rows[dice.number(below: rows.count)].name = "fatal"
        let (insert, later) = (Change.insert(rows, .record), Change.insertAuthor(900))
        world.log(
            transaction: [
                "try c.execute(\"\(trigger)\")", before.swift(shape), "_ = try? \(insert.swift(shape).dropFirst(4))",
                later.swift(shape),
            ], failing: "the transaction is lost")
        do {
            try world.transaction { connection in
                try connection.execute("\(raw: trigger)")
                try before.run(connection, verbs, shape)
                do {
                    try insert.run(connection, verbs, shape)
                    throw Violation(description: "records were inserted, and a trigger has raised ROLLBACK")
                } catch {
                    // Not that of the records that it has tried afterwards.
                    guard ResultCode.constraintTrigger ~= error else {
                        throw Violation(description: "the error of a lost transaction is \(error)")
                    }
                }
                do {
                    try later.run(connection, verbs, shape)
                    throw Violation(description: "a statement was run after its transaction was lost")
                } catch ResultCode.transactionLost {}
            }
            throw Violation(description: "a transaction that was lost has been committed")
        } catch ResultCode.transactionLost {}
        try world.check()
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}
