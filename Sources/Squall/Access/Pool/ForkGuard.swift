import SquallSQLite

/// Notices that the process is a child made by `fork`. SQLite's connections must not be used there, nor closed, and other
/// threads may have held our locks at the time of the fork.
///
/// The child increments a counter. Reading it takes one load; `getpid` takes 145 ns.
struct ForkGuard {
    /// Written only by the handler, when the child has one thread; never freed.
    private nonisolated(unsafe) static let counter: UnsafeMutablePointer<Int> = {
        let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        counter.initialize(to: 0)
        return counter
    }()

    private static let isWatching: Bool = {
        _ = counter
        return pthread_atfork(nil, nil, { ForkGuard.counter.pointee += 1 }) == 0
    }()

    private let origin: Int

    /// The process as it is now.
    init() {
        _ = Self.isWatching
        origin = Self.counter.pointee
    }

    var isChild: Bool { Self.counter.pointee != origin }

    func check() throws {
        if isChild { throw Self.error }
    }

    private static var error: SQLiteError {
        .misuse(
            .forkedProcess, hint: "open it again in the child"
        )
    }
}
