/// Lines that closures of any thread write.
package struct Lines: Sendable {
    private let lines = Shared<[String]>([])

    package init() {}

    package func add(_ line: String) { lines.update { $0.append(line) } }

    /// Returns the lines, and forgets them.
    package func take() -> [String] {
        lines.update { lines in
            defer { lines = [] }
            return lines
        }
    }
}
