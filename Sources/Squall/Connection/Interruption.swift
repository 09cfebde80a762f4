import SquallSQLite

/// What ends a statement that runs or waits: the time limit, a deadline, a cancellation, and the handlers of the user's. They
/// share the places that SQLite has for a progress handler and for a busy handler, one of each.
final class Interruption: CallbackContext {
    /// What to do when another connection has locked the database.
    enum BusyPolicy {
        case fail
        case wait(milliseconds: Int32)
        case ask((Int32) -> Bool)
    }

    // Unmanaged, as in `CallbackContext`. SQLite's handlers have an unmanaged reference to this object, which the connection,
    // or a claim on its handle, keeps until the handle is closed.
    var connection: Unmanaged<Connection>?

    private let timeLimit: Duration?
    private var endOfStatement: ContinuousClock.Instant?
    private(set) var deadline: ContinuousClock.Instant? { didSet { updateActivity() } }
    private(set) var cancellation: Cancellation? { didSet { updateActivity() } }

    /// Whether anything may end a statement. Asked by each, and so kept: to find it out took 4 % of a look-up.
    @exclusivity(unchecked) private(set) var isActive: Bool

    private var progressHandler: (() -> Bool)?
    private var progressInterval: Int32 = Interruption.instructionsPerLook
    private var instructions: Int32 = 0

    private var busyPolicy = BusyPolicy.fail
    private var startOfWait = ContinuousClock.now
    /// Whether no statement has set it since it was read, which takes 2 µs.
    var knowsBusyTimeout = false

    /// How many instructions SQLite's machine carries out between two looks at the clock, some microseconds.
    private static let instructionsPerLook: Int32 = 1000

    /// SQLite's own pauses, in milliseconds; the last one goes on.
    private static let pauses = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    init(timeLimit: Duration?) {
        self.timeLimit = timeLimit
        self.isActive = timeLimit != nil
    }

    private func updateActivity() {
        isActive = timeLimit != nil || deadline != nil || cancellation != nil
    }

    func connectionWillClose() {
        progressHandler = nil
        if case .ask = busyPolicy { busyPolicy = .fail }
    }

    func connectionDidClose() {
        connectionWillClose()
    }

    func start() {
        if let timeLimit { endOfStatement = .now + timeLimit }
    }

    /// Why the statement that runs is to end now, or `nil`.
    var reason: String? {
        if let reason = reasonNotToBegin { return reason }
        guard let timeLimit, let endOfStatement, ContinuousClock.now >= endOfStatement else { return nil }
        return "the time limit is \(timeLimit)"
    }

    /// Why no further statement is to begin, nor to wait for a lock, or `nil`.
    var reasonNotToBegin: String? {
        if cancellation?.isCancelled == true { return "the work was cancelled" }
        if let deadline, ContinuousClock.now >= deadline { return "the deadline has passed" }
        return nil
    }
}

// MARK: - Scopes

extension Interruption {
    /// Runs a closure under a deadline, and the one that is in force already if that comes first, and a cancellation.
    func scope<Result>(
        on connection: Connection, deadline: ContinuousClock.Instant?, cancellation: Cancellation?,
        _ body: () throws -> Result
    ) throws -> Result {
        guard let handle = connection.handle else { throw connection.closedError() }
        let outer = (self.deadline, self.cancellation)
        readBusyTimeout(of: connection, handle)
        self.deadline = if let deadline, let other = outer.0 { min(deadline, other) } else { deadline ?? outer.0 }
        self.cancellation = cancellation
        install(on: handle)
        defer {
            // A timeout that a PRAGMA set in the meantime is kept.
            if let handle = connection.handle { readBusyTimeout(of: connection, handle) }
            (self.deadline, self.cancellation) = outer
            // If a claim owns the handle, the handlers are installed when it ends.
            if let handle = connection.handle { install(on: handle) }
        }
        return try body()
    }

