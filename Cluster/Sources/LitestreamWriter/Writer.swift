import Foundation
import Squall

/// Writes rows to a database that Litestream replicates, for the tests of the recipe.
///
///     LitestreamWriter <file> [resets]
///
/// Each row has a hash of itself and of the row before it. For each acknowledged row, the program prints the number, the hash
/// and the time in milliseconds. With `resets`, it also runs checkpoints and VACUUM, and prints their outcomes.
@main enum Writer {
    static func main() throws {
        let arguments = CommandLine.arguments
        var configuration = Configuration.recommended
        configuration.logLimit = nil
        let database = try Database(arguments[1], configuration: configuration) {
            try $0.setWALAutoCheckpoint(pages: 0)
        }
        let resets = arguments.count > 2
        try database.blocking.writeWithoutTransaction { connection in
            try connection.execute("CREATE TABLE IF NOT EXISTS chain(n INTEGER PRIMARY KEY, hash INTEGER, filler BLOB)")
        }
        while true {
            let (number, hash) = try database.blocking.writeWithoutTransaction { connection in try Self.append(to: connection) }
            write("\(number) \(hash) \(Int(Date().timeIntervalSince1970 * 1000))")
            if resets, number.isMultiple(of: 300) { try reset(database, number) }
        }
    }

    /// The whole line is written by one call, so that it is not cut when the program is killed.
    private static func write(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private static func append(to connection: Connection) throws -> (number: Int64, hash: Int64) {
        let last: (Int64, Int64)? = try connection.query("SELECT n, hash FROM chain ORDER BY n DESC LIMIT 1") {
            (try $0.get(0), try $0.get(1))
        }
        let number = (last?.0 ?? 0) + 1
        let hash = Chain.next(after: last?.1 ?? 0, number)
        try connection.run("INSERT INTO chain VALUES(?, ?, zeroblob(500))", number, hash)
        return (number, hash)
    }

    /// Resets the log as far as Litestream lets it, and moves all pages. A lock is not an error. A checkpoint waits briefly,
    /// because Litestream cannot make its own while this one waits.
    private static func reset(_ database: Database, _ number: Int64) throws {
        let vacuums = number.isMultiple(of: 900)
        do {
            try database.blocking.writeWithoutTransaction { connection in
                if vacuums {
                    try connection.run("DELETE FROM chain WHERE n < ?", number - 200)
                    try connection.vacuum()
                } else {
                    try connection.execute("PRAGMA busy_timeout = 20")
                    defer { try? connection.execute("PRAGMA busy_timeout = 5000") }
                    _ = try connection.checkpoint(mode: .restart)
                }
            }
            write(vacuums ? "vacuum" : "checkpoint")
        } catch let error as SQLiteError where error.resultCode == .busy {
            // Litestream reads or makes a checkpoint.
            write(vacuums ? "vacuum-busy" : "checkpoint-busy")
        }
    }

    enum Chain {
        static func next(after hash: Int64, _ number: Int64) -> Int64 { (hash ^ number) &* 0x100_0000_01b3 }
    }
}
