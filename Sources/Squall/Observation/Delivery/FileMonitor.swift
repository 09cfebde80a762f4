import Dispatch
import SquallSQLite

/// Notices commits of other connections and processes, without SQL: it compares a number in the header of the write-ahead log's index,
/// which is shared memory, or in the header of the file. Loading the number takes 10 ns; `PRAGMA data_version` took 1.9 µs.
///
/// Each commit adds one to the number. If it has grown by more than the database has committed itself, another connection has
/// committed.
final class FileMonitor: Sendable {
    /// The time between two looks after a change, and while nothing happens.
    static let shortest: Duration = .milliseconds(10)
    static let longest: Duration = .milliseconds(100)

    private let queue = DispatchQueue(label: "squall.monitor")
    // A dispatch source may be used by several threads.
    private let timer: UncheckedSendable<any DispatchSourceTimer>
    private let events: FileEvents?
    private let database: WeakReference<Database>
    private let center: WeakReference<ObservationCenter>
    private let state = Locked(State())

    /// The state, which only the queue uses: the lock is not held during a look.
    private struct State {
        var interval = FileMonitor.shortest
        var core: PoolCore?
        /// Whether the file was in WAL mode when the connection was opened.
        var isWAL = false
        var last = Look.begins
    }

    private enum Look: Equatable {
        case begins
        /// The number in the header, and the commits of the database itself.
        case seen(change: UInt32, own: UInt32)
        /// The header could not be read, as during a suspension. Anything may have happened.
        case blind
    }

    /// Begins to look. Returns `nil` for a database in memory or in a temporary file.
    init?(_ database: Database, _ center: ObservationCenter) {
        guard database.readers !== database.writer else { return nil }
        self.database = WeakReference(database)
        self.center = WeakReference(center)
        timer = UncheckedSendable(DispatchSource.makeTimerSource(queue: queue))
        events = FileEvents(of: database.readers.file?.path ?? "", queue)
        // At once: a commit between the registration of the first observer and the first look would otherwise not be seen.
        // While the database itself commits, its commit cannot be told from that of another connection.
        queue.sync { if !look() { state.withLock { $0.last = .blind } } }
        timer.value.setEventHandler { [weak self] in self?.tick() }
        events?.handler.withLock { $0 = { [weak self] in self?.tick() } }
        startTimer()
        timer.value.activate()
    }

    func stop() {
        timer.value.cancel()
        // Not `sync`: the last observer may be released on the queue.
        queue.async {
            self.events?.stop()
            self.close()
        }
    }

    private func close() {
        let core = state.withLock { state in
            defer { state.core = nil }
            return state.core
        }
        core?.close()
    }

    private func startTimer() {
        let interval = state.withLock { $0.interval }
        let nanoseconds = Int(interval / .nanoseconds(1))
        timer.value.schedule(
            deadline: Deadline(after: interval).dispatchTime, repeating: .nanoseconds(nanoseconds),
            leeway: .milliseconds(1))
    }

    private func tick() {
        if timer.value.isCancelled { return }
        let before = state.withLock { $0 }
        let isReady = look()
        let interval = state.withLock { state in
            // The database's own commits count as well: another process often answers them.
            let isQuiet = isReady && state.last == before.last
            state.interval = isQuiet ? min(state.interval * 5 / 4, Self.longest) : Self.shortest
            return state.interval
        }
        // While it looks often anyway, events would only cost time.
        events?.wait(interval > Self.shortest)
        if interval != before.interval { startTimer() }
    }

    /// Compares the header with the last look.
    ///
    /// - Returns: `false` while the database itself commits.
    private func look() -> Bool {
        guard let center = center.object else { return true }
        guard let own = center.ownCommits else { return false }
        guard let change = changeNumber() else {
            close()
            state.withLock { $0.last = .blind }
            return true
        }
        // Otherwise, a commit of the database itself has changed the header in the meantime.
        guard center.ownCommits == own else { return false }
        defer { state.withLock { $0.last = .seen(change: change, own: own) } }
        switch state.withLock({ $0.last }) {
        case .begins: return true
        case .seen(let lastChange, let lastOwn) where change &- lastChange == own &- lastOwn: return true
        case .seen, .blind: center.publish(.external)
        }
        return true
    }

