import Squall

/// Suspensions, in which a database has no file open.
final class SuspensionFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        world.log("try db.blocking.suspend(); try db.blocking.resume()")
        try world.database.blocking.suspend()
        do {
            try world.database.blocking.write { try $0.run("DELETE FROM items") }
            throw Violation(description: "a suspended database has written")
        } catch let error as SQLiteError where error.problem(DatabaseProblem.self) == .suspended {}
        try world.database.blocking.resume()
        for part in world.parts { try part.resumed(world) }
        try world.check()
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}
