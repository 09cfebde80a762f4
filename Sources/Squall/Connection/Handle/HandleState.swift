/// The state of a connection's SQLite handle. All changes of the state are the methods here.
enum HandleState {
    case open(OpaquePointer)
    /// SQLite is calling a hook, which must not use the connection.
    case inHook(RunningHook)
    /// A claim owns the handle, for instance a backup to the connection. It can end on another thread; see
    /// ``takeBack()``.
    case claimed(ConnectionClaim)
    /// A rollback has failed, for lack of memory: the transaction is still open. Its changes must never be committed. The
    /// next use rolls back first; see ``Connection/takeBack()``.
    case rollbackUnfinished(OpaquePointer)
    /// The connection was closed by a function, a collation or a hook. The handle is closed when SQLite has returned.
    case closeDeferred(OpaquePointer)
    /// `close` is running. The handle becomes `nil` just before SQLite closes it.
    case closing(OpaquePointer?)
    case closed

    /// A hook that is running.
    struct RunningHook {
        let name: StaticString
        /// The handle; `nil` if the connection had none when the hook began.
        let handle: OpaquePointer?
        /// Whether `close` is running.
        let isClosing: Bool
        /// Whether the hook has closed the connection.
        var closesConnection = false
    }

    /// The handle for ordinary uses of the connection: `nil` inside a hook, during a claim, before a rollback that
    /// must be repeated, and when it is closed.
    var handle: OpaquePointer? {
        switch self {
        case .open(let handle): handle
        case .closing(let handle): handle
        case .inHook, .claimed, .rollbackUnfinished, .closeDeferred, .closed: nil
        }
    }

    /// The handle, also inside a hook: for calls that SQLite allows there.
    var handleInHooks: OpaquePointer? {
        if case .inHook(let hook) = self { hook.handle } else { handle }
    }

    /// The handle for interrupts from other threads.
    var interruptibleHandle: OpaquePointer? {
        guard case .claimed(let claim) = self else { return handleInHooks }
        // A claim whose connection was closed has closed the handle, or is about to.
        return claim.connectionIsOpen ? claim.handle : nil
    }

    /// Whether `close` is running.
    var isClosing: Bool {
        switch self {
        case .closing: true
        case .inHook(let hook): hook.isClosing
        case .open, .claimed, .rollbackUnfinished, .closeDeferred, .closed: false
        }
    }

    var isClosed: Bool {
        switch self {
        case .open, .rollbackUnfinished: false
        case .inHook(let hook): hook.handle == nil || hook.closesConnection
        case .claimed(let claim): !claim.connectionIsOpen
        case .closing(let handle): handle == nil
        case .closeDeferred, .closed: true
        }
    }
}

// MARK: - Transitions

extension HandleState {
    /// Begins a hook, also inside another one.
    mutating func beginHook(_ name: StaticString) {
        self = .inHook(RunningHook(name: name, handle: handleInHooks, isClosing: isClosing))
    }

    /// Ends a hook.
    ///
    /// - Parameter outer: The state before the hook.
    /// - Returns: Whether the hook has closed the connection.
    mutating func endHook(_ outer: HandleState) -> Bool {
        defer { self = outer }
        if case .inHook(let hook) = self { return hook.closesConnection }
        return false
    }

    /// Remembers that the running hook has closed the connection.
    mutating func closeAfterHook() {
        guard case .inHook(var hook) = self, hook.handle != nil else { return }
        hook.closesConnection = true
        self = .inHook(hook)
    }

    /// Gives the handle of an open connection to a claim.
    mutating func beginClaim(_ claim: ConnectionClaim) { self = .claimed(claim) }

    /// Makes the state `open` again after a claim that has ended.
    ///
    /// - Returns: The handle; `nil` if no claim has ended.
    mutating func takeBack() -> OpaquePointer? {
        guard case .claimed(let claim) = self, let handle = claim.takeBack() else { return nil }
        self = .open(handle)
        return handle
    }

    /// Remembers that a rollback has failed, so that the next use repeats it. A connection that is being closed, or whose
    /// hook is running, rolls back by itself.
    mutating func leaveRollbackUnfinished() {
        if case .open(let handle) = self { self = .rollbackUnfinished(handle) }
    }

    /// Makes the state `open` again before a rollback is repeated, or the connection is closed.
    ///
    /// - Returns: The handle; `nil` if no rollback has failed.
    mutating func reopenForRollback() -> OpaquePointer? {
        guard case .rollbackUnfinished(let handle) = self else { return nil }
        self = .open(handle)
        return handle
    }

    /// Puts off closing an open connection until SQLite has returned.
    mutating func deferClosing(_ handle: OpaquePointer) { self = .closeDeferred(handle) }

    /// Makes the state `open` again if closing was put off, so that the connection can be closed now.
    ///
    /// - Returns: Whether closing was put off.
    mutating func reopenForClosing() -> Bool {
        guard case .closeDeferred(let handle) = self else { return false }
        self = .open(handle)
        return true
    }

    /// Begins to close an open connection.
    mutating func beginClosing(_ handle: OpaquePointer) { self = .closing(handle) }

    /// Removes the handle just before SQLite closes it.
    mutating func removeHandle() { self = .closing(nil) }

    /// Ends closing.
    mutating func endClosing() { self = .closed }
}
