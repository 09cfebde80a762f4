import Foundation
import Squall

/// Reads of a second `Database` of the file, to whose connections another file is attached that only its writes change.
///
/// A reader continues a snapshot of the file while its log is as before, which tells nothing of the other file.
final class AttachedReads {
    private let database: Database

    init(_ world: World) throws {
        let path = "\(world.folder)/beside.db"
        let beside = try Connection(path)
        try beside.execute("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS ticks(id INTEGER PRIMARY KEY)")
        beside.close()
        world.declare("attaching", "Database", end: "try attaching.blocking.close()")
        world.log(
            """
            try Connection("\\(folder)/beside.db").execute(
                "PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS ticks(id INTEGER PRIMARY KEY)")
            attaching = try Database(path, configuration: configuration) { c in
                try prepare(c)
                try c.attachDatabase(from: .onDisk("\\(folder)/beside.db"), withName: "beside")
            }
            """)
        let preparations = world.settings.preparations
        database = try Database(world.database.fileName, configuration: world.settings.configuration) { connection in
            for prepare in preparations { try prepare(connection) }
            try connection.attachDatabase(from: .onDisk(path), withName: "beside")
        }
    }

    /// Reads the rows of the attached file after each write. A reader ends its snapshots for some milliseconds: several reads
    /// follow one another.
    func check(_ world: World) throws {
        world.log(
            """
            for _ in 0..<2 {
                let counts = try (0..<3).map { _ in try attaching.blocking.read { try $0.query("SELECT count(*) FROM beside.ticks") as Int } }
                try attaching.blocking.write { try $0.run("INSERT INTO beside.ticks DEFAULT VALUES") }
                #expect(try attaching.blocking.read { try $0.query("SELECT count(*) FROM beside.ticks") } == counts[2] + 1)
            }
            """)
        for _ in 0..<2 {
            let counts = try (0..<3).map { _ in try count() }
            try database.blocking.write { try $0.run("INSERT INTO beside.ticks DEFAULT VALUES") }
            let found = try count()
            try require(
                found == counts[2] + 1,
                "a read finds \(found) rows of an attached file after a write, and \(counts) before")
        }
    }

    private func count() throws -> Int {
        try database.blocking.read { try $0.query("SELECT count(*) FROM beside.ticks") }
    }

    func close() { try? database.blocking.close() }
}
