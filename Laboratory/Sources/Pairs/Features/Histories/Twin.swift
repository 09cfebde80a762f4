import Squall
import SquallChanges

/// Another file with the common tables, to which changes of the database are applied.
struct Twin {
    let connection: Connection

    /// Creates the file with the rows of the database.
    init(_ world: World, _ name: String) throws {
        world.log("let twin = try Connection(twinPath); try twin.execute(#\"\(world.shape.definition)\"#)")
        connection = try world.connection("\(world.folder)/\(name).db", .create)
        try connection.execute("\(raw: world.shape.definition)")
        // The tables that cannot be recorded are refused.
        try world.database.blocking.read { _ = try $0.recordChanges(in: "authors", "items") { _ in } }
        try copyAll(world)
    }

    /// Applies the difference of the files.
    func copyAll(_ world: World) throws {
        world.log(
            "try twin.apply(db.blocking.writeWithoutTransaction { try $0.difference(from: twinPath, tables: [\"authors\", \"items\"]) })"
        )
        let difference = try world.database.blocking.writeWithoutTransaction {
            try $0.difference(from: connection.fileName, tables: ["authors", "items"])
        }
        try connection.apply(difference)
    }

    func require(_ model: Model, _ world: World, _ subject: String) throws {
        try Pairs.require(world.rows(of: connection).fingerprints, equals: model.fingerprints, subject)
    }

    func check() throws {
        let problems: [String] = try connection.query("PRAGMA integrity_check")
        try Pairs.require(problems == ["ok"], "integrity_check of the twin: \(problems)")
    }
}
