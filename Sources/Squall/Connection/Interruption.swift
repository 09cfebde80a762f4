import SquallSQLite

/// The sources of interruption of a running or waiting statement: the time limit, a deadline, a cancellation, a
/// suspension of the database, and the user's handlers. They share the one progress handler and the one busy handler of an SQLite connection.
final class Interruption: CallbackContext {
    /// The reaction to a database that another connection has locked.
    enum BusyPolicy {
        case fail
        case wait(milliseconds: Int32)
        case ask((Int32) -> Bool)
    }

    /// The knowledge of SQLite's timeout. Reading the timeout takes 2 µs, so that it is read again only after a change.
    private enum BusyTimeout {
        case known
        case unknown
        /// A PRAGMA has set the timeout, and with it removed Squall's handler.
        case setByPragma
    }

    // Unmanaged, as in `CallbackContext`. SQLite's handlers have an unmanaged reference to this object. The connection,
    // or a claim on its handle, keeps the object until the handle is closed.
    var connection: Unmanaged<Connection>?

    private let timeLimit: Duration?
    private var endOfStatement: Deadline?
    private(set) var deadline: Deadline?
    private(set) var cancellation: Cancellation?

    /// The limits of the outer closure, while the connection is used inside a closure of another one.
    private var inherited: Cancellation?

    /// The flags that every statement reads. Computing them from the other properties took 4 % of a look-up.
    let flags = InterruptionFlags()

    /// Whether anything can end a statement.
    @inline(__always)
    var isActive: Bool { flags.isActive }

    /// The handle for interrupts from other threads, if one is in use.
    @exclusivity(unchecked) var sharedHandle: InterruptHandle?

    private var progressHandler: (() -> Bool)?
    private var progressInterval: Int32 = Interruption.instructionsPerCheck
    private var instructions: Int32 = 0

    private var busyPolicy = BusyPolicy.fail
    private var endOfWait = Deadline(after: .zero)
    /// The time on `MonotonicClock` until which the present wait has been added to the waited time of the lease.
    private var measuredUntil: UInt64 = 0
    /// Whether `busyPolicy` matches SQLite's timeout.
    private var busyTimeout = BusyTimeout.unknown
    /// Whether the time of all waits is measured, and not only of those with a deadline or a cancellation.
    private var measuresWaits = false

    /// The number of instructions of SQLite's virtual machine between two checks of the clock: some microseconds.
    private static let instructionsPerCheck: Int32 = 1000

    /// The pauses of SQLite's busy handler, in milliseconds. The last one is repeated.
    private static let pauses = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    init(timeLimit: Duration?) {
        self.timeLimit = timeLimit
        updateActivity()
    }

    deinit {
        flags.deallocate()
    }

    /// Whether a deadline or a cancellation is in force.
    var hasLimits: Bool { deadline != nil || cancellation != nil }

    private func updateActivity() {
        flags.setLimited(timeLimit != nil || hasLimits)
    }

    func connectionWillClose() {
        progressHandler = nil
        if case .ask = busyPolicy { busyPolicy = .fail }
    }

    func connectionDidClose() {
        connectionWillClose()
    }

    func start() {
        if let timeLimit { endOfStatement = Deadline(after: timeLimit) }
    }

    /// The reason why the running statement must end now; `nil` if it may continue.
    var reason: SQLiteError.InterruptionReason? {
        if let reason = reasonNotToBegin { return reason }
        guard let timeLimit, let endOfStatement, endOfStatement.hasPassed else { return nil }
        return .timeLimit(timeLimit)
    }

    /// The reason why a statement must neither begin nor wait for a lock; `nil` if it may.
    var reasonNotToBegin: SQLiteError.InterruptionReason? {
        if cancellation?.isCancelled == true { return .cancellation }
        if flags.isSuspended { return .suspension }
        if let deadline, deadline.hasPassed { return .deadline }
        return nil
    }
}

// MARK: - Scopes

extension Interruption {
    /// Runs a closure under a deadline and a cancellation. An earlier deadline that is already in force is kept.
    func scope<Result>(
        on connection: Connection, deadline: Deadline?, cancellation: Cancellation?,
        _ body: () throws -> Result
    ) throws -> Result {
        if connection.handle == nil { throw connection.closedError() }
        let (outerDeadline, outerCancellation) = (self.deadline, self.cancellation)
        setLimits(earlier(deadline), cancellation, on: connection)
        defer { setLimits(outerDeadline, outerCancellation, on: connection) }
        return try body()
    }

