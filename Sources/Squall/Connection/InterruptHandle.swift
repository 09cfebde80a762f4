import SquallSQLite

/// Interrupts the statements of one connection, from any thread.
///
///     let handle = connection.interruptHandle
///     let watchdog = Task { try await Task.sleep(for: .seconds(5)); handle.interrupt() }
///     let total: Int = try connection.query("SELECT sum(price) FROM cars")
///
/// The handle does nothing once the connection is closed. The handle of a connection of a queue, a pool or a database
/// does nothing once the closure has returned.
public final class InterruptHandle: Sendable {
    /// SQLite's handle, which is removed before the connection is closed.
    private let handle: Locked<OpaquePointer?>

    init(_ handle: OpaquePointer?) {
        // Only `sqlite3_interrupt` uses it, which may be called from any thread.
        nonisolated(unsafe) let handle = handle
        self.handle = Locked(handle)
    }

    /// Interrupts the running statements, which throw `SQLITE_INTERRUPT` (9). Later statements are not affected.
    public func interrupt() {
        handle.withLock { if let handle = $0 { sqlite3_interrupt(handle) } }
    }

    /// Detaches the handle from its connection. Nothing is interrupted after the call.
    func invalidate() {
        handle.withLock { $0 = nil }
    }
}

extension Connection {
    /// Interrupts the running statements, which throw `SQLITE_INTERRUPT` (9). For functions and hooks; other threads
    /// use ``interruptHandle``.
    public func interrupt() {
        if access != .returned, let handle = handle ?? state.handleInHooks { sqlite3_interrupt(handle) }
    }

    /// A handle that interrupts the statements of the connection from any thread. It does nothing once the connection
    /// is closed.
    public var interruptHandle: InterruptHandle {
        if let shared = interruption.sharedHandle { return shared }
        // Another closure may use the connection by now.
        if access == .returned { return InterruptHandle(nil) }
        let handle = InterruptHandle(handle ?? state.interruptibleHandle)
        interruption.sharedHandle = handle
        return handle
    }

    /// Detaches the handle that is in use: it does nothing from now on.
    @inline(__always)
    func invalidateInterruptHandle() {
        guard let shared = interruption.sharedHandle else { return }
        shared.invalidate()
        interruption.sharedHandle = nil
    }
}

extension Connection {
    /// Clears an interrupt that came too late to end a statement. SQLite itself clears it when the next statement is
    /// prepared or begins, but a checkpoint before that, such as the one of closing, would fail.
    ///
    /// While a statement is running, the interrupt is meant for that statement, and is kept.
    static func clearInterrupt(of handle: OpaquePointer) {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, ";", -1, &statement, nil)
        sqlite3_finalize(statement)
    }

    /// Closes an SQLite handle, and checkpoints its log even after an interrupt that came too late for its statement.
    static func close(_ handle: OpaquePointer) {
        clearInterrupt(of: handle)
        sqlite3_close_v2(handle)
    }
}
