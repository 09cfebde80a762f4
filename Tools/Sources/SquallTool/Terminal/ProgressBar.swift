import Foundation

/// A line on standard error that shows how far a verb is, if standard error is a terminal.
///
///     import  ━━━━━━━━━━━━━━━━━━━───────────────  52 %  175,000 rows
struct ProgressBar {
    private static let interval = Duration.milliseconds(100)
    private let title: String
    private let isShown: Bool
    private let clock = ContinuousClock()
    private var next: ContinuousClock.Instant?

    init(_ title: String) {
        self.title = title
        isShown = Console.isTerminal(STDERR_FILENO)
    }

    /// Draws the line, at most ten times a second.
    ///
    /// - Parameters:
    ///   - fraction: The completed part, from 0 to 1; `nil` if it is not known.
    ///   - detail: A text that follows, for instance a number of rows.
    mutating func update(_ fraction: Double?, _ detail: @autoclosure () -> String = "") {
        guard isShown else { return }
        let now = clock.now
        if let next, now < next { return }
        next = now.advanced(by: Self.interval)
        draw(fraction, detail())
    }

    /// Removes the line.
    func clear() {
        guard next != nil else { return }
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8))
    }

    private func draw(_ fraction: Double?, _ detail: String) {
        var line = title
        if let fraction {
            let share = min(max(fraction, 0), 1)
            let percent = "\(Int(share * 100)) %"
            let room = Console.width(of: STDERR_FILENO) - title.displayWidth - detail.displayWidth - 13
            let width = min(max(room, 0), 40)
            let done = Int(share * Double(width))
            line += "  " + String(repeating: "━", count: done) + String(repeating: "─", count: width - done)
            line += "  " + String(repeating: " ", count: 5 - percent.count) + percent
        }
        if !detail.isEmpty { line += "  \(detail)" }
        try? FileHandle.standardError.write(contentsOf: Data("\r\(line)\u{1B}[K".utf8))
    }
}
