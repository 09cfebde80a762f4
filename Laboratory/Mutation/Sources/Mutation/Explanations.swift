import Foundation

/// Mutants that no test can notice, with the reason, in lines of a file: `file | before | after | reason`.
struct Explanations {
    private var reasons: [String: String] = [:]

    init(contentsOf url: URL) {
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " | ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 4 { reasons[parts[..<3].joined(separator: " | ")] = parts[3] }
        }
    }

    /// Returns the reason why a mutant changes nothing that a test could notice.
    func reason(_ mutant: Mutant) -> String? {
        reasons[[mutant.file, Self.oneLine(mutant.before), Self.oneLine(mutant.after)].joined(separator: " | ")]
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
