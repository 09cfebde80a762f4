import SquallSQLite

/// The settings that a connection gets when it is opened. Those that are `nil` keep the value of SQLite or of the file.
///
///     var configuration = Configuration.recommended
///     configuration.synchronous = .full
///     let connection = try Connection("app.db", configuration: configuration)
///     print(configuration)          // every step, in the order in which it is carried out
public struct Configuration: Hashable, Sendable {
    /// `PRAGMA journal_mode`.
    public enum JournalMode: String, Sendable {
        case delete = "DELETE", truncate = "TRUNCATE", persist = "PERSIST", memory = "MEMORY", wal = "WAL", off = "OFF"
    }

    /// `PRAGMA synchronous`.
    public enum Synchronous: String, Sendable {
        case off = "OFF", normal = "NORMAL", full = "FULL", extra = "EXTRA"
    }

    /// A resource that can be limited. SQLite's documentation uses the same names, and lists the default values.
    public struct Limit: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }
    }

    /// The longest time that a statement waits for a lock of another connection. `nil` keeps SQLite's default: do not
    /// wait.
    public var busyTimeout: Duration?
    /// The way in which transactions are made atomic and durable. SQLite stores `wal` in the file. The mode is not set
    /// for databases that are opened read-only.
    public var journalMode: JournalMode?
    /// How often the file is flushed to the disk.
    public var synchronous: Synchronous?
    /// Whether foreign keys are checked.
    public var foreignKeys: Bool?
    /// Whether triggers may fire themselves.
    public var recursiveTriggers: Bool?
    /// Whether SQLite treats a double-quoted name that matches nothing as a string, which its documentation calls a
    /// misfeature.
    public var doubleQuotedStrings: Bool?
    /// Whether triggers, views and the rest of the file's schema may use functions and virtual tables that are not
    /// marked innocuous.
    public var trustedSchema: Bool?
    /// Whether CHECK constraints are enforced: the opposite of `PRAGMA ignore_check_constraints`.
    ///
    /// SQLite calls functions from the CHECK constraints of a file that is not trusted, even direct-only ones, unless they are
    /// deterministic: when rows are written, and in ``Connection/quickCheck(maxErrors:)`` and ``Connection/integrityCheck(maxErrors:)``.
    public var checkConstraints: Bool?
    /// Whether SQL that can damage the file is refused.
    public var defensive: Bool?
    /// Whether SQLite makes additional checks of the pages that it reads.
    public var cellSizeCheck: Bool?
    /// The maximum number of bytes of the file that are mapped into memory.
    public var memoryMapSize: Int?
    /// The limits that differ from SQLite's defaults.
    public var limits: [Limit: Int32] = [:]
    /// The longest time that a statement may take from its first step to its end, including time spent in its closure.
    /// A statement that runs longer throws `SQLITE_INTERRUPT` (9). A statement that the closure runs restarts the time
    /// for both.
    public var timeLimit: Duration?
    /// The time at which a transaction takes its locks where the call names none: in
    /// ``Connection/transaction(transactionType:closure:)`` and an outermost savepoint. A write of a ``Database`` is always
    /// `IMMEDIATE`.
    public var transactionType = Connection.TransactionType.deferred
    /// The size in bytes from which a database truncates its write-ahead log; `nil` for no limit. See
    /// ``Database/checkpoint(_:holdingReaders:deadline:)``, which a write then runs after its commit.
    ///
    /// The log stays at or below the limit plus the transactions of one write closure, while reads overlap all the time:
    /// without a limit, SQLite cannot reuse a log that is always being read. A read, a ``ReadSnapshot`` or another process
    /// that uses the log for longer than one second lets it grow. Each attempt then holds new reads and the write back for
    /// up to that second. The next attempt is made after ten times the time that the failed one took. An open snapshot
    /// blocks every attempt after the next commit.
    ///
    /// The limit costs one call of `stat` for each write. It also costs time for the writes and reads that wait for a
    /// checkpoint: until the reads that are running have ended, or until the deadline of the write. A write inside a read
    /// of the same thread leaves the checkpoint to a later write. Choose a limit of several megabytes; below 4 MB, SQLite's
    /// automatic checkpoint would come later. A plain ``Connection`` ignores it, since it does not know the readers of its
    /// file.
    public var logLimit: Int?
    /// Whether the readers of a database keep their read transactions, so that the next read need not begin one. A read then
    /// takes a third to a half of the time of `BEGIN`, `SELECT`, `COMMIT`.
    ///
    /// A commit of any process changes the header of the log's index before it returns. A reader that is given back keeps
    /// its transaction. The next read on it compares the header with that of the transaction's begin, and runs `COMMIT` and
    /// `BEGIN` if it has changed: it sees all that was committed before the call, as without this setting. The differences:
    ///
    /// - The snapshot of a read may begin with the call, and not with its first query.
    /// - A checkpoint of another process, and `PRAGMA wal_checkpoint` in SQL, may wait some hundredths of a second for a reader. Let them
    ///   have a busy timeout.
    ///
    /// A transaction ends after about 15 milliseconds without a read, before each checkpoint of the database, and when the log is
    /// longer than 900 pages: the log is reset as without this setting. While the log has pages that are not in the file, and nothing
    /// is committed, readers keep their transactions for three quarters of the time. Readers outside WAL mode, with attached
    /// databases, in exclusive locking mode or with trace observers keep none, nor do asynchronous reads, and those of ``ConnectionPool``.
    public var heldReads = true
    /// Whether a database commits writes that wait for each other together: one flush to the disk for many
    /// transactions. See <doc:GroupCommit>: a closure may then run twice.
    public var groupCommit = false
    /// Whether the statistics by which SQLite chooses among indexes are kept up to date; see ``Connection/optimize(databaseNamed:)``.
    ///
    /// They are updated:
    ///
    /// - after 1,000 changed rows, after 2,000, 4,000 and so on, at least once in 100,000, by the write of a database that reaches the
    ///   number, after its commit;
    /// - after a migration that has run a version;
    /// - when a database or a connection that has changed rows is closed, but not when it is only released.
    ///
    /// An update with nothing to do takes some microseconds for each table. Its caller may be held for 100 milliseconds. Tables that remain
    /// are left to the next update. It does not wait for a lock of another connection, nor run after the deadline or the cancellation of
    /// the write, or during a suspension. An error does not concern the caller: a database reports it as
    /// ``DatabaseEvent/optimizationEnded(_:)``.
    ///
    /// The statistics are in the table `sqlite_stat1`. A file that has none gets it when one of its tables has 1,000 rows. Attached
    /// databases and those that are opened read-only are not changed.
    public var autoOptimize = false
    /// The maximum number of prepared statements in the cache; 0 turns the cache off.
    public var statementCacheCapacity = 128
    /// The key of the file, which a database in memory does not have.
    package var key: AnyFileKey?

    /// Returns the configuration with another key, or without one.
    func with(_ key: AnyFileKey?) -> Configuration {
        var configuration = self
        configuration.key = key
        return configuration
    }

    public init() {}
}

