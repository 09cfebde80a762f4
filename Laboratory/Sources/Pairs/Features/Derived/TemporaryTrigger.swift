import Squall

/// TEMP triggers of the writer that count the rows of `items` for the program.
final class TemporaryTrigger: FeatureParts {
    private let suffix: String

    init(_ suffix: String) { self.suffix = suffix }

    func setUp(_ world: World) throws {}

    private var statements: String {
        """
        CREATE TEMP TABLE seen_\(suffix)(rows INTEGER NOT NULL);
        INSERT INTO seen_\(suffix) SELECT count(*) FROM main.items;
        CREATE TEMP TRIGGER seen_insert_\(suffix) AFTER INSERT ON main.items BEGIN
        UPDATE seen_\(suffix) SET rows = rows + 1; END;
        CREATE TEMP TRIGGER seen_delete_\(suffix) AFTER DELETE ON main.items BEGIN
        UPDATE seen_\(suffix) SET rows = rows - 1; END
        """
    }

    func start(_ world: World) throws {
        world.log("try db.blocking.writeWithoutTransaction { try $0.execute(#\"\"\"\n\(statements)\n\"\"\"#) }")
        try world.database.blocking.writeWithoutTransaction { try $0.execute("\(raw: statements)") }
    }

    func resumed(_ world: World) throws {
        if !world.settings.isInMemory { try start(world) }
    }

    /// TEMP triggers run neither in an undo and a merge nor for other connections: the program counts again.
    func committed(_ commit: Commit, _ world: World) throws {
        if commit.origin == .surrounded { return }
        if commit.author is UndoFeature || commit.author is SubsetHistories {
            try check(world, commit.before, "with an undo")
        }
        world.log(
            """
            try db.blocking.writeWithoutTransaction {
                try $0.run("UPDATE temp.seen_\(suffix) SET rows = (SELECT count(*) FROM main.items)")
            }
            """)
        try world.database.blocking.writeWithoutTransaction {
            try $0.run("UPDATE temp.\(name: "seen_\(suffix)") SET rows = (SELECT count(*) FROM main.items)")
        }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        try world.write([.deletePart(Int64(dice.number(below: 3)))], nil, &dice)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws { try check(world, world.model, "by each statement") }

    private func check(_ world: World, _ model: Model, _ time: String) throws {
        let count: Int = try world.database.blocking.writeWithoutTransaction {
            try $0.query("SELECT rows FROM temp.\(name: "seen_\(suffix)")")
        }
        try require(count == model.items.count, "TEMP triggers \(time) have counted \(count), not \(model.items.count)")
    }
}
