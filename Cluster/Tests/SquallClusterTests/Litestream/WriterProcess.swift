import Foundation
import NodeProcesses

/// A process of `LitestreamWriter`.
struct WriterProcess {
    let process: ChildProcess

    /// Returns the rows that the program has acknowledged.
    func acknowledged() throws -> [ChainRow] { Self.rows(try process.printed().utf8[...]) }

    /// Returns the number of the last row that the program has acknowledged.
    func last() throws -> Int64 {
        // The first line may be cut.
        Self.rows(try process.printed().utf8.suffix(500).drop { $0 != UInt8(ascii: "\n") }).last?.number ?? 0
    }

    /// Returns the time in which the program wrote the rows that follow a number of rows, for a human reader of the test.
    func milliseconds(after count: Int) throws -> Int {
        let times = try process.printed().split(separator: "\n").compactMap { line in
            line.split(separator: " ").dropFirst(2).first.flatMap { Int($0) }
        }
        let lost = times.dropFirst(count)
        return (lost.last ?? 0) - (lost.first ?? 0)
    }

    /// Returns how often the program has printed a word about a checkpoint or VACUUM.
    func count(of word: String) throws -> Int {
        try process.printed().split(separator: "\n").count { $0 == word }
    }

    /// Waits until the program has written rows after those of now.
    func hasWritten(more count: Int) async throws {
        let goal = try last() + Int64(count)
        try await until { try last() >= goal }
    }

    private static func rows(_ lines: Substring.UTF8View) -> [ChainRow] {
        lines.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " ")).compactMap { Int64(String(Substring($0))) }
            return words.count == 3 ? ChainRow(number: words[0], hash: words[1]) : nil
        }
    }
}
