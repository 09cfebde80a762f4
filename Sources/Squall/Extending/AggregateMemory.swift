import SquallSQLite

/// The memory that SQLite keeps for one group of an aggregate. It is zeroed at first, and freed by SQLite after the final call.
@frozen
@usableFromInline
package struct AggregateMemory {
    @usableFromInline package var state: UnsafeMutableRawPointer?
    /// Whether a step has thrown. The statement then fails, and the result of SQLite's final call is ignored.
    @usableFromInline var hasFailed: Bool
}

extension FunctionCall {
    @inlinable
    package func aggregateMemory(size: Int) -> UnsafeMutablePointer<AggregateMemory>? {
        sqlite3_aggregate_context(context, Int32(truncatingIfNeeded: size))?
            .assumingMemoryBound(to: AggregateMemory.self)
    }

    /// Returns the state of the group, which begins as `initial`.
    @inlinable
    @inline(__always)
    func state<State>(_ initial: () throws -> State) throws -> UnsafeMutablePointer<State> {
        guard let memory = aggregateMemory(size: MemoryLayout<AggregateMemory>.size) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory")
        }
        if let known = memory.pointee.state { return known.assumingMemoryBound(to: State.self) }
        return try beginGroup(memory, initial)
    }

    /// Calls `body` with the state of the group and the arguments. If that throws, releases the state.
    @inlinable
    @inline(__always)
    func change<State, each Argument: FunctionArgument>(
        _ initial: () throws -> State, _ body: (inout State, repeat each Argument) throws -> Void
    ) throws {
        let state = try state(initial)
        do {
            var index = 0
            try body(&state.pointee, repeat try (each Argument).fromArgument(next(&index)))
        } catch {
            abandonGroup(State.self)
            throw error
        }
    }

    @inlinable
    @inline(never)
    func beginGroup<State>(
        _ memory: UnsafeMutablePointer<AggregateMemory>, _ initial: () throws -> State
    ) throws -> UnsafeMutablePointer<State> {
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        do {
            state.initialize(to: try initial())
        } catch {
            state.deallocate()
            memory.pointee.hasFailed = true
            throw error
        }
        memory.pointee.state = UnsafeMutableRawPointer(state)
        return state
    }

    /// Releases the state of a group whose step has thrown.
    @inlinable
    @inline(never)
    func abandonGroup<State>(_ type: State.Type) {
        guard let memory = aggregateMemory(size: 0) else { return }
        memory.pointee.hasFailed = true
        release(memory, as: State.self)
    }

    /// Calls `body` with the current state, or with `initial` for a group without rows. Does nothing after an error.
    @inlinable
    func withFinalState<State>(
        _ initial: () throws -> State, endsGroup: Bool, _ body: (State) throws -> Void
    ) throws {
        // A size of 0 returns the existing memory, and allocates nothing.
        guard let memory = aggregateMemory(size: 0), let state = memory.pointee.state else {
            if aggregateMemory(size: 0)?.pointee.hasFailed ?? false { return }
            return try body(initial())
        }
        defer {
            if endsGroup { release(memory, as: State.self) }
        }
        try body(state.assumingMemoryBound(to: State.self).pointee)
    }

    @inlinable
    func release<State>(_ memory: UnsafeMutablePointer<AggregateMemory>, as type: State.Type) {
        guard let state = memory.pointee.state?.assumingMemoryBound(to: State.self) else { return }
        memory.pointee.state = nil
        state.deinitialize(count: 1)
        state.deallocate()
    }
}
