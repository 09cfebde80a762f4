import Foundation
import Squall

/// A copy of the whole database, which must have all that the database has.
final class CopyFeature: FeatureParts {
    enum Way: String {
        case backup, vacuumInto, serialize, vacuum
    }

    private let way: Way
    private let suffix: String

    init(_ way: Way, _ suffix: String) { (self.way, self.suffix) = (way, suffix) }

    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        let path = "\(world.folder)/copy_\(suffix).db"
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        world.log("try? FileManager.default.removeItem(atPath: \"\\(folder)/copy_\(suffix).db\")")
        switch way {
        case .backup:
            let count = Int32(dice.number(below: 5)) + 1
            world.log("try db.blocking.backup(to: \"\\(folder)/copy_\(suffix).db\", pagesPerStep: \(count))")
            try world.database.blocking.backup(to: path, pagesPerStep: count)
            try checkAttached(world, swift: "c.backup(databaseNamed: name, to: other, pagesPerStep: -1).run()") {
                try $0.backup(databaseNamed: $1, to: $2, pagesPerStep: -1).run()
            }
        case .vacuumInto:
            world.log("try db.blocking.vacuum(into: \"\\(folder)/copy_\(suffix).db\")")
            try world.database.blocking.vacuum(into: path)
            // A second one finds a database, and leaves it as it is.
            do {
                try world.database.blocking.vacuum(into: path)
                throw Violation(description: "a copy was written over another one")
            } catch is SQLiteError {}
        case .serialize:
            world.log(
                "try Connection(\":memory:\").deserialize(db.blocking.writeWithoutTransaction { try $0.serialize() })"
            )
            let bytes = try world.database.blocking.writeWithoutTransaction { try $0.serialize() }
            let copy = try world.connection(":memory:", .create)
            defer { copy.close() }
            try copy.deserialize(bytes)
            try checkAttached(world, swift: "other.deserialize(c.serialize(databaseNamed: name))") {
                try $2.deserialize($0.serialize(databaseNamed: $1))
            }
            return try world.checkFile(copy, "a copy of bytes")
        case .vacuum:
            world.log("try db.blocking.vacuum()")
            try world.database.blocking.vacuum()
            return try world.check()
        }
        try world.checkCopy(path)
    }

    /// Copies a database that the writer attaches, which must have none of the tables of the file.
    ///
    /// - Parameters:
    ///   - swift: The Swift of the closure.
    ///   - copy: Copies the database of a name into a connection.
    private func checkAttached(
        _ world: World, swift: String, _ copy: (Connection, String, Connection) throws -> Void
    ) throws {
        let (name, place) = ("attached_\(suffix)", StorageLocation.inMemory)
        world.log(
            """
            try db.blocking.writeWithoutTransaction { c in
                let (name, other) = ("\(name)", try Connection(":memory:"))
                try c.attachDatabase(from: .inMemory, withName: name)
                try c.execute("CREATE TABLE \(name).lines(text TEXT); INSERT INTO \(name).lines VALUES('attached')")
                try \(swift)
                #expect(try other.query("SELECT text FROM lines") == "attached")
            }
            """)
        let other = try Connection(":memory:")
        defer { other.close() }
        try world.database.blocking.writeWithoutTransaction { connection in
            try connection.attachDatabase(from: place, withName: name)
            try connection.execute(
                "CREATE TABLE \(name: name).lines(text TEXT); INSERT INTO \(name: name).lines VALUES('attached')")
            try copy(connection, name, other)
        }
        let tables: [String] = try other.query("SELECT name FROM sqlite_schema ORDER BY name")
        try require(tables == ["lines"], "the copy of an attached database has the tables \(tables)")
        let lines: [String] = try other.query("SELECT text FROM lines")
        try require(lines == ["attached"], "the copy of an attached database has the rows \(lines)")
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}
}
