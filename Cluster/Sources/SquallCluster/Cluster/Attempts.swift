/// The attempts of one call.
struct Attempts {
    let settings: ClusterSettings
    let deadline: CallDeadline
    private var count = 0

    init(settings: ClusterSettings, deadline: CallDeadline) {
        self.settings = settings
        self.deadline = deadline
    }

    /// Suspends the task before the next attempt.
    ///
    /// - Throws: The error of the last attempt, if there is to be no other.
    nonisolated(nonsending) mutating func pause(after error: any Error) async throws {
        guard let error = error as? ClusterError else { throw error }
        guard error.isRetriable else { throw error.withoutEffect }
        if try await pause() { return }
        throw deadline.hasPassed && error.endsConnection
            ? ClusterError.deadlineExceeded(mayHaveRun: false) : error.withoutEffect
    }

    /// Suspends the task before the next attempt.
    ///
    /// - Returns: Whether there may be another attempt.
    nonisolated(nonsending) mutating func pause() async throws -> Bool {
        count += 1
        guard let pause = settings.retry.pause(afterAttempts: count, part: .random(in: 0...1)) else { return false }
        return try await deadline.pause(for: pause)
    }
}
