/// The values that a closure reads, each time that the database has changed: see ``Database/observe(coalescing:_:)``.
///
/// Each iteration is an observer by itself. It reads when its consumer asks for the next value: a slow consumer gets the latest
/// value, and never a queue of old ones.
public struct ObservedValues<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = any Error

    let database: Database
    let coalescing: Duration
    let equality: Equality<Value>
    let fetch: @Sendable (Connection) throws -> Value

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(observation: Observation(self))
    }

    /// An iteration, which observes the database until it is released.
    @_documentation(visibility: internal)
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let observation: Observation

        /// Waits for a change, and reads the value. The first call reads at once.
        ///
        /// - Returns: The value; `nil` when the task is cancelled, or the database closed.
        /// - Throws: The error of the closure, and ``SQLiteError`` as ``Database/read(deadline:_:)``. The sequence then ends.
        public mutating func next() async throws -> Value? { try await observation.next() }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Value? {
            try await observation.next()
        }
    }
}

extension ObservedValues {
    /// The observer of an iteration.
    ///
    /// Not Sendable: it is used by the task of its iterator.
    fileprivate final class Observation {
        private let values: ObservedValues
        private let center: ObservationCenter
        private var number: Int?
        private var last: Value?
        private var hasEnded = false

        init(_ values: ObservedValues) {
            self.values = values
            center = values.database.observationCenter
        }

        deinit {
            if let number { center.remove(number) }
        }

        nonisolated(nonsending) func next() async throws -> Value? {
            if hasEnded { return nil }
            do {
                let value = try await nextValue()
                hasEnded = value == nil
                return value
            } catch {
                hasEnded = true
                // An observation that was ended in the meantime ends without the error of its last read.
                if Task.isCancelled && error is CancellationError { return nil }
                if let number, center.hasEnded(number) { return nil }
                throw error
            }
        }

        private nonisolated(nonsending) func nextValue() async throws -> Value? {
            guard let number else { return try await firstValue() }
            while case .changed(let isCertain) = await center.waitForChange(number) {
                if values.coalescing > .zero, await !center.pause(number, for: values.coalescing) { return nil }
                guard let value = try await fetch(number) else { return nil }
                if let last, values.equality.removesEqual(isCertain), values.equality.areEqual(last, value) { continue }
                if values.equality.use != .never { last = value }
                return value
            }
            return nil
        }

        private nonisolated(nonsending) func firstValue() async throws -> Value? {
            let number = center.addFetching(to: values.database)
            self.number = number
            let value = try await fetch(number)
            if values.equality.use != .never { last = value }
            return value
        }

        /// Reads the value, with a reader and in one snapshot. Waits for the end of a suspension.
        private nonisolated(nonsending) func fetch(_ number: Int) async throws -> Value? {
            while center.beginFetch(number) {
                do {
                    return try await values.database.fetch(number, center, values.fetch)
                } catch let error as SQLiteError where error.isSuspension {
                    center.endFetch(number, .everything)
                    guard await center.waitForChange(number) != .ended else { return nil }
                }
            }
            return nil
        }
    }
}

extension SQLiteError {
    /// Whether the database is suspended, or its suspension has ended the statement.
    fileprivate var isSuspension: Bool {
        problem(DatabaseProblem.self) == .suspended || kind == .interrupted(.suspension)
    }
}

extension Database {
    /// Reads a value for an observer, and records what was read.
    fileprivate nonisolated(nonsending) func fetch<Value: Sendable>(
        _ number: Int, _ center: ObservationCenter, _ body: @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await performRead(nil) { pooled in
            let connection = pooled.connection
            try settle(number, center, pooled)
            let recorder = connection.beginRecording()
            defer { recorder.stop(on: connection) }
            let value = try body(connection)
            center.endFetch(number, recorder.end(on: connection))
            return value
        }
    }

    /// Begins the snapshot between two commits, so that it is known which commits it has. Gives up after some attempts: the value is
    /// then read again for a commit that it may have already.
    private func settle(_ number: Int, _ center: ObservationCenter, _ pooled: PooledConnection) throws {
        for attempt in 1...8 {
            let commits = center.publishedCommits
            try pooled.connection.readSchema()
            if let commits, center.settle(number, since: commits) { return }
            guard attempt < 8 else { return }
            pooled.endSnapshot()
            try pooled.beginSnapshot()
        }
    }
}

extension Connection {
    /// Begins to record what statements read.
    fileprivate func beginRecording() -> RegionRecorder {
        let recorder = companion {
            let recorder = RegionRecorder()
            follow(recorder)
            return recorder
        }
        recorder.begin(on: self)
        return recorder
    }
}
