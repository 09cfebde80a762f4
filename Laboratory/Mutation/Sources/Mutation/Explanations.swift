import Foundation

/// Mutants that no test can notice, with the reason, in lines of a file: `file | line of code | before | after | reason`.
struct Explanations {
    private var reasons: [String: String] = [:]

    init(contentsOf url: URL) throws {
        try self.init(String(contentsOf: url, encoding: .utf8))
    }

    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " | ", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 5 { reasons[parts[..<4].joined(separator: " | ")] = parts[4] }
        }
    }

    /// Returns the reason why a mutant changes nothing that a test could notice.
    func reason(_ mutant: Mutant) -> String? {
        let parts = [mutant.file, mutant.code, Mutant.oneLine(mutant.before), Mutant.oneLine(mutant.after)]
        return reasons[parts.joined(separator: " | ")]
    }
}
