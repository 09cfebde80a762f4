// For `pthread_atfork`.
import SquallSQLite

/// Detects use in a child process that `fork` made. SQLite's connections must neither be used nor closed there, and
/// other threads may have held Squall's locks at the time of the fork.
///
/// A fork handler increments a counter in the child. Comparing it takes a load in place of the 145 ns of `getpid`.
struct ForkGuard {
    /// Written only by the fork handler, while the child has a single thread; never freed.
    private nonisolated(unsafe) static let counter: UnsafeMutablePointer<Int> = {
        let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        counter.initialize(to: 0)
        return counter
    }()

    /// Installs the fork handler, once. It fails only for lack of memory; forks are then not detected.
    private static let handlerIsInstalled: Bool = {
        _ = counter
        return pthread_atfork(nil, nil, { ForkGuard.counter.pointee += 1 }) == 0
    }()

    /// The counter in the process that created the guard.
    private let count: Int

    /// Records the current process.
    init() {
        _ = Self.handlerIsInstalled
        count = Self.counter.pointee
    }

    var isChild: Bool { Self.counter.pointee != count }

    func check() throws {
        if isChild { throw Self.error }
    }

    private static var error: SQLiteError {
        .misuse(.forkedProcess, hint: "open it again in the child")
    }
}
