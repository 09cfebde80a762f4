import Foundation

/// An asynchronous call: its place in the line, its cancellation and its deadline.
struct Request: Sendable {
    let waiter = Waiter()
    let cancellation = Cancellation()
    let deadline: ContinuousClock.Instant?

    /// Held while the caller is resumed, and taken by the caller afterwards. The thread sanitizer does not see that a
    /// continuation which is resumed before it is awaited is ordered by the runtime, and reports it in the runtime's
    /// own code.
    fileprivate let handover = Lock()

    /// Runs a closure until the call is cancelled, or its deadline has passed.
    ///
    /// - Throws: `CancellationError` in place of what a cancelled statement throws.
    func run<Result>(on seat: Seat, _ body: () throws -> Result) throws -> Result {
        do {
            if cancellation.isCancelled { throw CancellationError() }
            return try seat.connection.withCancellation(cancellation, deadline: deadline) { try body() }
        } catch let error as SQLiteError where error.mayBeCancellation && cancellation.isCancelled {
            throw CancellationError()
        }
    }

    static var deadlineError: SQLiteError {
        .interrupted("the deadline has passed")
    }
}

extension SQLiteError {
    /// What SQLite says when a statement, or its waiting, was ended; and what statements say that come after a
    /// transaction was ended so.
    fileprivate var mayBeCancellation: Bool {
        resultCode == .interrupt || resultCode == .busy || extendedResultCode == .transactionLost
    }
}

extension Lender {
    /// Runs a closure with a seat, on the queue of the seat, and suspends the caller until then. The closure releases
    /// the seat, so that it is free before the caller goes on.
    nonisolated(nonsending) func perform<Result: Sendable>(
        deadline: Duration?, _ body: @escaping @Sendable (Seat, Request) throws -> Result
    ) async throws -> Result {
        let request = Request(deadline: deadline.map { .now + $0 })
        defer { request.handover.withLock {} }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                ask(for: request) { outcome in
                    if case .refused(let error) = outcome {
                        return request.handover.withLock { continuation.resume(throwing: error) }
                    }
                    self.queue(of: outcome).async {
                        let result = Swift.Result { try body(try self.seat(outcome), request) }
                        request.handover.withLock { continuation.resume(with: result) }
                    }
                }
            }
        } onCancel: {
            // Running work first: it may be what the others in the line wait for.
            request.cancellation.cancel()
            withdraw(request.waiter, CancellationError())
        }
    }

    private func ask(for request: Request, resume: @escaping @Sendable (Waiter.Outcome) -> Void) {
        self.request(request.waiter, resume: resume)
        guard let deadline = request.deadline else { return }
        watch(request.waiter, until: deadline)
    }

    /// Takes a waiter out of the line when its time is over.
    private func watch(_ waiter: Waiter, until deadline: ContinuousClock.Instant) {
        guard isWaiting(waiter) else { return }
        let rest = ContinuousClock.now.duration(to: deadline) / .seconds(1)
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, min(rest, 1e9))) { [weak self, weak waiter] in
            if let waiter { self?.withdraw(waiter, Request.deadlineError) }
        }
    }

    private func queue(of outcome: Waiter.Outcome) -> DispatchQueue {
        guard case .granted(let seat?) = outcome else { return DispatchQueue(label: "squall.opening") }
        return seat.queue
    }
}