    private func setLimits(
        _ deadline: Deadline?, _ cancellation: Cancellation?, on connection: Connection
    ) {
        // A timeout that a PRAGMA set in the meantime is kept.
        if let handle = connection.handle { readBusyTimeout(of: connection, handle) }
        (self.deadline, self.cancellation) = (deadline, cancellation)
        updateActivity()
        // If a claim owns the handle, the handlers are installed when it ends.
        if let handle = connection.handle { install(on: handle) }
        connection.finishPostponedWork()
    }

    /// Returns the earlier of a deadline and the one that is in force.
    private func earlier(_ other: Deadline?) -> Deadline? {
        if let deadline, let other { min(deadline, other) } else { deadline ?? other }
    }

    /// Reads the timeout that a `PRAGMA busy_timeout` may have set in place of any handler. While Squall's handler is
    /// installed, SQLite reports 0.
    private func readBusyTimeout(of connection: Connection, _ handle: OpaquePointer) {
        if busyTimeout == .known { return }
        guard let milliseconds = connection.pragmaValue("busy_timeout", on: handle) else { return }
        if milliseconds > 0 {
            busyPolicy = .wait(milliseconds: Int32(clamping: milliseconds))
        } else if busyTimeout == .setByPragma || !isBusyHandlerOurs {
            busyPolicy = .fail
        }
        busyTimeout = .known
    }

    /// Notes a `PRAGMA busy_timeout = …`.
    func busyTimeoutWasSet() { busyTimeout = .setByPragma }

    /// Removes Squall's handlers before a claim gets the handle. A busy timeout remains, but ends at the deadline.
    func removeHandlers(from handle: OpaquePointer) {
        cancellation?.run(on: nil)
        sqlite3_progress_handler(handle, 0, nil, nil)
        var milliseconds: Int32 = 0
        if case .wait(let timeout) = busyPolicy { milliseconds = timeout }
        if let deadline {
            milliseconds = min(milliseconds, Int32(min(deadline.rest / .milliseconds(1), 2e9)))
        }
        sqlite3_busy_timeout(handle, milliseconds)
    }

    func install(on handle: OpaquePointer) {
        cancellation?.run(on: handle)
        installProgressHandler(on: handle)
        installBusyHandler(on: handle)
    }
}

// MARK: - Nested work

extension Interruption {
    /// Returns the limits for work on another connection inside a closure of this one: the earlier of the two
    /// deadlines, and this cancellation. The caller ends the result.
    ///
    /// - Returns: The limits; `nil` if there are none.
    func nestedCancellation(until other: Deadline?) -> Cancellation? {
        let deadline = earlier(other)
        guard deadline != nil || hasLimits else { return nil }
        return Cancellation(deadline: deadline, parent: cancellation)
    }

    /// Applies the limits of an outer closure, which has another connection, until ``endInheritance(on:)``.
    func inherit(from outer: Interruption, on connection: Connection) {
        guard connection.handle != nil, let limits = outer.nestedCancellation(until: nil) else { return }
        inherited = limits
        setLimits(limits.deadline, limits, on: connection)
    }

    /// Ends ``inherit(from:on:)``. Does nothing if nothing was inherited.
    func endInheritance(on connection: Connection) {
        guard let limits = inherited else { return }
        inherited = nil
        limits.end()
        connection.endInterrupts(of: limits)
        setLimits(nil, nil, on: connection)
    }
}

// MARK: - Progress

extension Interruption {
    /// Sets the user's progress handler. It is called once in `interval` instructions and returns whether to interrupt.
    func setProgressHandler(of connection: Connection, interval: Int32, _ handler: (() -> Bool)?) {
        connection.willChange("progress handler") {
            let (handler, interval) = (progressHandler, progressInterval)
            return {
                $0.interruption.setProgressHandler(of: $0, interval: interval, handler)
                return true
            }
        }
        progressHandler = handler
        progressInterval = max(1, interval)
        instructions = 0
        connection.changeCallbacks { [unowned self] in installProgressHandler(on: $0) }
    }

    private var instructionsPerCall: Int32 { min(progressInterval, Self.instructionsPerCheck) }

    private func installProgressHandler(on handle: OpaquePointer) {
        // Also for a cancellation, which calls `sqlite3_interrupt`: a statement that begins at this moment clears the interrupt.
        guard timeLimit != nil || hasLimits || progressHandler != nil else {
            return sqlite3_progress_handler(handle, 0, nil, nil)
        }
        sqlite3_progress_handler(
            handle, progressHandler == nil ? Self.instructionsPerCheck : instructionsPerCall,
            { context in
                Interruption.with(context) { $0.shouldInterrupt() ? 1 : 0 } ?? 0
            },
            pointer
        )
    }

