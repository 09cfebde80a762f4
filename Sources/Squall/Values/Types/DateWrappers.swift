#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A date stored as seconds since 1970-01-01 GMT: INTEGER for whole seconds, otherwise REAL. SQLite: `unixepoch()`.
///
/// See ``Bindable`` for the list of all value types.
public struct UnixTime: Hashable, Sendable, Binding {
    public typealias BindingType = Double

    public let date: Date

    public init(_ date: Date) {
        self.date = date
    }

    public var bindingValue: BindingValue {
        let seconds = date.timeIntervalSince1970
        return Int64(exactly: seconds).map { .integer($0) } ?? .real(seconds)
    }

    public static func fromBindingValue(_ value: Any) -> UnixTime? {
        (value as? Double).map { UnixTime(Date(timeIntervalSince1970: $0)) }
    }
}

/// A date stored as whole milliseconds since 1970-01-01 GMT: INTEGER.
public struct UnixMilliseconds: Hashable, Sendable, Binding {
    public typealias BindingType = Int64

    public let date: Date

    public init(_ date: Date) {
        self.date = date
    }

    /// The rounded milliseconds, or `null` for a date that exceeds the range. Squall's verbs throw in that case.
    public var bindingValue: BindingValue { (try? checkedBindingValue()) ?? .null }

    public func checkedBindingValue() throws -> BindingValue {
        guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else {
            throw SQLiteError.misuse(.unstorable(type: "\(Self.self)", reason: .tooFarForMilliseconds))
        }
        return .integer(milliseconds)
    }

    public static func fromBindingValue(_ value: Any) -> UnixMilliseconds? {
        (value as? Int64).map { UnixMilliseconds(Date(timeIntervalSince1970: Double($0) / 1000)) }
    }
}

/// A date stored as a Julian day number: REAL. SQLite: `julianday()`. Writing and reading round to the millisecond, as SQLite does: a
/// date that was read is the same number again, also one that `julianday()` has computed.
public struct JulianDay: Hashable, Sendable, Binding {
    public typealias BindingType = Double

    public let date: Date

    public init(_ date: Date) {
        self.date = date
    }

    /// The milliseconds from the Julian day 0 to 1970.
    private static let epoch = 210_866_760_000_000.0

    public var bindingValue: BindingValue {
        .real(((date.timeIntervalSince1970 * 1000).rounded() + Self.epoch) / 86_400_000)
    }

    public static func fromBindingValue(_ value: Any) -> JulianDay? {
        (value as? Double).map { day in
            let milliseconds = (day * 86_400_000).rounded() - Self.epoch
            return JulianDay(Date(timeIntervalSince1970: milliseconds / 1000))
        }
    }
}
