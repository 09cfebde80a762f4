import Foundation

/// The chart of the panels, as SVG.
struct GrowthChart {
    struct Palette {
        let text: String
        let grid: String
        let sides: [Benchmark.Side: String]

        static let light = Palette(
            text: "#1f2328", grid: "#d0d7de", sides: [.c: "#57606a", .squall: "#c2410c", .grdb: "#0969da"])
        static let dark = Palette(
            text: "#e6edf3", grid: "#3d444d", sides: [.c: "#b1bac4", .squall: "#ff9a5c", .grdb: "#6cb6ff"])
    }

    private static let columns = 2
    private static let (panelWidth, panelHeight) = (400.0, 280.0)
    private static let legendHeight = 36.0
    private static let sides: [(Benchmark.Side, String)] = [
        (.c, "hand-written C"), (.squall, "Squall"), (.grdb, "GRDB 7.10"),
    ]

    let panels: [GrowthPanel]
    let palette: Palette

    var svg: String {
        let rows = (panels.count + Self.columns - 1) / Self.columns
        let width = Self.panelWidth * Double(Self.columns)
        let height = Self.legendHeight + Self.panelHeight * Double(rows)
        let content = panels.enumerated().map { index, panel in
            let x = Self.panelWidth * Double(index % Self.columns)
            let y = Self.legendHeight + Self.panelHeight * Double(index / Self.columns)
            return "<g transform=\"translate(\(x.short) \(y.short))\">\n"
                + GrowthPanelDrawing(panel: panel, palette: palette).svg + "</g>\n"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.short) \(height.short)" \
            width="\(width.short)" height="\(height.short)" \
            font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="11" \
            fill="\(palette.text)">
            <title>How the cost of an operation grows</title>
            \(legend)\(content.joined())</svg>

            """
    }

    private var legend: String {
        Self.sides.enumerated().map { index, side in
            let x = 60 + Double(index) * 140
            let colour = palette.sides[side.0] ?? palette.text
            return """
                <g fill="\(colour)" stroke="\(colour)"><path d="M\(x.short) 18h26" stroke-width="2"/>\
                \(side.0.marker(x: x + 13, y: 18))</g><text x="\((x + 33).short)" y="22">\(side.1)</text>

                """
        }.joined()
    }
}

/// A panel: its axes and lines.
private struct GrowthPanelDrawing {
    private static let (left, right, top, bottom) = (60.0, 346.0, 38.0, 236.0)

    let panel: GrowthPanel
    let palette: GrowthChart.Palette
    private let x: LogScale
    private let y: LogScale

    init(panel: GrowthPanel, palette: GrowthChart.Palette) {
        self.panel = panel
        self.palette = palette
        let points = panel.curves.flatMap(\.points)
        x = LogScale(
            from: Double(points.map(\.size).min() ?? 1), to: Double(points.map(\.size).max() ?? 10), isDecades: true)
        y = LogScale(
            from: points.map(\.nanoseconds).min() ?? 1, to: points.map(\.nanoseconds).max() ?? 10, isDecades: false)
    }

    var svg: String { head + grid + panel.curves.map { curve($0.line, $0.points) }.joined() }

    private var head: String {
        """
        <text x="\(Self.left.short)" y="14" font-size="13" font-weight="600">\(panel.title)</text>
        <text x="\(Self.left.short)" y="29">\(panel.operation)\(panel.note.map { "; \($0)" } ?? "")</text>
        <text x="\(((Self.left + Self.right) / 2).short)" y="\((Self.bottom + 31).short)" \
        text-anchor="middle">\(panel.quantity)</text>

        """
    }

    /// The lines of the grid, with the time at the left and its reciprocal, the throughput, at the right.
    private var grid: String {
        let sizes = x.ticks.map { tick in
            let place = horizontal(tick).short
            return """
                <path d="M\(place) \(Self.top.short)V\(Self.bottom.short)" stroke="\(palette.grid)"/>\
                <text x="\(place)" y="\((Self.bottom + 15).short)" text-anchor="middle">\(tick.count)</text>

                """
        }
        let times = y.ticks.map { tick in
            let place = vertical(tick)
            return """
                <path d="M\(Self.left.short) \(place.short)H\(Self.right.short)" stroke="\(palette.grid)"/>\
                <text x="\((Self.left - 8).short)" y="\((place + 4).short)" text-anchor="end">\(tick.time)</text>\
                <text x="\((Self.right + 8).short)" y="\((place + 4).short)">\((1e9 / tick).count)/s</text>

                """
        }
        return (sizes + times).joined()
    }

    private func curve(_ line: GrowthPanel.Line, _ points: [GrowthPanel.Point]) -> String {
        let colour = palette.sides[line.side] ?? palette.text
        let places = points.map { (horizontal(Double($0.size)), vertical($0.nanoseconds)) }
        let path = places.map { "\($0.0.short) \($0.1.short)" }.joined(separator: "L")
        let isDashed = line.note != nil
        let markers = isDashed ? [] : places.map { line.side.marker(x: $0.0, y: $0.1) }
        return """
            <path d="M\(path)" fill="none" stroke="\(colour)" stroke-width="\(line.side == .squall ? "2.5" : "1.75")"\
            \(isDashed ? " stroke-dasharray=\"5 4\"" : "")/>
            <g fill="\(colour)" stroke="\(colour)">\(markers.joined())</g>

            """
    }

    private func horizontal(_ size: Double) -> Double {
        Self.left + (Self.right - Self.left) * x.position(size)
    }

    private func vertical(_ nanoseconds: Double) -> Double {
        Self.bottom - (Self.bottom - Self.top) * y.position(nanoseconds)
    }
}

extension Benchmark.Side {
    /// The mark of a point: each side has its own shape.
    fileprivate func marker(x: Double, y: Double) -> String {
        switch self {
        case .c, .held: "<circle cx=\"\(x.short)\" cy=\"\(y.short)\" r=\"2.5\"/>"
        case .squall: "<path d=\"M\((x - 3).short) \((y - 3).short)h6v6h-6z\"/>"
        case .grdb: "<path d=\"M\(x.short) \((y - 4).short)l4 7h-8z\"/>"
        }
    }
}

extension Double {
    /// A coordinate, with one digit after the point.
    fileprivate var short: String { String(format: "%g", (self * 10).rounded() / 10) }

    /// A number with a prefix: 2 k, 10 M.
    fileprivate var count: String {
        let steps: [(Double, String)] = [(1e9, " G"), (1e6, " M"), (1e3, " k")]
        for (size, name) in steps where self >= size * 0.999 { return String(format: "%g", self / size) + name }
        return String(format: "%g", self)
    }

    /// Nanoseconds as a time: 200 ns, 5 µs.
    fileprivate var time: String {
        let steps: [(Double, String)] = [(1e9, " s"), (1e6, " ms"), (1e3, " µs")]
        for (size, name) in steps where self >= size * 0.999 { return String(format: "%g", self / size) + name }
        return String(format: "%g ns", self)
    }
}
