/// The lines with which a child process reports to its lane: `P` for each point, `V` and a sentence for each violation, and `D`
/// at the end. ``ChildOutcome`` reads them.
public struct Report: Sendable {
    public init() {}

    /// Counts a point.
    public func point() {
        writeLine("P")
    }

    public func violation(_ text: String) {
        writeLine(Self.violationLine(text))
    }

    /// Reports a violation unless a condition holds.
    public func check(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition { violation(text()) }
    }

    /// Reports that everything was tried.
    public func end() {
        writeLine("D")
    }

    /// Returns the one line that reports a violation.
    public static func violationLine(_ text: String) -> String {
        "V \(text.split(whereSeparator: \.isNewline).joined(separator: " "))"
    }
}

/// The lines of a child process that writes a ``Report``, and its end.
public struct ChildOutcome {
    /// The number of points.
    public private(set) var points = 0
    /// The violations that the child has reported.
    public private(set) var reported: [String] = []
    /// A line that is not one of a report, or an end that is not one of a process that has tried everything.
    public private(set) var failures: [String] = []

    /// Everything that did not hold.
    public var violations: [String] { reported + failures }

    /// Reads the lines of a child until it ends.
    ///
    /// - Parameter seconds: The time without a line after which the child is killed.
    public init(of child: ChildProcess, timeout seconds: Int) {
        var isDone = false
        let end = child.readLines(timeout: seconds) { line in
            if line == "P" {
                points += 1
            } else if line == "D" {
                isDone = true
            } else if line.hasPrefix("V ") {
                reported.append(String(line.dropFirst(2)))
            } else {
                failures.append("unexpected output: \(line)")
            }
        }
        if !isDone || end != .exited(0) {
            failures.append("\(child.describe(end)), \(isDone ? "after" : "before") its last line")
        }
    }
}
