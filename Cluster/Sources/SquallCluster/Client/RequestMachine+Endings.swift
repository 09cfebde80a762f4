import NIOCore

// What the users of the connection and the clock end.
extension RequestMachine {
    /// Lets the reader of rows wait for the next parts.
    mutating func requestRows(_ waiter: Waiter, deadline: NIODeadline) {
        guard case .rows(var rows) = state, rows.waiter == nil else {
            if case .closed(let error) = state { return fail(waiter, error) }
            return fail(waiter, ClusterError.closed)
        }
        rows.waiter = waiter
        rows.deadline = deadline
        state = .rows(rows)
        deliverRows()
    }

    /// Ends the rows whose reader wants no more of them.
    mutating func abandonRows(now: NIODeadline) {
        guard case .rows(let rows) = state, rows.waiter == nil else { return }
        if rows.hasEnded { return startNext() }
        // dqlite 1.11 reads this only after it sent all rows. The bytes that it may send are limited.
        var draining = Draining(deadline: now + settings.drainTime, sql: rows.sql)
        draining.bytes = rows.parts.reduce(0) { $0 + $1.body.readableBytes }
        send(.interrupt, .draining(draining))
    }

    /// Ends a job whose task was cancelled. A job that was sent takes the connection with it.
    mutating func cancel(_ waiter: Waiter) {
        end(waiter, CancellationError())
    }

    /// Ends the jobs whose deadline has passed.
    mutating func endLateJobs(now: NIODeadline) {
        for job in queue where job.deadline <= now {
            end(job.waiter, ClusterError.deadlineExceeded(mayHaveRun: false))
        }
        guard let deadline = currentDeadline, deadline <= now else { return }
        if let waiter = currentWaiter {
            end(waiter, ClusterError.deadlineExceeded(mayHaveRun: mayHaveRun))
        } else {
            close(.closed)
        }
    }

    /// The next time at which ``endLateJobs(now:)`` has something to do.
    var nextDeadline: NIODeadline? {
        let next = queue.lazy.map(\.deadline).min() ?? .distantFuture
        let deadline = min(next, currentDeadline ?? .distantFuture)
        return deadline == .distantFuture ? nil : deadline
    }

    /// Ends all jobs, because the connection ended or must end.
    mutating func close(_ error: ClusterError) {
        if case .closed = state { return }
        let waiter = currentWaiter
        let mayHaveRun = mayHaveRun
        let waiting = queue
        state = .closed(.closed)
        queue = []
        perform(.close(error))
        if let waiter { fail(waiter, error.changed(mayHaveRun: mayHaveRun)) }
        for job in waiting { fail(job.waiter, error.changed(mayHaveRun: false)) }
    }

    private mutating func end(_ waiter: Waiter, _ error: any Error) {
        if let index = queue.firstIndex(where: { $0.waiter == waiter }) {
            queue.remove(at: index)
            fail(waiter, error)
        } else if currentWaiter == waiter {
            dropWaiter()
            close(.closed)
            fail(waiter, error)
        }
    }

    /// Forgets the waiter of the request under way, so that closing does not resume it.
    private mutating func dropWaiter() {
        switch state {
        case .rows(var rows):
            rows.waiter = nil
            state = .rows(rows)
        case .preparing, .waiting, .finalizing:
            state = .finalizing(next: nil, deadline: .distantFuture)
        case .idle, .draining, .closed:
            break
        }
    }

    private var currentWaiter: Waiter? {
        switch state {
        case .preparing(let job, _), .waiting(let job): job.waiter
        case .finalizing(let job, _): job?.waiter
        case .rows(let rows): rows.waiter
        case .idle, .draining, .closed: nil
        }
    }

    private var currentDeadline: NIODeadline? {
        switch state {
        case .preparing(let job, _), .waiting(let job): job.deadline
        case .finalizing(_, let deadline): deadline
        case .rows(let rows): rows.waiter == nil ? nil : rows.deadline
        case .draining(let draining): draining.deadline
        case .idle, .closed: nil
        }
    }

    /// Whether the node may have run the statement of the request under way.
    private var mayHaveRun: Bool {
        switch state {
        case .waiting, .rows: true
        case .idle, .preparing, .finalizing, .draining, .closed: false
        }
    }
}

extension ClusterError {
    fileprivate func changed(mayHaveRun: Bool) -> ClusterError {
        switch self {
        case .connectionLost(let reason, _): .connectionLost(reason: reason, mayHaveRun: mayHaveRun)
        case .deadlineExceeded: .deadlineExceeded(mayHaveRun: mayHaveRun)
        case .closed where mayHaveRun: .connectionLost(reason: "the client closed it", mayHaveRun: true)
        default: self
        }
    }
}
