import NIOCore

/// The time at which a call fails, with all its attempts.
struct CallDeadline: Hashable, Sendable {
    let instant: ContinuousClock.Instant

    init(after duration: Duration) {
        instant = .now + duration
    }

    /// The time that is left, at least 0.
    var rest: Duration { max(instant - .now, .zero) }

    var hasPassed: Bool { instant <= .now }

    var nioDeadline: NIODeadline { .now() + TimeAmount(rest) }

    /// Throws an error if the deadline has passed.
    func check() throws {
        if hasPassed { throw ClusterError.deadlineExceeded(mayHaveRun: false) }
    }

    /// Suspends the task for a pause.
    ///
    /// - Returns: Whether the pause was over before the deadline. Otherwise, the task was not suspended.
    nonisolated(nonsending) func pause(for duration: Duration) async throws -> Bool {
        guard duration < rest else { return false }
        try await Task.sleep(for: duration)
        return true
    }
}
