import SquallSQLite

/// The limits of a connection.
///
///     connection.limits[.length] = 1_000_000
///     connection.limits = .untrusted
///
/// SQLite was compiled with a maximum for each limit. Larger values are lowered to it, and negative values are ignored.
public struct Limits: Hashable, Sendable {
    fileprivate var values: [Configuration.Limit: Int32]

    /// Every limit at the maximum with which SQLite was compiled.
    public static let standard = Limits(
        values: Dictionary(uniqueKeysWithValues: Configuration.Limit.all.map { ($0, Int32.max) })
    )

    /// The limits of ``Configuration/untrusted``, for SQL and files from untrusted sources. Other limits are not
    /// changed.
    public static let untrusted = Limits(values: Configuration.untrusted.limits)

    /// The value of a limit; -1 for a limit that SQLite does not have or the preset does not set.
    public subscript(limit: Configuration.Limit) -> Int32 {
        get { values[limit] ?? -1 }
        set { values[limit] = newValue }
    }
}

extension Connection {
    /// The limits of the connection, from `sqlite3_limit`. On a closed connection they are all -1 and cannot be set, nor can
    /// they on a connection whose closure has returned.
    public var limits: Limits {
        get {
            guard let handle else { return Limits(values: [:]) }
            let pairs = Configuration.Limit.all.map { ($0, sqlite3_limit(handle, $0.rawValue, -1)) }
            return Limits(values: Dictionary(uniqueKeysWithValues: pairs))
        }
        set {
            guard let handle, access != .returned else { return }
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
    /// SQLite has 12 limits, and 13 since version 3.53. It ignores those that it does not have.
    fileprivate static let all = (0..<20).map { Configuration.Limit(rawValue: $0) }
}
