import SquallSQLite

/// The read transaction that a reader keeps for the next read.
///
/// The index of the write-ahead log begins with two copies of a header. Each commit of any process changes both before it
/// returns, and no header returns: it has a count of the commits, and a number that is drawn whenever the log begins again.
/// While the index begins as it did before the transaction, the transaction reads what a new one would read.
///
/// A snapshot is kept only by a connection that is in a slot of ``IdleSlots``, or has just been taken out of it.
struct HeldSnapshot {
    /// The number of frames in the log up to which a transaction is kept. Behind a reader that always keeps one, SQLite
    /// could not begin the log again, which it tries after 1,000 frames: in C, such a log grew to 37 MB.
    private static let longestLog = 900
    /// The time for which transactions are kept in any case after a change of the index, in nanoseconds.
    private static let shortestTime: UInt64 = 8_000_000
    /// The time after which a connection that keeps none looks again whether it can, in nanoseconds.
    private static let timeBetweenLooks: UInt64 = 1_000_000_000

    // It stays in place as long as the connection is open: see `Connection.logIndex`. A reader cannot change the journal
    // mode, and is not deserialized.
    /// The begin of the log's index; `nil` until the connection has been found to be able to keep snapshots.
    private var index: UnsafeRawPointer?
    /// The begin of the index before the transaction.
    private var state = squall_log_state()
    /// Whether the transaction reads the log, or may do so.
    private var usesLog = true
    /// The time at which a transaction began in this state first, on `CoarseClock`.
    private var stateTime: UInt64 = 0
    private var nextLook: UInt64 = 0
    /// Whether the transaction is open although no closure uses the connection.
    var isKept = false
    /// The time at which the connection was leased last, on `CoarseClock`.
    var leaseTime: UInt64 = 0
    /// The number of reads that have continued with the transaction, since the connection was leased.
    var continuedReads = 0

    init(index: UnsafeRawPointer? = nil) {
        self.index = index
    }

    /// Notes the state of the log. Called before the transaction begins.
    mutating func willBegin() {
        guard let index else { return }
        let isSame = isCurrent
        squall_read_log_state(index, &state)
        let header = state.header.0
        // A transaction that begins when all frames have been copied into the file does not read the log. While a checkpoint
        // still holds its lock, it reads the log nevertheless. The next transaction does not.
        usesLog = header.frames > 0 && !(state.copied_frames == header.frames && isSame)
        if !isSame { stateTime = leaseTime }
    }

    /// Whether a transaction that began after ``willBegin()`` reads what a new one would.
    var isCurrent: Bool {
        guard let index else { return false }
        return withUnsafePointer(to: state) { squall_is_log_state(index, $0) != 0 }
    }

    /// Whether the transaction must not be kept, for the sake of the log.
    ///
    /// It must not while the log is long. A checkpoint of another process may also wait for the transaction, which does not
    /// see that. After a while without a change of the index, transactions are therefore not kept for 4 of each 17 ms, which are the
    /// same for all readers of all processes; those that do not use the log, for 4 of each 1,074 ms, in case they do nevertheless.
    var mustEnd: Bool {
        if usesLog, state.header.0.frames > Self.longestLog { return true }
        return leaseTime &- stateTime > Self.shortestTime && (leaseTime >> 22) & (usesLog ? 3 : 255) == 0
    }

    /// Whether both copies of the header were the same: SQLite was not changing it.
    var isUsable: Bool { withUnsafePointer(to: state) { squall_is_usable_log_state($0) != 0 } }

    /// Looks again whether the connection can keep snapshots, before it keeps one.
    mutating func forgetIndex() { (index, nextLook) = (nil, 0) }

    /// Finds the index of the log, if the connection can keep snapshots: in WAL mode, without other databases, and not in
    /// exclusive locking mode, in which the index may be in the memory of the connection. Looks at most once in a while.
    @inline(never)
    mutating func findIndex(of connection: Connection, on handle: OpaquePointer) {
        guard index == nil, leaseTime >= nextLook else { return }
        nextLook = leaseTime + Self.timeBetweenLooks
        var (isNormal, isWAL) = (false, false)
        let codes = [
            connection.forEachRowInternally("PRAGMA locking_mode", on: handle) { isNormal = $0.text(0) == "normal" },
            connection.forEachRowInternally("PRAGMA journal_mode", on: handle) { isWAL = $0.text(0) == "wal" },
        ]
        guard codes == [SQLITE_OK, SQLITE_OK], isNormal, isWAL, (try? connection.databases(on: handle))?.count == 1
        else { return }
        index = connection.logIndex(on: handle)
    }
}
