import SquallChanges
import Foundation
import Squall

/// A database of notes that exchanges its changes through a folder of files, such as one that a cloud service copies.
struct Replica {
    let name: String
    let database: Database
    let log: SyncLog

    init(_ name: String) throws {
        self.name = name
        database = try Database("\(name).db")
        log = try database.blocking.writeWithoutTransaction { connection in
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS notes(id TEXT PRIMARY KEY, text TEXT NOT NULL, updated_at INTEGER)")
            return try SyncLog(
                connection, origin: name, tables: ["notes": .lastWriter(by: "updated_at")])
        }
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
            let known = try database.blocking.read { try log.cursor(of: batch.sender, on: $0) }
            if let known, known.log == batch.cursor.log, known.sequence >= batch.cursor.sequence { continue }
            let report = try database.blocking.writeWithoutTransaction { try log.merge(batch, on: $0) }
            for change in report.applied { print("  \(name): \(change)") }
            for change in report.superseded {
                guard case .text(let text)? = change["text"] else { continue }
                print("  \(name) keeps its later note instead of “\(text)”, which \(change.origin) wrote")
            }
            for change in report.pending { print("  \(name) cannot store: \(change.change), \(change.reason)") }
        }
    }

    func notes() throws -> [String] {
        try database.blocking.read { try $0.query("SELECT text FROM notes ORDER BY id") }
    }
}