    /// What `PRAGMA busy_timeout` was set to by hand counts too; it takes the place of any handler. With a handler of ours in
    /// place, SQLite says 0.
    private func readBusyTimeout(of connection: Connection, _ handle: OpaquePointer) {
        if knowsBusyTimeout { return }
        guard let milliseconds = connection.ask("busy_timeout", on: handle) else { return }
        knowsBusyTimeout = true
        if milliseconds > 0 {
            busyPolicy = .wait(milliseconds: Int32(clamping: milliseconds))
        } else if !isBusyHandlerOurs {
            busyPolicy = .fail
        }
    }

    /// Leaves SQLite nothing of ours to call, while something else has the handle.
    func stepAside(on handle: OpaquePointer) {
        cancellation?.run(on: nil)
        sqlite3_progress_handler(handle, 0, nil, nil)
        var milliseconds: Int32 = 0
        if case .wait(let timeout) = busyPolicy { milliseconds = timeout }
        if let deadline {
            let rest = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            milliseconds = min(milliseconds, Int32(max(0, min(rest, 2e9))))
        }
        sqlite3_busy_timeout(handle, milliseconds)
    }

    func install(on handle: OpaquePointer) {
        cancellation?.run(on: handle)
        installProgressHandler(on: handle)
        installBusyHandler(on: handle)
    }
}

// MARK: - Progress

extension Interruption {
    /// Sets the handler of the user's, which is asked every so many instructions and returns whether to interrupt.
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

    private var instructionsPerCall: Int32 { min(progressInterval, Self.instructionsPerLook) }

    private func installProgressHandler(on handle: OpaquePointer) {
        // (A cancellation interrupts by itself.)
        guard timeLimit != nil || deadline != nil || progressHandler != nil else {
            return sqlite3_progress_handler(handle, 0, nil, nil)
        }
        sqlite3_progress_handler(
            handle, progressHandler == nil ? Self.instructionsPerLook : instructionsPerCall,
            { context in
                Interruption.with(context) { $0.isToEnd() ? 1 : 0 } ?? 0
            },
            pointer
        )
    }

    private func isToEnd() -> Bool {
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
    /// Notes the policy before a closure that the connection is lent to changes it.
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
        knowsBusyTimeout = false
        connection.changeCallbacks { [unowned self] in installBusyHandler(on: $0) }
    }

    /// Whether SQLite has been given our handler, and not the pause of its own.
    private var isBusyHandlerOurs: Bool {
        switch busyPolicy {
        case .fail: false
        case .ask: true
        case .wait: deadline != nil || cancellation != nil
        }
    }

    private func installBusyHandler(on handle: OpaquePointer) {
        switch busyPolicy {
        case .fail:
            sqlite3_busy_handler(handle, nil, nil)
        case .wait(let milliseconds) where deadline == nil && cancellation == nil:
            // SQLite's own, which `PRAGMA busy_timeout` shows.
            sqlite3_busy_timeout(handle, milliseconds)
        default:
            sqlite3_busy_handler(
                handle,
                { context, count in
                    Interruption.with(context) { $0.isToTryAgain(count) ? 1 : 0 } ?? 0
                },
                pointer
            )
        }
    }

    // (The time limit is for what a statement does, and not for what it waits for.)
    private func isToTryAgain(_ count: Int32) -> Bool {
        if reasonNotToBegin != nil { return false }
        switch busyPolicy {
        case .fail: return false
        case .ask(let handler): return call("busy handler") { handler(count) }
        case .wait(let milliseconds):
            let now = ContinuousClock.now
            if count == 0 { startOfWait = now }
            let end = startOfWait + .milliseconds(Int(milliseconds))
            guard now < end else { return false }
            let pause = Self.pauses[min(Int(count), Self.pauses.count - 1)]
            pauseUntil(min(now + .milliseconds(pause), end, deadline ?? end))
            return reasonNotToBegin == nil
        }
    }

    private func pauseUntil(_ end: ContinuousClock.Instant) {
        if let cancellation { return cancellation.sleep(until: end) }
        sleepThread(ContinuousClock.now.duration(to: end))
    }
}
