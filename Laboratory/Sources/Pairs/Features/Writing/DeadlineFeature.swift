import Squall

/// Transactions that reach their deadline, and leave nothing.
final class DeadlineFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        let change = Change.random(world.model, world.shape, &dice)
        let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        world.log(
            "_ = try? db.blocking.write(deadline: .milliseconds(5)) { c in \(change.swift(world.shape)); let _: Int = try c.query(\"\(endless)\") }"
        )
        do {
            try world.database.blocking.write(deadline: .milliseconds(5)) { connection in
                try change.run(connection, world.verbs, world.shape)
                let _: Int = try connection.query(endless)
            }
            throw Violation(description: "an endless transaction has ended")
        } catch ResultCode.interrupt {
            // Where one of many records is interrupted, the error also has its number.
            try world.check()
        }
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}
