/// Lines that closures write.
final class Log {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }

    /// The lines, which are forgotten.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}
