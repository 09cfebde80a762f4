import Foundation
import Testing

/// The speed that the README and the guide Performance show is that of one recorded run, in `Benchmarks/Published.txt`.
struct PublishedRatioTests {
    private struct Row {
        let name: String
        let squall: String
        let grdb: String
        /// The words of the pages for the row.
        let words: [String]
    }

    private static let pages = ["README.md", "Sources/Squall/Squall.docc/Guides/Performance.md"]

    private static let lines = (try? Repository.file("Benchmarks/Published.txt"))?.lines ?? []

    private static let rows: [Row] = lines.filter { !$0.hasPrefix("#") && !$0.isEmpty }.map { line in
        let cells = line.components(separatedBy: " | ")
        return Row(name: cells[0], squall: cells[1], grdb: cells[2], words: Array(cells.dropFirst(3)))
    }

    /// Returns the cells of the rows of a page's table that compares Squall with GRDB.
    private static func table(of page: Repository.File) throws -> [[String]] {
        let head = try #require(page.lines.firstIndex { $0.hasPrefix("| Work | Squall | GRDB ") }, "\(page.path)")
        return page.lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
    }

    /// Returns the row with a name.
    private static func row(named name: String) throws -> Row {
        try #require(rows.first { $0.name == name }, "Benchmarks/Published.txt has no row \(name)")
    }

    @Test func namesAreThoseOfRowsOfTheBenchmark() {
        let sources = Repository.files(in: "Benchmarks/Sources", ".swift").map(\.text).joined()
        #expect(Self.rows.count >= 15)
        #expect(Self.rows.map(\.name).filter { !sources.contains("\"\($0)\"") } == [])
    }

    @Test(arguments: pages) func ratiosOfThePagesAreTheRecordedOnes(path: String) throws {
        let table = try Self.table(of: Repository.file(path))
        #expect(table.count >= 9)
        for cells in table {
            try #require(cells.count == 3, "\(path): \(cells)")
            let words = cells[0]
            let row = try #require(Self.rows.first { $0.words.contains(words) }, "\(path): \(words)")
            // Such as 8.01; 2.44 with its cache
            let ofGRDB = cells[2].components(separatedBy: "; ")
            #expect(cells[1] == row.squall && ofGRDB[0] == row.grdb, "\(path): \(words)")
            if ofGRDB.count > 1 {
                let cached = try Self.row(named: row.name + "-cached")
                #expect(ofGRDB[1] == "\(cached.grdb) with its cache", "\(path): \(words)")
            }
        }
    }

    @Test(arguments: pages) func thePagesNameTheDayAndTheVersionsOfTheRun(path: String) throws {
        let prefix = "# Measured with "
        let line = try #require(Self.lines.first { $0.hasPrefix(prefix) })
        let facts = line.dropFirst(prefix.count).components(separatedBy: ", ")
        #expect(facts.count == 4)
        let text = try Repository.file(path).text
        for fact in facts { #expect(text.contains(fact), "\(path): \(fact)") }
    }
}
