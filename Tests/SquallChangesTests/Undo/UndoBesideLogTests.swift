import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// An undo history and a log of the same tables: an undo is a change that travels, and a merge is not a step.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct UndoBesideLogTests {
    private struct Device {
        let database: Database
        let log: SyncLog
        let history: UndoHistory

        init(_ origin: String, _ role: SyncLog.Role, allTables: Bool = false) throws {
            database = try Database(":memory:")
            let policy: SyncLog.Policy = role == .peer ? .lastWriter(by: "at") : .hubWins
            log = try database.blocking.writeWithoutTransaction {
                try $0.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT, mark INTEGER, at INTEGER)")
                return try SyncLog($0, origin: origin, role: role, tables: ["notes": policy])
            }
            history = try UndoHistory(database, tables: allTables ? [] : ["notes"], limit: 1000)
        }

        func record(_ sql: String) throws {
            try database.blocking.write { connection in
                try log.record(on: connection) { try $0.execute("\(raw: sql)") }
            }
        }

        @discardableResult
        func pull(_ other: Device) throws -> SyncReport {
            let cursor = try database.blocking.read { try log.cursor(of: other.log.origin, on: $0) }
            let batch = try other.database.blocking.read { try other.log.changes(since: cursor, on: $0) }
            return try database.blocking.write { try log.merge(batch, on: $0) }
        }

        var rows: [String] {
            get throws {
                try database.blocking.read { connection in
                    try connection.query("SELECT * FROM notes ORDER BY id", as: Row.self).map(\.quotedText)
                }
            }
        }
    }

    private static func pair(_ role: SyncLog.Role) throws -> (Device, Device) {
        (try Device("one", role), try Device("two", role == .hub ? .replica : role))
    }

    @Test(arguments: [SyncLog.Role.peer, .hub]) func anUndoTravels(_ role: SyncLog.Role) throws {
        let (one, two) = try Self.pair(role)
        try two.record("INSERT INTO notes VALUES(1, 'a', 1, 1)")
        try two.record("UPDATE notes SET text = 'b', at = 2")
        try one.pull(two)
        #expect(try one.rows == ["1, 'b', 1, 2"])
        try two.history.blocking.undo()
        try one.pull(two)
        #expect(try one.rows == ["1, 'a', 1, 1"] && two.rows == one.rows)
        try two.history.blocking.redo()
        try one.pull(two)
        #expect(try one.rows == ["1, 'b', 1, 2"])
        try two.history.blocking.undo()
        try two.history.blocking.undo()
        try one.pull(two)
        try two.pull(one)
        #expect(try one.rows == [] && two.rows == [])
    }

    @Test(arguments: [SyncLog.Role.peer, .hub]) func aMergeIsNotAStep(_ role: SyncLog.Role) throws {
        let (one, two) = try Self.pair(role)
        try one.record("INSERT INTO notes VALUES(1, 'a', 1, 1)")
        try two.pull(one)
        #expect(!two.history.canUndo)
        #expect(try !two.history.blocking.undo())
        try two.record("INSERT INTO notes VALUES(2, 'c', 1, 1)")
        try one.record("UPDATE notes SET text = 'b', at = 2 WHERE id = 1")
        try two.pull(one)
        try two.history.blocking.undo()
        #expect(try two.rows == ["1, 'b', 1, 2"] && !two.history.canUndo)
        // Both have changed the row: the step does not fit any more.
        try two.record("UPDATE notes SET mark = 5, at = 3 WHERE id = 1")
        try one.pull(two)
        try one.record("UPDATE notes SET mark = 7, at = 4 WHERE id = 1")
        try two.pull(one)
        #expect(throws: UndoConflictError.self) { try two.history.blocking.undo() }
        #expect(try two.rows == ["1, 'b', 7, 4"])
    }

    /// What a transaction writes beside a merge is its step.
    @Test func aTransactionWithAMerge() throws {
        let (one, two) = try Self.pair(.peer)
        try one.record("INSERT INTO notes VALUES(1, 'a', 1, 1)")
        let batch = try one.database.blocking.read { try one.log.changes(on: $0) }
        try two.database.blocking.write { connection in
            try two.log.record(on: connection) { try $0.run("INSERT INTO notes VALUES(2, 'b', 1, 1)") }
            try two.log.merge(batch, on: connection)
            try two.log.record(on: connection) { try $0.run("INSERT INTO notes VALUES(3, 'c', 1, 1)") }
        }
        try two.history.blocking.undo()
        #expect(try two.rows == ["1, 'a', 1, 1"])
        #expect(!two.history.canUndo)
    }

    /// A row that the merge has changed after the transaction is that of the other database.
    @Test(arguments: [
        "UPDATE notes SET text = 'theirs', at = 50 WHERE id = 1",
        "UPDATE notes SET at = 50 WHERE id = 1; DELETE FROM notes WHERE id = 1",
    ])
    func aRowThatBothHaveChanged(_ theirs: String) throws {
        let (one, two) = try Self.pair(.peer)
        try one.record("INSERT INTO notes VALUES(1, 'a', 1, 1), (2, 'b', 1, 1)")
        try two.pull(one)
        for statement in theirs.split(separator: ";") { try one.record(String(statement)) }
        let batch = try one.database.blocking.read { try one.log.changes(on: $0) }
        try two.database.blocking.write { connection in
            try two.log.record(on: connection) { try $0.run("UPDATE notes SET text = 'mine', at = 2") }
            try two.log.merge(batch, on: connection)
        }
        let merged = try two.rows
        try two.history.blocking.undo()
        #expect(try two.rows == merged.map { $0.replacingOccurrences(of: "2, 'mine', 1, 2", with: "2, 'b', 1, 1") })
        try one.pull(two)
        #expect(try one.rows == two.rows)
    }

    /// The tables of a log are not among those of a history that names none.
    @Test func theTablesOfTheLogAreNotUndone() throws {
        let (one, two) = (try Device("one", .peer, allTables: true), try Device("two", .peer))
        #expect(one.history.tables == ["notes"])
        try one.record("INSERT INTO notes VALUES(1, 'a', 1, 1)")
        try one.history.blocking.undo()
        try two.pull(one)
        #expect(try two.rows == [])
        let version = try one.database.blocking.read { try one.log.changes(on: $0).count }
        #expect(version == 1)
        // Nor of a difference, whose other file need not have a log.
        try one.record("INSERT INTO notes VALUES(2, 'b', 1, 1)")
        try one.database.blocking.writeWithoutTransaction { connection in
            try connection.execute(
                "ATTACH ':memory:' AS other; CREATE TABLE other.notes(id INTEGER PRIMARY KEY, text, mark, at)")
            #expect(try connection.difference(fromAttached: "other").elements.map(\.table) == ["notes"])
            try connection.run("DETACH other")
        }
    }

    @Test(arguments: [SyncLog.Role.peer, .hub]) func randomSteps(_ role: SyncLog.Role) throws {
        let seed = TestSeed.of()
        var random = seed.generator(role == .hub ? 1 : 0)
        let (one, two) = try Self.pair(role)
        var (clock, undone) = (0, 0)
        for step in 0..<500 {
            let device = random.chance(50) ? one : two
            clock += 1
            let (id, text) = (Int.random(in: 1..<7, using: &random), Int.random(in: 0..<9, using: &random))
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1: try device.record("INSERT OR IGNORE INTO notes VALUES(\(id), 't\(text)', \(text), \(clock))")
            case 2, 3: try device.record("UPDATE notes SET text = 't\(text)', at = \(clock) WHERE id = \(id)")
            case 4: try device.record("UPDATE notes SET mark = \(text), at = \(clock)")
            case 5: try device.record("DELETE FROM notes WHERE id = \(id)")
            case 6, 7:
                let before = try device.rows
                do {
                    if try random.chance(70) ? device.history.blocking.undo() : device.history.blocking.redo() { undone += 1 }
                } catch is UndoConflictError {
                    try #require(try device.rows == before, "seed \(seed), step \(step)")
                    device.history.removeAll()
                }
            default:
                let (canUndo, name) = (device.history.canUndo, device.history.undoName)
                try device.pull(device.log.origin == "one" ? two : one)
                try #require(device.history.canUndo == canUndo && device.history.undoName == name)
            }
            guard step.isMultiple(of: 25) else { continue }
            for _ in 0..<2 {
                try one.pull(two)
                try two.pull(one)
            }
            try #require(try one.rows == two.rows, "seed \(seed), step \(step)")
        }
        #expect(undone > 40)
    }
}
