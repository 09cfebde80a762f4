import Foundation
import LaboratorySupport
import Squall
import SquallChanges
import SquallEncryption

/// The work of a process that is killed. It prints `A` for each added row, and `F` and the name of each copy and of the new key that
/// is there.
enum SealedWork: String, CaseIterable {
    case create, write, checkpoint, rekey, backup, copy, vacuumInto, histories, temporary

    func name(_ mode: Configuration.JournalMode) -> String { "kill -9; \(rawValue); \(mode.rawValue.uppercased())" }

    /// Whether the folder has a file before.
    var hasFile: Bool { self != .create }

    /// The copies that it makes, with their keys.
    var copies: [String: Encryption] {
        switch self {
        case .backup: ["backup.db": SealedFolder.oldKey]
        case .copy: ["copy.db": SealedFolder.newKey]
        case .vacuumInto: ["vacuum.db": SealedFolder.oldKey]
        default: [:]
        }
    }

    func run(_ folder: SealedFolder) async throws {
        if self == .create { return try folder.fill() }
        let database = try folder.open()
        try await Self.add(0, database)
        switch self {
        case .create: break
        case .write: for number in 1...3 { try await Self.add(number, database) }
        case .checkpoint:
            for number in 1...2 {
                try await Self.add(number, database)
                try await database.checkpoint()
            }
            try await database.vacuum()
        case .rekey:
            try await database.rekey(to: SealedFolder.newKey)
            writeLine("F key")
            try await Self.add(1, database)
        case .backup:
            for try await _ in database.backup(to: folder.file("backup.db"), pagesPerStep: 10) {}
            writeLine("F backup.db")
        case .copy:
            try await database.copy(to: folder.file("copy.db"), encryption: SealedFolder.newKey)
            writeLine("F copy.db")
        case .vacuumInto:
            try await database.vacuum(into: folder.file("vacuum.db"))
            writeLine("F vacuum.db")
        case .histories: try await Self.writeHistories(database)
        case .temporary: try await Self.useTemporaryTables(database)
        }
        try await database.close()
    }

    /// Adds a row, in a transaction that does not fit into the cache.
    private static func add(_ number: Int, _ database: Database) async throws {
        try await database.write { connection in
            try SealedFolder.insert(SealedFolder.firstAdded + number, connection)
            for id in 1...30 { try SealedFolder.insert(100 * (number + 1) + id, connection, into: "drafts") }
            // The statement fails in its middle: its journal has the pages as they were.
            try? connection.run("UPDATE drafts SET id = CASE WHEN id = 120 THEN NULL ELSE id END, text = text || text")
        }
        writeLine("A")
    }

    private static func writeHistories(_ database: Database) async throws {
        let history = try await UndoHistory(database, tables: ["drafts"])
        try await history.write("change") { try $0.run("UPDATE drafts SET text = text || text") }
        try await history.write("delete") { try $0.run("DELETE FROM drafts WHERE id % 2 = 0") }
        _ = try await history.undo()
        _ = try await history.undo()
        _ = try await history.redo()
        let log = try await database.write {
            try SyncLog($0, origin: "here", tables: ["drafts": .lastWriter(by: "text")])
        }
        for number in 1...2 {
            try await database.write { connection in
                try log.record(on: connection) { try $0.run("UPDATE drafts SET text = \(SealedFolder.text(number))") }
            }
        }
        _ = try await database.read { try log.changes(on: $0) }
    }

    private static func useTemporaryTables(_ database: Database) async throws {
        try await database.write { connection in
            try connection.execute(
                """
                PRAGMA temp.cache_size = 1;
                CREATE TEMPORARY TABLE pile(a INTEGER PRIMARY KEY, text TEXT);
                INSERT INTO pile SELECT NULL, one.text || other.id FROM notes one, notes other;
                CREATE INDEX temp.pile_text ON pile(text);
                UPDATE pile SET text = text || 'x' WHERE a % 3 = 0;
                """)
            _ = try connection.query("SELECT count(*) FROM (SELECT DISTINCT text FROM pile ORDER BY text DESC)") as Int
            try connection.run("CREATE INDEX drafts_text ON drafts(text)")
        }
        _ = try await database.read { connection in
            try connection.query(
                """
                WITH pairs AS MATERIALIZED (SELECT one.text || other.id AS text FROM notes one, notes other)
                SELECT count(*) FROM (SELECT text FROM pairs UNION SELECT text || 'x' FROM pairs ORDER BY 1)
                """) as Int
        }
    }
}
