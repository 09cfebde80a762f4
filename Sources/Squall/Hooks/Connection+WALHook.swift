import SquallSQLite

extension Connection {
    /// Adds an observer of commits to a write-ahead log, beside others. It is called after each commit, once the lock is released,
    /// with the name of the database and the number of pages in the log.
    ///
    /// An observer may use the connection. SQLite's automatic checkpoint uses the same hook; Squall runs it after the
    /// observers, as configured by ``walAutoCheckpoint``. The connection retains its observers: capture the connection
    /// `weak` or `unowned` in them. On a closed connection, it is never called, and adding it does not throw. For a
    /// database, see ``Database/addWALObserver(_:)``.
    @discardableResult
    public func addWALObserver(_ observer: @escaping (_ databaseName: String, _ pageCount: Int) -> Void)
        -> ObserverToken
    {
        slot(WALSlot.self).add(observer)
    }

    /// The number of pages in the log from which a commit runs a checkpoint automatically; 0 for never. SQLite's
    /// default is 1000.
    ///
    /// SQL: `PRAGMA wal_autocheckpoint`. Change it with ``setWALAutoCheckpoint(pages:)``: the pragma removes the
    /// observers of the log.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), when the connection is closed.
    public var walAutoCheckpoint: Int {
        get throws {
            guard handle != nil else { throw closedError() }
            return try slot(WALSlot.self).pages ?? query("PRAGMA wal_autocheckpoint")
        }
    }

    /// Sets ``walAutoCheckpoint``: `PRAGMA wal_autocheckpoint = 500`. Zero and negative numbers disable it.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), when the connection is closed.
    public func setWALAutoCheckpoint(pages: Int) throws {
        guard handle != nil else { throw closedError() }
        let slot = slot(WALSlot.self)
        if slot.pages == nil {
            try execute("PRAGMA wal_autocheckpoint = \(raw: "\(Int32(clamping: pages))")")
        } else {
            slot.pages = Swift.max(0, pages)
        }
    }
}

extension Connection {
    /// Runs the automatic checkpoint of `main` that a commit could not run, because a statement was reading, if the connection has
    /// a WAL observer.
    ///
    /// - Parameter pageCount: The number of pages in the log.
    package func runAutomaticCheckpoint(pageCount: Int) {
        guard let handle else { return }
        slot(WALSlot.self).checkpoint("main", on: handle, pageCount: pageCount)
    }
}

final class WALSlot: HookSlot<(String, Int) -> Void> {
    override class var event: FollowedEvents { .log }

    /// The number of pages that starts a checkpoint while our hook replaces SQLite's automatic checkpoint.
    var pages: Int?
    private var databaseName = CachedName()

    override func install(_ isOn: Bool, on handle: OpaquePointer) {
        guard isOn else {
            if let pages { sqlite3_wal_autocheckpoint(handle, Int32(clamping: pages)) }
            pages = nil
            return
        }
        // If the pragma cannot be read, use SQLite's default of 1000.
        if pages == nil {
            pages = connection?._withUnsafeGuaranteedRef { $0.pragmaValue("wal_autocheckpoint", on: handle) } ?? 1000
        }
        sqlite3_wal_hook(
            handle,
            { context, handle, name, pageCount in
                guard let handle, let name else { return SQLITE_OK }
                WALSlot.with(context) { $0.committed(to: name, on: handle, pageCount: Int(pageCount)) }
                return SQLITE_OK
            },
            pointer
        )
    }

    private func committed(to name: UnsafePointer<CChar>, on handle: OpaquePointer, pageCount: Int) {
        let database = databaseName.string(name) ?? ""
        callWithConnection {
            for follower in followers { follower.didWriteLog(of: database, pageCount: pageCount) }
            for hook in hooks { hook(database, pageCount) }
        }
        if connection?.takeUnretainedValue().openHandle == handle { checkpoint(name, on: handle, pageCount: pageCount) }
    }

    /// Like SQLite's automatic checkpoint, ignores errors: pages that cannot be copied now are copied after a later commit.
    fileprivate func checkpoint(_ name: UnsafePointer<CChar>, on handle: OpaquePointer, pageCount: Int) {
        guard let pages, pages > 0, pageCount >= pages else { return }
        let followers = connection?._withUnsafeGuaranteedRef { $0.followers[.checkpoints] } ?? []
        let start = ContinuousClock.now
        var (logFrames, checkpointedFrames): (Int32, Int32) = (-1, -1)
        let code = sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, &logFrames, &checkpointedFrames)
        if followers.isEmpty { return }
        let run = CheckpointRun(
            mode: SQLITE_CHECKPOINT_PASSIVE, isAutomatic: true,
            result: Result {
                if code != SQLITE_OK { throw SQLiteError(code, on: handle) }
                return (Int(logFrames), Int(checkpointedFrames))
            },
            duration: ContinuousClock.now - start)
        for follower in followers { follower.didCheckpoint(run) }
    }
}
