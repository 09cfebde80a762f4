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
        /// The `data_version` of the monitor's connection to an encrypted file, and that of the writer.
        var versions: (own: Int, writer: Int)?
    }

    private enum Look: Equatable {
        case begins
        /// The number in the header, and the commits of the database itself.
        case seen(change: UInt32, own: UInt32)
        /// The header could not be read, as during a suspension. Anything may have happened.
        case blind
    }

    /// The number in the header.
    private enum ChangeNumber {
        case known(UInt32)
        case unreadable
        /// The writer is in use.
        case notYet
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
            defer { (state.core, state.versions) = (nil, nil) }
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
        let change: UInt32
        switch changeNumber(own: own) {
        case .known(let number): change = number
        case .notYet: return false
        case .unreadable:
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

    /// Returns the number in the header, which is unreadable while the database is suspended or closed.
    private func changeNumber(own: UInt32) -> ChangeNumber {
        guard let core = try? openedCore(), let pooled = try? core.acquire() else { return .unreadable }
        defer { core.release(pooled) }
        let connection = pooled.connection
        // While this connection is open, no other one can leave WAL mode.
        if state.withLock({ $0.isWAL }) {
            return pooled.handle.flatMap { connection.logChangeNumber(on: $0) }.map { .known($0) } ?? .unreadable
        }
        if connection.configuration.key != nil { return changeNumber(ofEncryptedFile: pooled, own: own) }
        guard let header = connection.header, !header.isWAL else { return .unreadable }
        return .known(header.changeNumber)
    }

    /// Returns a number that grows as that in the header, which is encrypted.
    ///
    /// `data_version` of the writer grows with the commits of others alone, and is read if that of the monitor has grown.
    private func changeNumber(ofEncryptedFile pooled: PooledConnection, own: UInt32) -> ChangeNumber {
        func version(_ pooled: PooledConnection) -> Int? {
            pooled.handle.flatMap { pooled.connection.pragmaValue("data_version", on: $0) }
        }
        guard let seen = version(pooled) else { return .unreadable }
        if let last = state.withLock({ $0.versions }), last.own == seen {
            return .known(own &+ UInt32(truncatingIfNeeded: last.writer))
        }
        guard let core = database.object?.writer, let writer = try? core.acquire(until: Deadline(after: .zero)) else {
            return .notYet
        }
        defer { core.release(writer) }
        guard let others = version(writer) else { return .notYet }
        state.withLock { $0.versions = (own: seen, writer: others) }
        return .known(own &+ UInt32(truncatingIfNeeded: others))
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
    /// The header of the file; `nil` if it cannot be read. That of an encrypted file can be if there is a log.
    var header: FileHeader? { handle.flatMap { header(on: $0) } }

    /// The header of the file, also inside a hook.
    func header(on handle: OpaquePointer) -> FileHeader? {
        // The version of the file format at byte 18, and the change counter at byte 24.
        var bytes: (UInt64, UInt16) = (0, 0)
        if configuration.key != nil { return logHeader(on: handle) }
        guard let file = file(of: handle), let methods = file.pointee.pMethods,
            withUnsafeMutableBytes(of: &bytes, { methods.pointee.xRead?(file, $0.baseAddress, 10, 18) }) == SQLITE_OK
        else { return nil }
        let (version, counter) = withUnsafeBytes(of: bytes) {
            ($0[0], $0[6..<10].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        guard version == 2 else { return FileHeader(isWAL: false, changeNumber: counter) }
        return logChangeNumber(on: handle).map { FileHeader(isWAL: true, changeNumber: $0) }
    }

    /// The header of an encrypted file's log. Without a log, mapping its index would create one.
    private func logHeader(on handle: OpaquePointer) -> FileHeader? {
        guard FileIdentity(path: fileName + "-shm") != nil else { return nil }
        return logChangeNumber(on: handle).map { FileHeader(isWAL: true, changeNumber: $0) }
    }

    /// The number in the header of the index of the write-ahead log; `nil` if the log is not open.
    func logChangeNumber(on handle: OpaquePointer) -> UInt32? {
        // It is aligned, and written at once.
        logIndex(on: handle)?.load(fromByteOffset: 8, as: UInt32.self)
    }
}
