/// A row of a lane's table: a fault, the points at which it was tried, and what did not hold.
public struct FaultResult: Sendable {
    /// The fault, in a few words: "write error, transactions".
    public var fault: String
    /// The number of points at which the fault was tried.
    public var points: Int
    /// A sentence for each violation, with what is needed to try it again: the point, the seed.
    public var violations: [String]
    /// The time that it took.
    public var duration: Duration
    /// The reason for which the fault was not tried on this machine; `nil` if it was tried.
    public var skipReason: String?

    public init(fault: String, points: Int, violations: [String], duration: Duration) {
        self.fault = fault
        self.points = points
        self.violations = violations
        self.duration = duration
    }

    /// A fault that cannot be tried on this machine.
    public init(fault: String, skippedBecause reason: String) {
        self.init(fault: fault, points: 0, violations: [], duration: .zero)
        skipReason = reason
    }
}
