/// A lane of the laboratory: it collects results, prints them as a table and decides the exit status.
public struct Lane: Sendable {
    /// The name of the lane, as in `make faults`.
    public let name: String
    public private(set) var results: [FaultResult] = []

    public init(_ name: String) {
        self.name = name
    }

    /// The number of violations in all rows.
    public var violationCount: Int {
        results.reduce(0) { $0 + $1.violations.count }
    }

    /// Adds a row, and prints it so that a long run shows how far it is.
    public mutating func add(_ result: FaultResult) {
        results.append(result)
        writeLine(Self.line(result))
        for violation in result.violations.prefix(Self.printedViolations) {
            writeLine("    \(violation)")
        }
        if result.violations.count > Self.printedViolations {
            writeLine("    and \(result.violations.count - Self.printedViolations) more")
        }
    }

    /// Adds a row for a fault that cannot be tried on this machine.
    public mutating func skip(_ fault: String, because reason: String) {
        add(FaultResult(fault: fault, skippedBecause: reason))
    }

    /// Runs a fault, and adds its row.
    ///
    /// - Parameter body: Returns the number of points tried and the violations. An error that it throws is a violation.
    public mutating func run(_ fault: String, _ body: () throws -> (points: Int, violations: [String])) {
        let clock = ContinuousClock()
        let start = clock.now
        var outcome: (points: Int, violations: [String])
        do {
            outcome = try body()
            if outcome.points == 0 {
                outcome.violations.append("no point was tried")
            }
        } catch {
            outcome = (0, ["the lane itself failed: \(error)"])
        }
        add(
            FaultResult(
                fault: fault, points: outcome.points, violations: outcome.violations, duration: clock.now - start
            )
        )
    }

    /// The table as Markdown, for SECURITY.md.
    public var markdown: String {
        var lines = ["| Fault | Points tried | Violations |", "|---|---|---|"]
        lines += results.map { result in
            if let reason = result.skipReason { return "| \(result.fault) | skipped: \(reason) | |" }
            return "| \(result.fault) | \(result.points) | \(result.violations.count) |"
        }
        return lines.joined(separator: "\n")
    }

    /// The exit status: 0 without a violation, 1 with one or without a row that was tried.
    public var exitStatus: Int32 {
        tried.isEmpty || violationCount > 0 ? 1 : 0
    }

    /// The line at the end of the run.
    public var summary: String {
        let points = results.reduce(0) { $0 + $1.points }
        let skippedCount = results.count - tried.count
        let skipped = skippedCount > 0 ? ", \(skippedCount) skipped" : ""
        return "\(name): \(tried.count) faults, \(points) points, \(violationCount) violations\(skipped)"
    }

    private var tried: [FaultResult] {
        results.filter { $0.skipReason == nil }
    }

    private static let printedViolations = 10

    private static func line(_ result: FaultResult) -> String {
        let fault = result.fault.padded(to: 56)
        if let reason = result.skipReason { return "\(fault) skipped: \(reason)" }
        let points = "\(result.points)".aligned(to: 8)
        let violations = "\(result.violations.count)".aligned(to: 4)
        let seconds = "\(result.duration.components.seconds)".aligned(to: 4)
        return "\(fault)\(points) points\(violations) violations\(seconds) s"
    }
}

extension String {
    /// The text, filled with spaces at its end.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }

    /// The text, filled with spaces at its beginning.
    fileprivate func aligned(to width: Int) -> String {
        String(repeating: " ", count: max(1, width - count)) + self
    }
}
