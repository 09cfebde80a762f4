/// A panel of the chart: the time of an operation against a quantity that grows.
struct GrowthPanel {
    /// A line of the panel. Lines with a note are dashed.
    struct Line: Hashable {
        let side: Benchmark.Side
        var note: String?

        static let c = Line(side: .c)
        static let squall = Line(side: .squall)
        static let grdb = Line(side: .grdb)

        static func c(_ note: String) -> Line { Line(side: .c, note: note) }
        static func squall(_ note: String) -> Line { Line(side: .squall, note: note) }
    }

    struct Point {
        let size: Int
        /// The time of one operation.
        let nanoseconds: Double
    }

    /// The name by which the panel is asked for.
    let name: String
    let title: String
    /// The quantity of the horizontal axis.
    let quantity: String
    /// The operation of the vertical axis.
    let operation: String
    /// The meaning of dashed lines.
    var note: String?
    private(set) var curves: [(line: Line, points: [Point])] = []

    init(_ name: String, _ title: String, quantity: String, operation: String, note: String? = nil) {
        self.name = name
        self.title = title
        self.quantity = quantity
        self.operation = operation
        self.note = note
    }

    /// Adds a point to each line: runs the work of the lines in turn, an unmeasured round first, and takes the best time of each.
    ///
    /// - Parameters:
    ///   - operations: The number of operations of each work.
    ///   - work: Returns the nanoseconds that it took.
    mutating func measure(
        _ size: Int, operations: Int, rounds: Int, _ work: KeyValuePairs<Line, () throws -> UInt64>
    ) throws {
        var best: [Line: UInt64] = [:]
        for round in 0...rounds {
            for (line, run) in work {
                let nanoseconds = try run()
                if round > 0 { best[line] = min(best[line] ?? .max, nanoseconds) }
            }
        }
        for (line, _) in work {
            let point = Point(size: size, nanoseconds: Double(best[line] ?? 0) / Double(operations))
            if let index = curves.firstIndex(where: { $0.line == line }) {
                curves[index].points.append(point)
            } else {
                curves.append((line, [point]))
            }
        }
    }

    /// The times in nanoseconds, a line for each size.
    var table: String {
        let sizes = curves.first?.points.map(\.size) ?? []
        let head = "\(name): \(operation), ns\n" + curves.map { "\($0.line.side) \($0.line.note ?? "")" }.description
        return sizes.enumerated().reduce(head) { text, size in
            let times = curves.map { curve in
                size.offset < curve.points.count
                    ? String(Int(curve.points[size.offset].nanoseconds.rounded())) : "-"
            }
            return text + "\n\(size.element): " + times.joined(separator: ", ")
        }
    }
}
