/// Lines that closures write.
package final class Log {
    package private(set) var lines: [String] = []

    package init() {}

    package func add(_ line: String) { lines.append(line) }

    /// Returns the lines, and forgets them.
    package func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}
