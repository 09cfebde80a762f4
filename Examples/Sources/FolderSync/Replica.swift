import SquallChanges
import Foundation
import Squall

/// A database of notes that exchanges its changes through a folder of files, such as one that a cloud service copies.
struct Replica {
    let name: String
    let database: Database
    private(set) var log: SyncLog

    init(_ name: String) throws {
        self.name = name
        database = try Database("\(name).db")
        log = try database.blocking.writeWithoutTransaction { connection in
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS notes(id TEXT PRIMARY KEY, text TEXT NOT NULL, updated_at INTEGER);
                CREATE TABLE IF NOT EXISTS tags(
                    note TEXT REFERENCES notes ON DELETE CASCADE, tag TEXT, updated_at INTEGER, PRIMARY KEY(note, tag))
                """)
            return try Self.log(of: ["notes", "tags"], origin: name, on: connection)
        }
    }

    private static func log(of tables: [String], origin: String, on connection: Connection) throws -> SyncLog {
        let policies = tables.map { ($0, SyncLog.Policy.lastWriter(by: "updated_at")) }
        return try SyncLog(connection, origin: origin, tables: Dictionary(uniqueKeysWithValues: policies))
    }

    /// Runs SQL. The rows and the entries of the log are written in one transaction.
    func write(_ sql: SQL) throws {
        try database.blocking.writeWithoutTransaction { connection in
            try log.record(on: connection) { try $0.run(sql) }
        }
    }

    /// Writes a file with the changes after those of the last file.
    func send(to folder: URL) throws {
        let cursorFile = URL(filePath: "\(name).cursor")
        let cursor = try? JSONDecoder().decode(SyncCursor.self, from: Data(contentsOf: cursorFile))
        let batch = try database.blocking.read { try log.changes(since: cursor, on: $0) }
        if batch.isEmpty { return }
        let file = "\(name)-\(batch.cursor.sequence).changes"
        try batch.data.write(to: folder.appending(path: file), options: .atomic)
        try JSONEncoder().encode(batch.cursor).write(to: cursorFile, options: .atomic)
        print("  \(name) sends \(file): \(batch.count) rows")
    }

    /// Merges the files of the others that are not known yet.
    func receive(from folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        for file in files where !file.hasPrefix("\(name)-") {
            let batch = try SyncBatch(Data(contentsOf: folder.appending(path: file)))
            // The folder may have the files of a server, too.
            guard batch.role == .peer else { continue }
            let known = try database.blocking.read { try log.cursor(of: batch.sender, on: $0) }
            if let known, known.log == batch.cursor.log, known.sequence >= batch.cursor.sequence { continue }
            let report = try database.blocking.writeWithoutTransaction { try log.merge(batch, on: $0) }
            show(report)
        }
    }

    private func show(_ report: SyncReport) {
        for change in report.applied { print("  \(name): \(change)") }
        for change in report.superseded where change.origin != name {
            guard case .text(let text)? = change["text"] else { continue }
            print("  \(name) keeps its later note instead of “\(text)”, which \(change.origin) wrote")
        }
        // The actions of foreign keys are changes of this replica, which it sends with its next file.
        for change in report.recorded { print("  \(name), by a foreign key: \(change)") }
        for row in report.pending { show(row) }
    }

    private func show(_ row: SyncReport.PendingChange) {
        print("  \(name) cannot store a row of \(row.change.table): \(row.reason)")
    }

    /// Drops the tags. The log forgets them, and is opened again for the notes alone.
    mutating func dropTags() throws {
        log = try database.blocking.write { [name] connection in
            try SyncLog.remove("tags", on: connection)
            try connection.run("DROP TABLE tags")
            return try Self.log(of: ["notes"], origin: name, on: connection)
        }
    }

    /// Forgets deleted rows, after all replicas have merged everything.
    func compact() throws {
        try database.blocking.write { connection in
            let all = try log.changes(on: connection)
            try log.compact(through: all.cursor, on: connection)
            print("  \(name) had \(all.count) entries, and has \(try log.changes(on: connection).count)")
        }
    }

    func notes() throws -> [String] {
        try database.blocking.read { try $0.query("SELECT text FROM notes ORDER BY id") }
    }
}
