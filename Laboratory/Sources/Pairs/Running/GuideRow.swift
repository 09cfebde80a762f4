/// A refused group of pairs in the words of the guide "Safety".
///
/// The table of the guide is written from these rows:
/// `SQUALL_RECORD=1 swift test --package-path Laboratory --filter GuideRowTests`.
struct GuideRow: Sendable {
    private let features: String
    private let others: String
    private let reason: String
    private let instead: String

    /// - Parameters:
    ///   - features: The features, as a user calls them.
    ///   - others: Those that they cannot meet.
    ///   - reason: The reason, after the word "because".
    ///   - instead: The way to reach the same without this pair.
    init(_ features: String, _ others: String, reason: String, instead: String) {
        (self.features, self.others, self.reason, self.instead) = (features, others, reason, instead)
    }

    /// The first lines of the table.
    static let head = ["| Feature | Refused together with | Error | Reason | Instead |", "|---|---|---|---|---|"]

    /// Returns the line of the table.
    ///
    /// - Parameter problem: The error that the library throws.
    func line(_ problem: String) -> String {
        "| \(features) | \(others) | `\(problem)` | \(reason) | \(instead) |"
    }
}
