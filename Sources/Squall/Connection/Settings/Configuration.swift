import SquallSQLite

/// How a connection is set up when it is opened. Settings that are `nil` are left as SQLite, or the file, has them.
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

    /// What may be limited. The names are those of SQLite's documentation, where the default values are.
    public struct Limit: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }
    }

    /// How long a statement waits for a lock of another connection. Nothing of it changes with `nil`: SQLite does not wait.
    public var busyTimeout: Duration?
    /// How changes are made safe. Kept in the file for `wal`. Left alone in databases opened read-only.
    public var journalMode: JournalMode?
    /// How often the file is flushed to the disk.
    public var synchronous: Synchronous?
    /// Whether foreign keys are checked.
    public var foreignKeys: Bool?
    /// Whether triggers may fire themselves.
    public var recursiveTriggers: Bool?
    /// Whether `"text"` that names nothing is taken for text, an old mistake of SQLite's.
    public var doubleQuotedStrings: Bool?
    /// Whether triggers, views and the rest of the file's schema may use functions and virtual tables that are not marked
    /// innocuous.
    public var trustedSchema: Bool?
    /// Whether SQL that can damage the file is refused.
    public var defensive: Bool?
    /// Whether every page is checked for sanity when it is read.
    public var cellSizeCheck: Bool?
    /// How many bytes of the file may be mapped into memory.
    public var memoryMapSize: Int?
    /// The limits that are not SQLite's own.
    public var limits: [Limit: Int32] = [:]
    /// The longest time that a statement may take, from its first step to its end, the time of its closure included; a
    /// statement that the closure runs starts the time anew for both. It then ends with `SQLITE_INTERRUPT`.
    public var timeLimit: Duration?
    /// How many prepared statements are kept; 0 keeps none.
    public var statementCacheCapacity = 128

    public init() {}
}

extension Configuration {
    /// SQLite's own defaults. Nothing is changed.
    public static let sqlite = Configuration()

    /// The settings for a new application: a write-ahead log, foreign keys, a busy timeout of five seconds, and none of
    /// SQLite's old laxities.
    ///
    /// The schema is distrusted from SQLite 3.44 on. An older SQLite does not mark its FTS5 and R*Tree tables as innocuous,
    /// so that triggers and views could not use them; there the schema is trusted.
    public static let recommended: Configuration = {
        var configuration = Configuration()
        configuration.busyTimeout = .seconds(5)
        configuration.journalMode = .wal
        configuration.synchronous = .normal
        configuration.foreignKeys = true
        configuration.recursiveTriggers = true
        configuration.doubleQuotedStrings = false
        configuration.trustedSchema = sqlite3_libversion_number() < 3_044_000
        configuration.defensive = true
        return configuration
    }()

    /// For files of strangers: tight limits, no ATTACH, five seconds a statement, and nothing of the schema is trusted.
    /// Run `PRAGMA quick_check` before anything else.
    public static let untrusted: Configuration = {
        var configuration = Configuration()
        configuration.busyTimeout = .seconds(5)
        configuration.trustedSchema = false
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
    /// The bytes of a value or a row.
    public static let length = Self(rawValue: SQLITE_LIMIT_LENGTH)
    /// The bytes of a statement.
    public static let sqlLength = Self(rawValue: SQLITE_LIMIT_SQL_LENGTH)
    /// The columns of a table, an index or a result.
    public static let columns = Self(rawValue: SQLITE_LIMIT_COLUMN)
    /// The depth of the tree of an expression.
    public static let expressionDepth = Self(rawValue: SQLITE_LIMIT_EXPR_DEPTH)
    /// The terms of a compound SELECT.
    public static let compoundSelect = Self(rawValue: SQLITE_LIMIT_COMPOUND_SELECT)
    /// The instructions of the program that a statement becomes.
    public static let virtualMachineInstructions = Self(rawValue: SQLITE_LIMIT_VDBE_OP)
    /// The arguments of a function.
    public static let functionArguments = Self(rawValue: SQLITE_LIMIT_FUNCTION_ARG)
    /// The databases attached to a connection.
    public static let attached = Self(rawValue: SQLITE_LIMIT_ATTACHED)
    /// The bytes of a pattern of LIKE or GLOB.
    public static let likePatternLength = Self(rawValue: SQLITE_LIMIT_LIKE_PATTERN_LENGTH)
    /// The number of parameters of a statement.
    public static let variables = Self(rawValue: SQLITE_LIMIT_VARIABLE_NUMBER)
    /// How deep triggers may call each other.
    public static let triggerDepth = Self(rawValue: SQLITE_LIMIT_TRIGGER_DEPTH)
}

// MARK: - Steps

extension Configuration: CustomStringConvertible {
    /// One step of setting a connection up.
    private enum Step: CustomStringConvertible {
        case busyTimeout(milliseconds: Int32)
        case option(String, Int32, Bool)
        case limit(Limit, Int32)
        case pragma(String, String)

        var description: String {
            switch self {
            case .busyTimeout(let milliseconds): "sqlite3_busy_timeout \(milliseconds) ms"
            case .option(let name, _, let isOn): "\(name) \(isOn ? "on" : "off")"
            case .limit(let limit, let value): "sqlite3_limit \(limit.rawValue) \(value)"
            case .pragma(let name, let value): "PRAGMA \(name) = \(value)"
            }
        }
    }

    /// The steps of setting a connection up, a line each. (The time limit and the statement cache are no such steps.)
    public var description: String {
        steps(readOnly: false).map(\.description).joined(separator: "\n")
    }

    // The busy timeout comes first, because the pragmas may have to wait; the limits last, because they may forbid them.
    private func steps(readOnly: Bool) -> [Step] {
        var steps: [Step] = []
        if let busyTimeout { steps.append(.busyTimeout(milliseconds: busyTimeout.milliseconds)) }
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
            if case .busyTimeout(let milliseconds) = step {
                connection.interruption.setBusyPolicy(.wait(milliseconds: milliseconds), of: connection)
                continue
            }
            let code =
                switch step {
                case .busyTimeout: SQLITE_OK
                case .option(_, let option, let isOn): squall_set_option(handle, option, isOn ? 1 : 0)
                case .limit(let limit, let value): squall_limit(handle, limit.rawValue, value)
                case .pragma: sqlite3_exec(handle, step.description, nil, nil, nil)
                }
            guard code == SQLITE_OK else { throw connection.error(code, sql: step.description) }
        }
    }
}

extension Duration {
    /// Whole milliseconds, at least 0, at most what SQLite can count (24 days).
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
