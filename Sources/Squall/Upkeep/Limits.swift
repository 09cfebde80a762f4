import SquallSQLite

/// The limits of a connection.
///
///     connection.limits[.length] = 1_000_000
///     connection.limits = .untrusted
///
/// SQLite was compiled with a maximum for each, to which larger values are lowered, and ignores negative values.
public struct Limits: Hashable, Sendable {
    fileprivate var values: [Configuration.Limit: Int32]

    /// As SQLite was compiled: every limit at its maximum.
    public static let standard = Limits(
        values: Dictionary(uniqueKeysWithValues: Configuration.Limit.all.map { ($0, Int32.max) })
    )

    /// Those of ``Configuration/untrusted``, for SQL and files of strangers. The others stay as they are.
    public static let untrusted = Limits(values: Configuration.untrusted.limits)

    /// A limit; -1 for one that SQLite does not have, or the preset does not set.
    public subscript(limit: Configuration.Limit) -> Int32 {
        get { values[limit] ?? -1 }
        set { values[limit] = newValue }
    }
}

extension Connection {
    /// The limits of the connection, by `sqlite3_limit`. Those of a closed connection cannot be set, and are all -1.
    public var limits: Limits {
        get {
            guard let handle else { return Limits(values: [:]) }
            let pairs = Configuration.Limit.all.map { ($0, sqlite3_limit(handle, $0.rawValue, -1)) }
            return Limits(values: Dictionary(uniqueKeysWithValues: pairs))
        }
        set {
            guard let handle else { return }
            willChange("limits") {
                let limits = limits
                return {
                    $0.limits = limits
                    return true
                }
            }
            for (limit, value) in newValue.values { sqlite3_limit(handle, limit.rawValue, value) }
        }
    }
}

extension Configuration.Limit {
    fileprivate static let all = (0...squall_last_limit()).map { Configuration.Limit(rawValue: $0) }
}
