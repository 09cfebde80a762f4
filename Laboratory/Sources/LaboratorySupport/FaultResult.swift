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

    public init(fault: String, points: Int, violations: [String], duration: Duration) {
        self.fault = fault
        self.points = points
        self.violations = violations
        self.duration = duration
    }
}
