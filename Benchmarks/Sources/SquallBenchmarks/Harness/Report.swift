import Foundation

/// The table, a line at a time, so that a long run shows what it has.
struct Report {
    private let widths = [38, 9, 9, 8, 8, 12, 7, 8, 6]

    func printHead() {
        printLine(["row", "C ms", "held C/C", "Squall/C", "GRDB/C", "Squall/GRDB", "to C ≤", "GRDB ≤", ""])
    }

    func print(_ result: Benchmark.Result) {
        let toC = result.ratio(.squall, to: .c)
        let toGRDB = result.ratio(.squall, to: .grdb)
        let row = result.benchmark
        let isOver = toC.isOver(row.toC) || toGRDB.isOver(row.toGRDB)
        printLine([
            row.name,
            (Double(result.best[.c] ?? 0) / 1e6).formatted(digits: 3),
            result.ratioIfMeasured(.held, to: .c)?.formatted(digits: 2) ?? "",
            toC.formatted(digits: 2),
            result.ratio(.grdb, to: .c).formatted(digits: 2),
            toGRDB.formatted(digits: 2),
            row.toC?.formatted(digits: 2) ?? "-",
            row.toGRDB?.formatted(digits: 2) ?? "-",
            row.toC == nil && row.toGRDB == nil ? "-" : isOver ? "over" : "ok",
        ])
    }

    private func printLine(_ cells: [String]) {
        let padded = zip(cells, widths).enumerated().map { index, cell in
            let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index == 0 ? cell.0 + space : space + cell.0
        }
        Swift.print(padded.joined(separator: " "))
        fflush(nil)
    }
}

extension Double {
    /// Judges what the table shows: 1.204 is not over 1.20.
    fileprivate func isOver(_ target: Double?) -> Bool {
        target.map { (self * 100).rounded() > ($0 * 100).rounded() } ?? false
    }

    func formatted(digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