extension Configuration {
    /// SQLite's own defaults. Nothing is changed.
    public static let sqlite = Configuration()

    /// The settings for a new application: a write-ahead log, foreign keys, a busy timeout of five seconds, transactions that begin
    /// `IMMEDIATE`, statistics that are kept up to date, and none of the leniencies that SQLite keeps for old applications.
    ///
    /// The schema is not trusted from SQLite 3.44 on. An older SQLite does not mark FTS5 and R*Tree tables as
    /// innocuous. The schema is trusted there, because triggers and views could not use such tables otherwise.
    public static let recommended: Configuration = {
        var configuration = Configuration()
        configuration.busyTimeout = .seconds(5)
        configuration.journalMode = .wal
        configuration.synchronous = .normal
        configuration.foreignKeys = true
        configuration.recursiveTriggers = true
        configuration.doubleQuotedStrings = false
        configuration.trustedSchema = !SQLiteVersion.hasInnocuousSearch
        configuration.defensive = true
        configuration.transactionType = .immediate
        configuration.autoOptimize = true
        return configuration
    }()

    /// The settings for files from untrusted sources: tight limits, no `ATTACH`, five seconds for each statement, and a
    /// schema that is not trusted. CHECK constraints are not enforced, because they could call functions of the program. Run
    /// `PRAGMA quick_check` before anything else.
    public static let untrusted: Configuration = {
        var configuration = Configuration()
        configuration.busyTimeout = .seconds(5)
        configuration.trustedSchema = false
        configuration.checkConstraints = false
        configuration.defensive = true
        configuration.cellSizeCheck = true
        configuration.memoryMapSize = 0
        configuration.timeLimit = .seconds(5)
        configuration.limits = [
            .length: 1_000_000, .sqlLength: 100_000, .columns: 100, .expressionDepth: 10, .compoundSelect: 3,
            .virtualMachineInstructions: 25_000, .functionArguments: 8, .attached: 0, .likePatternLength: 50,
            .triggerDepth: 10,
        ]
        return configuration
    }()
}

