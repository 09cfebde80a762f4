import SquallSQLite

extension Connection {
    /// Is called after each commit to a write-ahead log, when its lock is released, with the number of pages in the log.
    public typealias WALHook = (_ databaseName: String, _ pageCount: Int) -> Void

    /// Sets the WAL hook, or removes it with `nil`. Observers stay beside it.
    ///
    /// The hook may use the connection. SQLite's automatic checkpoint has the same place as the hook; it goes on beside it, as
    /// ``walAutoCheckpoint`` says. The connection keeps its hooks: capture the connection `weak` or `unowned` in them.
    public func walHook(_ hook: WALHook?) {
        slot(WALSlot.self).set(hook)
    }

    /// Adds an observer beside the WAL hook and other observers.
    @discardableResult
    public func addWALObserver(_ observer: @escaping WALHook) -> ObserverToken {
        slot(WALSlot.self).add(observer)
    }

    /// After how many pages in the log a commit checkpoints by itself; 0 for never. SQLite's own value is 1000.
    ///
    /// `PRAGMA wal_autocheckpoint`. Set it by ``setWALAutoCheckpoint(pages:)``: the pragma removes the WAL hook and its
    /// observers.
    ///
    /// - Throws: ``SQLiteError``.
    public var walAutoCheckpoint: Int {
        get throws {
            guard handle != nil else { throw closedError() }
            return try slot(WALSlot.self).pages ?? query("PRAGMA wal_autocheckpoint")
        }
    }

    /// Sets ``walAutoCheckpoint``: `PRAGMA wal_autocheckpoint = 500`. Zero and negative numbers switch it off.
    ///
    /// - Throws: ``SQLiteError``.
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

private final class WALSlot: HookSlot<Connection.WALHook> {
    /// When to checkpoint, while SQLite's own automatic checkpoint has lost its place to the hook.
    var pages: Int?
    private var databaseName = CachedName()

    override func install(_ isOn: Bool, on handle: OpaquePointer) {
        guard isOn else {
            if let pages { sqlite3_wal_autocheckpoint(handle, Int32(clamping: pages)) }
            pages = nil
            return
        }
        // (1000 is SQLite's own value, should it not say.)
        if pages == nil {
            pages = connection?._withUnsafeGuaranteedRef { $0.ask("wal_autocheckpoint", on: handle) } ?? 1000
        }
        sqlite3_wal_hook(
            handle,
            { context, handle, name, pageCount in
                guard let context, let handle, let name else { return SQLITE_OK }
                Unmanaged<WALSlot>.fromOpaque(context)
                    ._withUnsafeGuaranteedRef { $0.committed(to: name, on: handle, pageCount: Int(pageCount)) }
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func committed(to name: UnsafePointer<CChar>, on handle: OpaquePointer, pageCount: Int) {
        let database = databaseName.string(name) ?? ""
        callWithConnection {
            for hook in hooks { hook(database, pageCount) }
        }
        // As SQLite's own hook does it: what cannot be copied now is copied after a later commit.
        if let pages, pages > 0, pageCount >= pages, connection?.takeUnretainedValue().openHandle == handle {
            sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
    }
}
