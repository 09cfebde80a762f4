#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The form in which a column stores a type that has several, or that has none of its own.
///
///     Column("added", \User.added, as: .unixMilliseconds)
///     Column("token", \.token, as: .text)
///     Column("tags", \User.tags, as: .json)
///
/// Conditions compare in the same form: `$0.added > cutoff` binds milliseconds.
public struct StorageForm<Value>: Sendable {
    let name: String
    /// The type of the column.
    let type: String
    let encode: @Sendable (Value) throws -> BindingValue
    let decode: @Sendable (SQLiteValue) -> Value?

    /// A form of your own.
    ///
    /// - Parameters:
    ///   - name: Columns of different forms are not compared with one another; they are told apart by this.
    ///   - type: The type of the column in SQL.
    ///   - encode: Makes what is stored.
    ///   - decode: Makes a value from what is stored, or returns `nil` where it cannot; not called for NULL.
    public init(
        _ name: String, type: String, encode: @escaping @Sendable (Value) throws -> BindingValue,
        decode: @escaping @Sendable (SQLiteValue) -> Value?
    ) {
        self.name = name
        self.type = type
        self.encode = encode
        self.decode = decode
    }
}

extension StorageForm where Value == Date {
    /// TEXT, `2026-11-21T20:15:00.000`; what a column of dates is without a form.
    public static var text: Self {
        Self("text", type: "TEXT", encode: { try $0.checkedBindingValue() }, decode: { Date.fromSQLiteValue($0) })
    }

    /// Seconds since 1970, as ``UnixTime`` has them.
    public static var unixTime: Self {
        Self(
            "unixTime", type: "REAL", encode: { UnixTime($0).bindingValue },
            decode: { UnixTime.fromSQLiteValue($0)?.date }
        )
    }

    /// Milliseconds since 1970, as ``UnixMilliseconds`` has them.
    public static var unixMilliseconds: Self {
        Self(
            "unixMilliseconds", type: "INTEGER", encode: { try UnixMilliseconds($0).checkedBindingValue() },
            decode: { UnixMilliseconds.fromSQLiteValue($0)?.date }
        )
    }

    /// A Julian day, as ``JulianDay`` has it.
    public static var julianDay: Self {
        Self(
            "julianDay", type: "REAL", encode: { JulianDay($0).bindingValue },
            decode: { JulianDay.fromSQLiteValue($0)?.date }
        )
    }
}

extension StorageForm where Value == UUID {
    /// A BLOB of 16 bytes; what a column of UUIDs is without a form.
    public static var blob: Self {
        Self("blob", type: "BLOB", encode: { $0.bindingValue }, decode: { UUID.fromSQLiteValue($0) })
    }

    /// TEXT, upper case, with hyphens.
    public static var text: Self {
        Self("text", type: "TEXT", encode: { .text($0.uuidString) }, decode: { UUID.fromSQLiteValue($0) })
    }
}

extension StorageForm where Value: Codable & SendableMetatype {
    /// JSON in TEXT, as ``JSONBinding`` has it.
    public static var json: Self {
        Self(
            "json", type: "TEXT", encode: { try JSONBinding($0).checkedBindingValue() },
            decode: { JSONBinding<Value>.fromSQLiteValue($0)?.value }
        )
    }
}

extension StorageForm {
    func read(_ value: SQLiteValue) throws(ArgumentError) -> Value {
        if let result = decode(value) { return result }
        throw value.isNo(Value.self, type: type)
    }

    var codec: ColumnCodec<Value> {
        ColumnCodec(
            read: { (value) throws(ArgumentError) in try self.read(value) },
            bind: { value, parameter in try self.encode(value).bind(to: parameter) }
        )
    }

    var optionalCodec: ColumnCodec<Value?> {
        ColumnCodec(
            read: { (value) throws(ArgumentError) in value.isNull ? nil : try self.read(value) },
            bind: { value, parameter in try (value.map(self.encode) ?? .null).bind(to: parameter) }
        )
    }

    var erased: AnyStorageForm {
        AnyStorageForm(
            name: name,
            encode: { value in
                guard let value = value as? Value else {
                    throw SQLiteError.misuse("\(Swift.type(of: value)) is not stored as \(self.name)")
                }
                return try self.encode(value)
            },
            decode: { self.decode($0) }
        )
    }
}

/// A ``StorageForm`` of some type.
@usableFromInline
final class AnyStorageForm: Sendable {
    let name: String
    let encode: @Sendable (Any) throws -> BindingValue
    let decode: @Sendable (SQLiteValue) -> Any?

    init(
        name: String, encode: @escaping @Sendable (Any) throws -> BindingValue,
        decode: @escaping @Sendable (SQLiteValue) -> Any?
    ) {
        self.name = name
        self.encode = encode
        self.decode = decode
    }
}

extension SQLiteValue {
    fileprivate func isNo<Value>(_ type: Value.Type, type sqlType: String) -> ArgumentError {
        let stored: any ColumnReadable.Type =
            switch sqlType {
            case "INTEGER": Int64.self
            case "REAL": Double.self
            case "TEXT": String.self
            default: BindingValue.self
            }
        var reason = isNoArgument(of: stored).reason
        reason.expected = "\(Value.self)"
        return ArgumentError(reason: reason, address: 0)
    }
}
