import CSQLite

/// Ends statements that run too long, by SQLite's progress handler.
final class TimeLimit {
    let duration: Duration
    private var deadline: ContinuousClock.Instant

    init(_ duration: Duration) {
        self.duration = duration
        self.deadline = .now
    }

    var isOver: Bool { ContinuousClock.now >= deadline }

    func start() {
        deadline = .now + duration
    }

    /// Asks every thousand instructions of SQLite's machine, some microseconds. The connection keeps the limit alive.
    func install(on database: OpaquePointer?) {
        sqlite3_progress_handler(
            database, 1000,
            { context in
                guard let context else { return 0 }
                return Unmanaged<TimeLimit>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
