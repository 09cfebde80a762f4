#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The time of the statement that inserts a row, as the default of a column: `.default(.now)`.
public enum InsertTime: Sendable {
    case now
}

/// A type of dates whose current time SQLite computes: `Date`, ``UnixTime``, ``UnixMilliseconds`` and ``JulianDay``.
///
/// Only Squall's types conform to this protocol. A column of such a type, or of an optional one, can have the default `.default(.now)`.
public protocol StoredDate: Bindable {}

extension Date: StoredDate {}
extension UnixTime: StoredDate {}
extension UnixMilliseconds: StoredDate {}
extension JulianDay: StoredDate {}

extension InsertTime {
    /// Returns the SQL of the time as a type of dates stores it, exact to the millisecond, as SQLite's clock is; `nil` for other types.
    static func sql(of type: Any.Type) -> SQL? {
        // SQLite 3.40 has no `unixepoch('subsec')`.
        switch type {
        case is Date.Type: "strftime('%Y-%m-%dT%H:%M:%f', 'now')"
        case is UnixTime.Type: "round((julianday('now') - 2440587.5) * 86400, 3)"
        case is UnixMilliseconds.Type: "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"
        case is JulianDay.Type: "julianday('now')"
        default: nil
        }
    }
}
