import Foundation
import Squall

/// The file with the ratios that the README shows, a row in a line.
struct Published {
    private let path: String
    private var lines: [String]

    init(_ path: String) throws {
        self.path = path
        lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
    }

    /// Measures the rows of the file in one run, and writes their ratios, the day and the version of SQLite into it if asked to.
    mutating func measure(rounds: Int, isRecording: Bool, _ fixtures: Fixtures) throws {
        let report = Report()
        report.printHead()
        for (index, line) in lines.enumerated() where !line.hasPrefix("#") && !line.isEmpty {
            var cells = line.components(separatedBy: " | ")
            let result = try Options.row(cells[0]).measure(fixtures, rounds: rounds, clock: .wall)
            report.print(result)
            cells[1] = result.ratio(.squall, to: .c).formatted(digits: 2)
            cells[2] = result.ratio(.grdb, to: .c).formatted(digits: 2)
            lines[index] = cells.joined(separator: " | ")
        }
        guard isRecording else { return }
        let prefix = "# Measured with "
        guard let head = lines.firstIndex(where: { $0.hasPrefix(prefix) }) else {
            throw Failure("\(path) has no line \(prefix)…")
        }
        var facts = lines[head].dropFirst(prefix.count).components(separatedBy: ", ")
        facts[0] = String(Date().ISO8601Format().prefix(10))
        facts[1] = "SQLite \(SQLiteLibrary.version)"
        lines[head] = prefix + facts.joined(separator: ", ")
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
}