    private func shouldInterrupt() -> Bool {
        if connection?._withUnsafeGuaranteedRef({ $0.callbacks.pointee.isInternal }) == true { return false }
        if reason != nil { return true }
        guard let progressHandler else { return false }
        instructions &+= instructionsPerCall
        guard instructions >= progressInterval else { return false }
        instructions = 0
        return call("progress handler") { progressHandler() }
    }
}

// MARK: - Busy

extension Interruption {
    /// Notes the policy before a closure of a pool changes it.
    func willChangeBusyPolicy(of connection: Connection) {
        connection.willChange("busy handler") {
            if let handle = connection.handle { readBusyTimeout(of: connection, handle) }
            let policy = busyPolicy
            return {
                $0.interruption.setBusyPolicy(policy, of: $0)
                return true
            }
        }
    }

    func setBusyPolicy(_ policy: BusyPolicy, of connection: Connection) {
        willChangeBusyPolicy(of: connection)
        busyPolicy = policy
        busyTimeout = .unknown
        connection.changeCallbacks { [unowned self] in installBusyHandler(on: $0) }
    }

    /// Whether Squall's busy handler is installed, and not that of SQLite.
    private var isBusyHandlerOurs: Bool {
        switch busyPolicy {
        case .fail: false
        case .ask: true
        case .wait: deadline != nil || cancellation != nil || measuresWaits
        }
    }

    private func installBusyHandler(on handle: OpaquePointer) {
        switch busyPolicy {
        case .fail:
            sqlite3_busy_handler(handle, nil, nil)
        case .wait(let milliseconds) where !isBusyHandlerOurs:
            // SQLite's own handler, whose timeout `PRAGMA busy_timeout` returns.
            sqlite3_busy_timeout(handle, milliseconds)
        default:
            sqlite3_busy_handler(
                handle,
                { context, count in
                    Interruption.with(context) { $0.shouldRetry(count) ? 1 : 0 } ?? 0
                },
                pointer
            )
        }
    }

    // The time limit does not end a wait: it limits the work of a statement.
    private func shouldRetry(_ count: Int32) -> Bool {
        if reasonNotToBegin != nil { return false }
        switch busyPolicy {
        case .fail: return false
        case .ask(let handler): return call("busy handler") { handler(count) }
        case .wait(let milliseconds):
            if count == 0 {
                measuredUntil = MonotonicClock.now
                endOfWait = Deadline(after: .milliseconds(Int(milliseconds)))
            }
            defer { measuredUntil = addWait(since: measuredUntil) }
            guard !endOfWait.hasPassed else { return false }
            let pause = Self.pauses[min(Int(count), Self.pauses.count - 1)]
            sleep(until: min(Deadline(after: .milliseconds(pause)), endOfWait, deadline ?? endOfWait))
            return reasonNotToBegin == nil
        }
    }

    /// Adds the time since another one to the waited time of the lease, with the attempts between the pauses.
    ///
    /// - Returns: The present time.
    @discardableResult
    func addWait(since start: UInt64) -> UInt64 {
        let now = MonotonicClock.now
        connection?._withUnsafeGuaranteedRef { $0.lease.waitedTime &+= now &- start }
        return now
    }

    /// Runs a closure whose statements do not wait for locks.
    func withoutWaiting<Result>(on connection: Connection, _ body: () throws -> Result) rethrows -> Result {
        if let handle = connection.handle {
            readBusyTimeout(of: connection, handle)
            sqlite3_busy_handler(handle, nil, nil)
        }
        defer { if let handle = connection.handle { installBusyHandler(on: handle) } }
        return try body()
    }

    /// Sets whether Squall's busy handler, which measures the time, always takes the place of SQLite's.
    func setMeasuresWaits(_ measures: Bool, of connection: Connection) {
        if let handle = connection.handle { readBusyTimeout(of: connection, handle) }
        measuresWaits = measures
        connection.changeCallbacks { [unowned self] in installBusyHandler(on: $0) }
    }

    /// Sleeps until a time, or until the work is cancelled.
    func sleep(until end: Deadline) {
        if let cancellation { return cancellation.sleep(until: end) }
        sleepThread(end.rest)
    }
}
