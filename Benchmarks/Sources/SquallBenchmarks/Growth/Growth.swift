import Foundation

/// How the cost of common operations grows: a chart, in colours for a light and for a dark page.
enum Growth {
    private typealias Measure = @Sendable (Fixtures, _ rounds: Int) throws -> GrowthPanel

    private static let panels: [(name: String, measure: Measure)] = [
        ("rows", rows), ("readers", readers), ("reading-tasks", readingTasks), ("writing-tasks", writingTasks),
        ("statements", statements), ("columns", columns), ("unrelated-observers", unrelatedObservers),
        ("concerned-observers", concernedObservers),
    ]

    /// Measures the panels, prints their times, and writes `growth.svg` and `growth~dark.svg` into a folder.
    ///
    /// - Parameter names: The panels; all of them if there are none.
    static func run(_ names: [String], rounds: Int, into folder: String, _ fixtures: Fixtures) throws {
        for name in names where !panels.contains(where: { $0.name == name }) {
            throw Failure("unknown panel \(name); the panels are \(panels.map(\.name).joined(separator: ", "))")
        }
        let folder = URL(fileURLWithPath: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var measured: [GrowthPanel] = []
        for panel in panels where names.isEmpty || names.contains(panel.name) {
            let result = try panel.measure(fixtures, rounds)
            print(result.table)
            fflush(nil)
            measured.append(result)
        }
        for (file, palette) in [("growth.svg", GrowthChart.Palette.light), ("growth~dark.svg", .dark)] {
            let chart = GrowthChart(panels: measured, palette: palette)
            try Data(chart.svg.utf8).write(to: folder.appending(path: file))
        }
    }

    /// Returns keys from 1 to a number, in an order that repeats itself in every run.
    static func keys(_ count: Int, upTo highest: Int) -> [Int] {
        var state: UInt64 = 7
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(highest)) + 1
        }
    }

    static func time(_ work: () throws -> Void) rethrows -> UInt64 { try Clock.wall.measure(work) }
}
