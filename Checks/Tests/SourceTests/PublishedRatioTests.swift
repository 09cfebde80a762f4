import Foundation
import Testing

/// The speed that the README shows is that of one recorded run, in `Benchmarks/Published.txt`.
struct PublishedRatioTests {
    private struct Row {
        let name: String
        let squall: String
        let grdb: String
        /// The words of the README for the row; `nil` for one that is shown in the cell of another.
        let words: String?
    }

    private static let lines = (try? Repository.file("Benchmarks/Published.txt"))?.lines ?? []

    private static let rows: [Row] = lines.filter { !$0.hasPrefix("#") && !$0.isEmpty }.map { line in
        let cells = line.components(separatedBy: " | ")
        return Row(name: cells[0], squall: cells[1], grdb: cells[2], words: cells.dropFirst(3).first)
    }

    /// Returns the cells of the rows of the README's table that compares Squall with GRDB.
    private static func table() throws -> [[String]] {
        let lines = try Repository.file("README.md").lines
        let head = try #require(lines.firstIndex { $0.hasPrefix("| Work | Squall | GRDB ") })
        return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
    }

    /// Returns the row with a name.
    private static func row(named name: String) throws -> Row {
        try #require(rows.first { $0.name == name }, "Benchmarks/Published.txt has no row \(name)")
    }

    @Test func namesAreThoseOfRowsOfTheBenchmark() {
        let sources = Repository.files(in: "Benchmarks/Sources", ".swift").map(\.text).joined()
        #expect(Self.rows.count >= 11)
        #expect(Self.rows.map(\.name).filter { !sources.contains("\"\($0)\"") } == [])
    }

    @Test func ratiosOfTheREADMEAreTheRecordedOnes() throws {
        let table = try Self.table()
        #expect(table.count >= 9)
        for cells in table {
            try #require(cells.count == 3, "\(cells)")
            let words = cells[0]
            let row = try #require(Self.rows.first { $0.words == words }, "\(words)")
            // Such as 8.01; 2.44 with its cache
            let ofGRDB = cells[2].components(separatedBy: "; ")
            #expect(cells[1] == row.squall && ofGRDB[0] == row.grdb, "\(words)")
            if ofGRDB.count > 1 {
                let cached = try Self.row(named: row.name + "-cached")
                #expect(ofGRDB[1] == "\(cached.grdb) with its cache", "\(words)")
            }
        }
    }

    @Test func theREADMENamesTheDayAndTheVersionsOfTheRun() throws {
        let prefix = "# Measured with "
        let line = try #require(Self.lines.first { $0.hasPrefix(prefix) })
        let facts = line.dropFirst(prefix.count).components(separatedBy: ", ")
        #expect(facts.count == 4)
        let text = try Repository.file("README.md").text
        for fact in facts { #expect(text.contains(fact), "\(fact)") }
    }
}
