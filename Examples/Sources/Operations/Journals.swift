import Foundation
import Squall

/// Shows the file that SQLite keeps beside the database to undo a transaction, in each mode.
func compareJournals() throws {
    print("Journals, while a transaction writes and after it:")
    let modes: [Configuration.JournalMode] = [.delete, .truncate, .persist, .memory, .wal]
    for mode in modes {
        var configuration = Configuration.sqlite
        configuration.journalMode = mode
        let connection = try Connection("\(mode).db", configuration: configuration)
        try connection.execute("CREATE TABLE t(a)")
        let during = try connection.transaction {
            try connection.run("INSERT INTO t VALUES(1)")
            return journal(of: "\(mode).db")
        }
        print("  \(mode): \(during), \(journal(of: "\(mode).db"))")
        connection.close()
    }
}

private func journal(of path: String) -> String {
    for suffix in ["-journal", "-wal"] {
        let values = try? FileManager.default.attributesOfItem(atPath: path + suffix)
        guard let size = values?[.size] as? Int else { continue }
        return size == 0 ? "an empty file" : "a file"
    }
    return "no file"
}
