import Foundation

/// The lines in which two lists of declarations differ.
struct Comparison {
    let removed: [String]
    let added: [String]

    init(_ old: [String], _ new: [String]) {
        removed = Self.subtract(new, from: old)
        added = Self.subtract(old, from: new)
    }

    /// Returns the lines of a list; none, if there is no such file.
    static func lines(of file: URL) -> [String] {
        ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    private static func subtract(_ others: [String], from lines: [String]) -> [String] {
        var counts = others.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return lines.filter { line in
            guard let count = counts[line], count > 0 else { return true }
            counts[line] = count - 1
            return false
        }
    }

    /// The lines, those of one type together: `-` before a line that is removed, `+` before one that is added.
    var description: String {
        let lines = removed.map { ($0, "-") } + added.map { ($0, "+") }
        func path(_ line: String) -> Substring { line.prefix { $0 != "|" } }
        return lines.enumerated()
            .sorted { (path($0.element.0), $0.offset) < (path($1.element.0), $1.offset) }
            .map { "\($0.element.1) \($0.element.0)" }
            .joined(separator: "\n")
    }
}
