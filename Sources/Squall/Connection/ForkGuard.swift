import SquallSQLite

/// Notices that the process is a child made by `fork`. SQLite's connections must neither be used nor closed there, and
/// other threads may have held Squall's locks at the time of the fork.
///
/// The child increments a counter. Reading it takes one load; `getpid` takes 145 ns.
struct ForkGuard {
    /// Written only by the fork handler, while the child has a single thread; never freed.
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

    /// Remembers the present process.
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
