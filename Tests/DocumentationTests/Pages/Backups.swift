// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Backup and replication". They have relative paths, and run in a process of their own.
struct BackupSnippets {
    @Test(.disabled(if: PlainFiles.areListed, "copies between a file and memory")) func backups() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
            try await BackupSnippets.run()
            try BackupSnippets.runSynchronous()
            try BackupSnippets.restore()
            try BackupSnippets.copyByHand()
        }
    }

    static func run() async throws {
        try Data().write(to: URL(fileURLWithPath: "unrelated"))
        let database = try Database("app.db")
        for try await progress in database.backup(to: "copy.db") {
            print(progress.fractionCompleted)
        }
        try await database.write { connection in
            try connection.execute("CREATE TABLE orders(id INTEGER PRIMARY KEY, item TEXT)")
            try connection.execute("CREATE TABLE lines(orderid REFERENCES orders(id))")
            for _ in 0..<1000 { try connection.run("INSERT INTO orders(item) VALUES(?)", "a text of some length") }
        }
        var fractions: [Double] = []
        for try await progress in database.backup(to: "copy.db", pagesPerStep: 4) { fractions.append(progress.fractionCompleted) }
        #expect(fractions.last == 1 && fractions.count > 2)
        try await database.vacuum(into: "compact.db")
        #expect(try Connection("compact.db", mode: .immutable).count("orders") == 1000)
        #expect(try Connection("compact.db", mode: .immutable).query("PRAGMA journal_mode") == "delete")
        let again = await #expect(throws: SQLiteError.self) { try await database.vacuum(into: "compact.db") }
        #expect(again?.message.contains("output file already exists") == true, "\(String(describing: again))")

        // The rollback of the destination when the loop is left.
        for try await _ in database.backup(to: "left.db", pagesPerStep: 1) { break }
        #expect(!FileManager.default.fileExists(atPath: "left.db"))
        let bytes: Data = try await database.writeWithoutTransaction { try $0.serialize() }
        let inMemory = try Connection(":memory:")
        try inMemory.deserialize(bytes)
        #expect(try inMemory.count("orders") == 1000)
        try await verify("copy.db")
        try await database.write { try $0.run("DELETE FROM orders") }
        var hasRestored = false
        for try await count in database.observe("SELECT count(*) FROM orders", as: Int.self) where count == 1000 || !hasRestored {
            if count == 1000 { break }
            hasRestored = true
            try await database.writeWithoutTransaction { connection in
                let copy = try Connection("copy.db", mode: .existing)
                try copy.backup(to: connection, pagesPerStep: -1).run()
            }
        }
        try await database.close()
    }

    static func verify(_ name: String) async throws {
        let copy = try Connection("copy.db", mode: .immutable)
        let problems = try copy.integrityCheck()                    // [] if there are none
        let orphans = try copy.foreignKeyCheck()                    // [] if there are none
        let count = try copy.count("orders")
        #expect(problems.isEmpty && orphans.isEmpty && count == 1000)
        #expect(!FileManager.default.fileExists(atPath: "copy.db-wal"))
        #expect(try Connection("copy.db").query("PRAGMA journal_mode") == "wal")
    }

    static func runSynchronous() throws {
        let database = try Database("app.db")
        try database.blocking.backup(to: "copy.db") { progress in
            print("\(progress.remaining) of \(progress.total) pages are left")
        }
        try database.blocking.close()
        let connection = try Connection("app.db")
        let destination = try Connection("copy.db")
        try connection.backup(to: destination).run()        // or iterate its progress
        #expect(try destination.count("orders") == 1000)
        let small = try Connection(":memory:")
        try small.run("CREATE TABLE t(a)")
        try connection.backup(to: small).run()
        #expect(try small.count("orders") == 1000)
    }

    static func restore() throws {
        let database = try Database("app.db")
        try database.blocking.write { try $0.run("DELETE FROM orders") }
        let copy = try Connection("copy.db", mode: .existing)
        try database.blocking.writeWithoutTransaction {
            try copy.backup(to: $0, pagesPerStep: -1).run()
        }
        #expect(try database.blocking.read { try $0.count("orders") } == 1000)
        try database.blocking.write { try $0.run("DELETE FROM orders") }
        #expect(try database.blocking.read { try $0.count("orders") } == 0)
        copy.close()
        try database.blocking.close()
        for suffix in ["-wal", "-shm", "-journal", ""] {
            try? FileManager.default.removeItem(atPath: "app.db" + suffix)
        }
        try FileManager.default.copyItem(atPath: "copy.db", toPath: "app.db")
        let restored = try Database("app.db")
        #expect(try restored.blocking.read { try $0.count("orders") } == 1000)
    }

    /// A copy of the file alone lacks the commits that are in the log.
    static func copyByHand() throws {
        let database = try Database("log.db")
        try database.blocking.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
        try FileManager.default.copyItem(atPath: "log.db", toPath: "bad.db")
        let bad = try sqliteError { _ = try Connection("bad.db").count("t") }
        #expect(bad.message == "no such table: t")
        try database.blocking.checkpoint()
        try FileManager.default.copyItem(atPath: "log.db", toPath: "good.db")
        #expect(try Connection("good.db").count("t") == 1)
    }
}
