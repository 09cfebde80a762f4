/// The attempts of a call, and the pauses between them.
///
/// A call is attempted again when the leader changed, or when another client has the database locked. The pause before
/// an attempt is a random part, at least half, of a duration that doubles each time. All attempts and pauses are within
/// the deadline of the call.
public struct RetryPolicy: Hashable, Sendable {
    /// The largest number of attempts; `nil` for any.
    public var maximumAttempts: Int?
    /// The duration of the first pause.
    public var firstPause: Duration = .milliseconds(2)
    /// The duration of the longest pause.
    public var longestPause: Duration = .milliseconds(250)

    public init() {}

    /// A policy of one attempt: no closure runs twice.
    public static let never: RetryPolicy = {
        var policy = RetryPolicy()
        policy.maximumAttempts = 1
        return policy
    }()

    /// Returns the pause after a number of attempts; `nil` if there may be no more.
    ///
    /// - Parameter part: A random number from 0 to 1.
    func pause(afterAttempts attempts: Int, part: Double) -> Duration? {
        if let maximumAttempts, attempts >= maximumAttempts { return nil }
        let longest = min(firstPause * (1 << min(max(attempts - 1, 0), 30)), longestPause)
        return longest * (0.5 + part / 2)
    }
}
