import Squall
import SquallChanges

/// Another file with the common tables, to which changes of the database are applied.
struct Twin {
    let connection: Connection
    /// The variable in the Swift of the run.
    private let name: String

    /// Creates the file with the rows of the database.
    init(_ world: World, _ name: String) throws {
        self.name = name
        world.log(
            """
            let \(name) = try Connection("\\(folder)/\(name).db", configuration: configuration)
            try prepare(\(name))
            try \(name).execute(#"\(world.shape.definition)"#)
            """)
        connection = try world.connection("\(world.folder)/\(name).db", .create)
        try connection.execute("\(raw: world.shape.definition)")
        // The tables that cannot be recorded are refused.
        try world.database.blocking.read { _ = try $0.recordChanges(in: "authors", "items") { _ in } }
        try copyAll(world)
    }

    /// Opens the file again, and gives it the rows of the database.
    init(resuming name: String, _ world: World) throws {
        self.name = name
        connection = try world.connection("\(world.folder)/\(name).db")
        try copyAll(world)
    }

    /// Applies the difference of the files.
    func copyAll(_ world: World) throws {
        world.log(
            """
            try \(name).apply(db.blocking.writeWithoutTransaction {
                try $0.difference(from: \(name).fileName, tables: ["authors", "items"])
            })
            """)
        // Without the rows that have exchanged their codes, all are new.
        if try world.rows(of: connection).hasExchangedCodes(with: world.model) {
            try connection.run("DELETE FROM main.items")
        }
        let difference = try world.database.blocking.writeWithoutTransaction {
            try $0.difference(from: connection.fileName, tables: ["authors", "items"])
        }
        try connection.apply(difference)
    }

    func require(_ model: Model, _ world: World, _ subject: String) throws {
        try Pairs.require(world.rows(of: connection), equals: model, subject)
    }

    func check() throws {
        let problems: [String] = try connection.query("PRAGMA integrity_check")
        try Pairs.require(problems == ["ok"], "integrity_check of the twin: \(problems)")
    }
}
