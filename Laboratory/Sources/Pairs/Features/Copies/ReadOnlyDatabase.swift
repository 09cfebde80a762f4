import Squall

/// A second `Database` that can only read the file, and stays open.
final class ReadOnlyDatabase: FeatureParts {
    private var reader: Database?

    func setUp(_ world: World) throws {}

    func start(_ world: World) throws {
        if world.settings.isInMemory { return }
        world.log("let reader = try Database(path, mode: .readOnly)")
        let preparations = world.settings.preparations
        reader = try Database(
            world.database.fileName, mode: .readOnly, configuration: world.settings.configuration
        ) { connection in
            for prepare in preparations { try prepare(connection) }
        }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        guard let reader else { return }
        world.log("try? reader.blocking.write { try $0.run(\"DELETE FROM items\") }")
        do {
            try reader.blocking.write { try $0.run("DELETE FROM items") }
            throw Violation(description: "a database that can only read has written")
        } catch ResultCode.readOnly {}
        try world.check()
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        try reader?.blocking.read { try world.checkRows($0, "a database that can only read") }
    }

    func stop() {
        try? reader?.blocking.close()
        reader = nil
    }
}
