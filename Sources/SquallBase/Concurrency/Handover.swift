/// Items on their way from tasks to one thread, which blocks while there is none.
///
/// Either side can end it: the tasks by ``finish(_:)`` after their last item, the thread by ``stop(_:)``.
package struct Handover<Item>: Sendable {
    package enum End {
        /// The tasks have given all items, or have failed.
        case finished((any Error)?)
        /// The thread takes no items any more.
        case stopped(any Error)
    }

    private struct State {
        /// The items that were not taken, the next one first.
        var items: [Item] = []
        var end: End?
        /// The task that waits until all items were taken.
        var waiting: CheckedContinuation<Void, Never>?

        /// Removes the task that waits, if it can continue.
        mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
            guard items.isEmpty else { return nil }
            defer { waiting = nil }
            return waiting
        }
    }

    private let state = Locked(State())
    private let changed = ConditionVariable()

    package init() {}
}

// MARK: - The tasks

extension Handover {
    /// Adds an item.
    ///
    /// - Returns: The end that refuses the item.
    package func add(_ item: sending Item) -> End? {
        state.withLock { state in
            if let end = state.end { return end }
            state.items.append(item)
            changed.broadcast()
            return nil
        }
    }

    /// Suspends the task until all items were taken. Called by one task at a time.
    package func waitUntilTaken() async {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                if !state.items.isEmpty { state.waiting = continuation }
                return !state.items.isEmpty
            }
            if !mustWait { continuation.resume() }
        }
    }

    /// Ends the handover after its last item.
    ///
    /// - Parameter error: The error that the thread throws then.
    package func finish(_ error: (any Error)? = nil) {
        state.withLock { state in
            if state.end == nil { state.end = .finished(error) }
            changed.broadcast()
        }
    }
}

// MARK: - The thread

extension Handover {
    /// Blocks the thread until there is an item.
    ///
    /// - Parameter check: Called at least every 20 milliseconds while there is none. Its error ends the wait.
    /// - Returns: The item; `nil` after the last one.
    /// - Throws: The error of ``finish(_:)``, and that of `check`.
    package func next(_ check: () throws -> Void) throws -> Item? {
        // In slices, as the busy handler waits: a deadline and a cancellation do not wake the thread.
        let (item, waiting) = try state.wait(for: changed, atMost: .milliseconds(20)) { state in
            if !state.items.isEmpty { return (Item?.some(state.items.removeFirst()), state.takeWaiting()) }
            switch state.end {
            case .finished(let error?): throw error
            case .finished(nil), .stopped: return (nil, nil)
            case nil: break
            }
            try check()
            return nil
        }
        waiting?.resume()
        return item
    }

    /// Refuses items from now on.
    ///
    /// - Returns: The items that were not taken.
    @discardableResult
    package func stop(_ error: any Error) -> [Item] {
        let (items, waiting) = state.withLock { state in
            if state.end == nil { state.end = .stopped(error) }
            let items = state.items
            state.items = []
            return (items, state.takeWaiting())
        }
        waiting?.resume()
        return items
    }
}
