/// Limits the number of processes that the tests run at once.
///
/// Swift Testing begins all tests at once, and each process has four open files.
actor ProcessLimit {
    static let shared = ProcessLimit()
    private var free = 16
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Runs a closure when fewer than 16 others are running.
    func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiters.append($0) }
        }
        defer { leave() }
        return try await body()
    }

    private func leave() {
        if waiters.isEmpty { free += 1 } else { waiters.removeFirst().resume() }
    }
}
