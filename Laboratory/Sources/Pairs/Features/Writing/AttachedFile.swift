import Foundation
import Squall

/// A second file, attached to the writer, in which each transaction writes a line.
final class AttachedFile: FeatureParts {
    private let suffix: String
    private var lines = 0
    private var pending = 0

    init(_ suffix: String) { self.suffix = suffix }

    /// The name under which the file is attached.
    var name: String { "extra_\(suffix)" }

    /// Writes the table of the same name in the other file, directly after the rows of the transaction, and a line.
    private var insertions: String {
        "INSERT INTO \(name).items(other) VALUES('y'); INSERT INTO \(name).lines DEFAULT VALUES"
    }

    /// The file is attached in the preparation of the writer: what a closure attaches is detached at its end.
    func configure(_ settings: inout WorldSettings) {
        let (path, name) = ("\(settings.folder)/\(name).db", name)
        settings.swift.writerPreparation.append(
            """
            try c.attachDatabase(from: .onDisk("\\(folder)/\(name).db"), withName: "\(name)")
            try c.execute("CREATE TABLE IF NOT EXISTS \(name).lines(id INTEGER PRIMARY KEY)")
            try c.execute("CREATE TABLE IF NOT EXISTS \(name).items(id INTEGER PRIMARY KEY, other TEXT)")
            """)
        settings.writerPreparations.append { connection in
            try connection.attachDatabase(from: .onDisk(path), withName: name)
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS \(name: name).lines(id INTEGER PRIMARY KEY);
                CREATE TABLE IF NOT EXISTS \(name: name).items(id INTEGER PRIMARY KEY, other TEXT)
                """)
        }
    }

    func setUp(_ world: World) throws {}

    var swift: FeatureSwift {
        FeatureSwift(lastLine: "try c.execute(\"\(insertions)\")")
    }

    /// A transaction of two files in WAL is not atomic where a process is killed.
    func resume(_ world: World, as former: any FeatureParts) throws { lines = try count(world) }

    private func count(_ world: World) throws -> Int {
        try world.database.blocking.writeWithoutTransaction { try $0.query("SELECT count(*) FROM \(name: name).lines") }
    }

    func surround(_ connection: Connection, _ body: (Connection) throws -> Void) throws {
        pending = 0
        try body(connection)
        try connection.execute("\(raw: insertions)")
        pending = 1
    }

    func committed(_ commit: Commit, _ world: World) throws {
        if commit.origin == .surrounded { lines += pending }
        pending = 0
    }

    /// Writes the table of the same name in the other file.
    func step(_ world: World, _ dice: inout Dice) throws {
        world.log("try db.blocking.write { try $0.run(\"INSERT INTO \(name).items(other) VALUES('x')\") }")
        try world.database.blocking.write { try $0.run("INSERT INTO \(name: name).items(other) VALUES('x')") }
        try world.check()
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        let count = try count(world)
        try require(count == lines, "the attached file has \(count) of \(lines) lines")
    }
}