extension Configuration.Limit {
    /// The size of a value or a row in bytes.
    public static let length = Self(rawValue: SQLITE_LIMIT_LENGTH)
    /// The length of a statement in bytes.
    public static let sqlLength = Self(rawValue: SQLITE_LIMIT_SQL_LENGTH)
    /// The number of columns of a table, an index or a result.
    public static let columns = Self(rawValue: SQLITE_LIMIT_COLUMN)
    /// The depth of an expression tree.
    public static let expressionDepth = Self(rawValue: SQLITE_LIMIT_EXPR_DEPTH)
    /// The number of terms of a compound SELECT.
    public static let compoundSelect = Self(rawValue: SQLITE_LIMIT_COMPOUND_SELECT)
    /// The number of instructions of a compiled statement.
    public static let virtualMachineInstructions = Self(rawValue: SQLITE_LIMIT_VDBE_OP)
    /// The number of arguments of a function.
    public static let functionArguments = Self(rawValue: SQLITE_LIMIT_FUNCTION_ARG)
    /// The number of attached databases.
    public static let attached = Self(rawValue: SQLITE_LIMIT_ATTACHED)
    /// The length of a LIKE or GLOB pattern in bytes.
    public static let likePatternLength = Self(rawValue: SQLITE_LIMIT_LIKE_PATTERN_LENGTH)
    /// The number of parameters of a statement.
    public static let variables = Self(rawValue: SQLITE_LIMIT_VARIABLE_NUMBER)
    /// The depth of recursion of triggers.
    public static let triggerDepth = Self(rawValue: SQLITE_LIMIT_TRIGGER_DEPTH)
}

extension Connection {
    /// The time at which a transaction takes its locks.
    public enum TransactionType: String, Sendable {
        /// At the first read and the first write. A write after a read can fail with `SQLITE_BUSY` (5) however long the
        /// connection's busy timeout is.
        case deferred = "DEFERRED"
        /// Takes the write lock at once.
        case immediate = "IMMEDIATE"
        /// Takes the write lock at once. Outside WAL mode the lock also excludes readers.
        case exclusive = "EXCLUSIVE"
    }
}

// MARK: - Steps

extension Configuration: CustomStringConvertible {
    /// One step of setting a connection up.
    private enum Step: CustomStringConvertible {
        case busyTimeout(milliseconds: Int32)
        /// The first read of an encrypted file.
        case proof
        case option(String, Int32, Bool)
        case limit(Limit, Int32)
        case pragma(String, String)