    /// Returns the number in the header; `nil` while the database is suspended or closed.
    private func changeNumber() -> UInt32? {
        guard let core = try? openedCore(), let pooled = try? core.acquire() else { return nil }
        defer { core.release(pooled) }
        // While this connection is open, no other one can leave WAL mode.
        if state.withLock({ $0.isWAL }) { return pooled.handle.flatMap { pooled.connection.logChangeNumber(on: $0) } }
        // The header of an encrypted file has no number. This one counts the looks that have found commits, so that several commits
        // of the database itself are taken for those of others.
        if pooled.connection.configuration.key != nil {
            let number = pooled.handle.flatMap { pooled.connection.pragmaValue("data_version", on: $0) }
            return number.map { UInt32(truncatingIfNeeded: $0) }
        }
        guard let header = pooled.connection.header, !header.isWAL else { return nil }
        return header.changeNumber
    }

    /// A connection of the monitor. It is listed with the snapshots, so that it is closed before the writer.
    private func openedCore() throws -> PoolCore {
        if let core = state.withLock({ $0.core }) { return core }
        guard let database = database.object else { throw SQLiteError.misuse(.closed(.database)) }
        // A suspension waits for the reader, and then finds the connection of the monitor in the list.
        let reader = try database.readers.acquire(until: Deadline(after: .milliseconds(100)))
        defer { database.readers.release(reader) }
        let factory = database.readerFactory
        let connection = try Connection(
            path: factory.path, tableLockPolicy: .fastFail, flags: factory.flags,
            configuration: .sqlite.with(factory.configuration.key))
        // Opens the log, if there is one, and maps its index.
        try connection.readSchema()
        let isWAL = try connection.query("PRAGMA journal_mode") == "wal"
        let core = PoolCore(.snapshot, connection)
        core.isReopened = true
        database.snapshots.insert(core)
        do {
            try database.readers.checkIsRunning()
        } catch {
            core.close()
            throw error
        }
        state.withLock { ($0.core, $0.isWAL) = (core, isWAL) }
        return core
    }
}

/// The header of a file, or of the index of its write-ahead log.
struct FileHeader {
    let isWAL: Bool
    /// The number of commits, as the header counts them.
    let changeNumber: UInt32
}

extension Connection {
    /// The header of the file; `nil` if it cannot be read, or is encrypted.
    var header: FileHeader? { handle.flatMap { header(on: $0) } }

    /// The header of the file, also inside a hook.
    func header(on handle: OpaquePointer) -> FileHeader? {
        // The version of the file format at byte 18, and the change counter at byte 24.
        var bytes: (UInt64, UInt16) = (0, 0)
        guard configuration.key == nil, let file = file(of: handle), let methods = file.pointee.pMethods,
            withUnsafeMutableBytes(of: &bytes, { methods.pointee.xRead?(file, $0.baseAddress, 10, 18) }) == SQLITE_OK
        else { return nil }
        let (version, counter) = withUnsafeBytes(of: bytes) {
            ($0[0], $0[6..<10].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        guard version == 2 else { return FileHeader(isWAL: false, changeNumber: counter) }
        return logChangeNumber(on: handle).map { FileHeader(isWAL: true, changeNumber: $0) }
    }

    /// The number in the header of the index of the write-ahead log; `nil` if the log is not open.
    func logChangeNumber(on handle: OpaquePointer) -> UInt32? {
        // It is aligned, and written at once.
        logIndex(on: handle)?.load(fromByteOffset: 8, as: UInt32.self)
    }
}
