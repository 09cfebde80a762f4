import Foundation
import Squall

/// A copy of the whole database, which must have all that the database has. Some copies are opened and written.
final class CopyFeature: FeatureParts {
    enum Way: String {
        case backup, vacuumInto, serialize, vacuum
    }

    private let way: Way
    private let suffix: String
    /// Whether a copy was used.
    private var hasUsed = false
    /// Whether the next copy is used.
    private var mustUse = false

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
            let place = dice.choice(of: ["main", "aside"])
            let call = "c.backup(databaseNamed: name, to: other, as: \"\(place)\", pagesPerStep: -1).run()"
            try checkAttached(world, swift: call, as: place) {
                try $0.backup(databaseNamed: $1, to: $2, as: place, pagesPerStep: -1).run()
            }
        case .vacuumInto:
            world.log("try db.blocking.vacuum(into: \"\\(folder)/copy_\(suffix).db\")")
            try world.database.blocking.vacuum(into: path)
            // A second one finds a database, and leaves it as it is.
            do {
                try world.database.blocking.vacuum(into: path)
                throw Violation(description: "a copy was written over another one")
            } catch is SQLiteError {}
            let path = "\(world.folder)/attached_\(suffix).db"
            try? FileManager.default.removeItem(atPath: path)
            let file = "\"\\(folder)/attached_\(suffix).db\""
            let call = "c.vacuum(databaseNamed: name, into: \(file)); try Connection(\(file)).backup(to: other).run()"
            world.log("try? FileManager.default.removeItem(atPath: \(file))")
            try checkAttached(world, swift: call) {
                try $0.vacuum(databaseNamed: $1, into: path)
                let copy = try Connection(path)
                defer { copy.close() }
                try copy.backup(to: $2).run()
            }
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
            try world.checkFile(copy, "a copy of bytes")
            if isUsed(&dice) { try UsedCopy.use(bytes: bytes, world, &dice) }
            return
        case .vacuum:
            world.log("try db.blocking.vacuum()")
            try world.database.blocking.vacuum()
            let call = "c.vacuum(databaseNamed: name); try other.deserialize(c.serialize(databaseNamed: name))"
            try checkAttached(world, swift: call) {
                try $0.vacuum(databaseNamed: $1)
                try $2.deserialize($0.serialize(databaseNamed: $1))
            }
            return try world.check()
        }
        try world.checkCopy(path)
        if isUsed(&dice) { try UsedCopy.use(path, world, &dice) }
    }

    private func isUsed(_ dice: inout Dice) -> Bool {
        let isUsed = mustUse || dice.once(in: 6)
        if isUsed { (hasUsed, mustUse) = (true, false) }
        return isUsed
    }

    /// At least one copy of each run is used.
    func end(_ world: World) throws {
        if hasUsed || way == .vacuum { return }
        mustUse = true
        var dice = Dice(seed: UInt64(world.model.items.count))
        try step(world, &dice)
    }

    /// Copies a database that the writer attaches, which must have none of the tables of the file.
    ///
    /// - Parameters:
    ///   - swift: The Swift of the closure.
    ///   - destination: The database of the connection that gets the copy: `main`, or `aside`, which is attached.
    ///   - copy: Copies the database of a name into a connection.
    private func checkAttached(
        _ world: World, swift: String, as destination: String = "main",
        _ copy: (Connection, String, Connection) throws -> Void
    ) throws {
        let (name, place) = ("attached_\(suffix)", StorageLocation.inMemory)
        world.log(
            """
            try db.blocking.writeWithoutTransaction { c in
                let (name, other) = ("\(name)", try Connection(":memory:"))
                try other.attachDatabase(from: .inMemory, withName: "aside")
                try c.attachDatabase(from: .inMemory, withName: name)
                try c.execute("CREATE TABLE \(name).lines(text TEXT); INSERT INTO \(name).lines VALUES('attached')")
                try \(swift)
                #expect(try other.query("SELECT text FROM \(destination).lines") == "attached")
            }
            """)
        let other = try Connection(":memory:")
        defer { other.close() }
        try other.attachDatabase(from: .inMemory, withName: "aside")
        try world.database.blocking.writeWithoutTransaction { connection in
            try connection.attachDatabase(from: place, withName: name)
            try connection.execute(
                "CREATE TABLE \(name: name).lines(text TEXT); INSERT INTO \(name: name).lines VALUES('attached')")
            try copy(connection, name, other)
        }
        let tables: [String] = try other.query("SELECT name FROM \(name: destination).sqlite_schema ORDER BY name")
        try require(tables == ["lines"], "the copy of an attached database has the tables \(tables)")
        let lines: [String] = try other.query("SELECT text FROM \(name: destination).lines")
        try require(lines == ["attached"], "the copy of an attached database has the rows \(lines)")
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}
}
