import SquallSQLite

/// Interrupts the statements of one connection, from any thread.
///
///     let handle = connection.interruptHandle
///     let watchdog = Task { try await Task.sleep(for: .seconds(5)); handle.interrupt() }
///     let total: Int = try connection.query("SELECT sum(price) FROM cars")
///
/// The handle does nothing once the connection is closed. The handle of a connection that a queue, a pool or a database
/// has lent does nothing once the closure has returned.
///
/// Sendable, because the pointer is used under the lock alone, and is forgotten before the connection is closed.
public final class InterruptHandle: @unchecked Sendable {
    // A lock and not a `Mutex`, about which the thread sanitizer reports false races.
    private let lock = Lock()
    private var handle: OpaquePointer?

    init(_ handle: OpaquePointer?) {
        self.handle = handle
    }

    /// Makes the statements that are running fail with `SQLITE_INTERRUPT` (9), by `sqlite3_interrupt`. Statements that
    /// begin later are not affected.
    public func interrupt() {
        lock.withLock {
            if let handle { sqlite3_interrupt(handle) }
        }
    }

    /// Detaches the handle from its connection. Nothing is interrupted after the call.
    func invalidate() {
        lock.withLock { handle = nil }
    }
}

extension Connection {
    /// Clears an interrupt that has ended no statement. SQLite does so itself when the next statement is prepared or begins,
    /// but a checkpoint, and the one that is part of closing, would fail with it.
    ///
    /// While a statement is running, the interrupt is meant for that, and stays.
    static func clearInterrupt(of handle: OpaquePointer) {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, ";", -1, &statement, nil)
        sqlite3_finalize(statement)
    }

    /// Closes an SQLite handle, and checkpoints its log even if the last interrupt came too late for its statement.
    static func close(_ handle: OpaquePointer) {
        clearInterrupt(of: handle)
        sqlite3_close_v2(handle)
    }
}
