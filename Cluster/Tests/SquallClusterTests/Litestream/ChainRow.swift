import Foundation
import Squall
import Testing

/// A row of the table that `LitestreamWriter` writes.
struct ChainRow: Equatable {
    let number: Int64
    let hash: Int64

    /// Returns the rows of a file, after a check of the file and of the hashes.
    static func all(of path: String) throws -> [ChainRow] {
        try #require(FileManager.default.fileExists(atPath: path))
        let connection = try Connection(path)
        #expect(try connection.integrityCheck() == [])
        let rows: [ChainRow] = try connection.query("SELECT n, hash FROM chain ORDER BY n") {
            ChainRow(number: try $0.get(0), hash: try $0.get(1))
        }
        let isChain = zip(rows, rows.dropFirst()).allSatisfy { row, next in
            next.number == row.number + 1 && next.hash == (row.hash ^ next.number) &* 0x100_0000_01b3
        }
        #expect(isChain)
        return rows
    }
}