        var description: String {
            switch self {
            case .busyTimeout(let milliseconds): "sqlite3_busy_timeout \(milliseconds) ms"
            case .proof: SchemaCatalog.firstRow.text
            case .option(let name, _, let isOn): "\(name) \(isOn ? "on" : "off")"
            case .limit(let limit, let value): "sqlite3_limit \(limit.rawValue) \(value)"
            case .pragma(let name, let value): "PRAGMA \(name) = \(value)"
            }
        }
    }

    /// The steps of setting a connection up, one in each line. The time limit, the type of transactions, the limit of the
    /// log, held reads, group commit, automatic optimization and the statement cache are not among them.
    @_documentation(visibility: internal)
    public var description: String {
        steps(readOnly: false).map(\.description).joined(separator: "\n")
    }

    // The busy timeout comes first, because the pragmas may have to wait. The limits come last, because they may forbid
    // the pragmas.
    private func steps(readOnly: Bool) -> [Step] {
        var steps: [Step] = []
        if let busyTimeout { steps.append(.busyTimeout(milliseconds: busyTimeout.milliseconds)) }
        if key != nil { steps.append(.proof) }
        func option(_ name: String, _ code: Int32, _ isOn: Bool?) {
            if let isOn { steps.append(.option(name, code, isOn)) }
        }
        option("SQLITE_DBCONFIG_DEFENSIVE", SQLITE_DBCONFIG_DEFENSIVE, defensive)
        option("SQLITE_DBCONFIG_TRUSTED_SCHEMA", SQLITE_DBCONFIG_TRUSTED_SCHEMA, trustedSchema)
        option("SQLITE_DBCONFIG_DQS_DDL", SQLITE_DBCONFIG_DQS_DDL, doubleQuotedStrings)
        option("SQLITE_DBCONFIG_DQS_DML", SQLITE_DBCONFIG_DQS_DML, doubleQuotedStrings)
        option("SQLITE_DBCONFIG_ENABLE_FKEY", SQLITE_DBCONFIG_ENABLE_FKEY, foreignKeys)
        func pragma(_ name: String, _ value: String?) {
            if let value { steps.append(.pragma(name, value)) }
        }
        pragma("cell_size_check", cellSizeCheck.map { $0 ? "ON" : "OFF" })
        pragma("mmap_size", memoryMapSize.map { "\($0)" })
        pragma("ignore_check_constraints", checkConstraints.map { $0 ? "OFF" : "ON" })
        pragma("recursive_triggers", recursiveTriggers.map { $0 ? "ON" : "OFF" })
        if !readOnly { pragma("journal_mode", journalMode?.rawValue) }
        pragma("synchronous", synchronous?.rawValue)
        for (limit, value) in limits.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            steps.append(.limit(limit, value))
        }
        return steps
    }

    func apply(to connection: Connection) throws {
        guard let handle = connection.handle else { throw connection.closedError() }
        for step in steps(readOnly: connection.readOnly) {
            let code: Int32
            switch step {
            case .busyTimeout(let milliseconds):
                connection.interruption.setBusyPolicy(.wait(milliseconds: milliseconds), of: connection)
                continue
            case .proof:
                try connection.proveKey()
                continue
            case .option(_, let option, let isOn): code = squall_set_option(handle, option, isOn ? 1 : 0)
            case .limit(let limit, let value): code = squall_limit(handle, limit.rawValue, value)
            case .pragma: code = sqlite3_exec(handle, step.description, nil, nil, nil)
            }
            guard code == SQLITE_OK else { throw connection.error(code, sql: step.description) }
        }
    }
}

extension Duration {
    /// The duration in whole milliseconds, from 0 to the maximum that SQLite accepts, 24 days.
    fileprivate var milliseconds: Int32 {
        let seconds = components.seconds.clamped(to: 0...Int64(Int32.max) / 1000 + 1)
        return Int32(clamping: Swift.max(0, seconds * 1000 + components.attoseconds / 1_000_000_000_000_000))
    }
}

extension Int64 {
    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
