#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The form in which a column stores its values: one of several that their type has, or one for a type that cannot be stored as
/// it is.
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
    /// The type of the stored values, which conversion errors name.
    private let stored: any ColumnReadable.Type
    /// Whether a column of the type has this form anyway.
    private let isDefault: Bool
    let encode: @Sendable (Value) throws -> BindingValue
    let decode: @Sendable (SQLiteValue) -> Value?
    /// The current time in the form, as SQL.
    let now: SQL?
    /// Whether it is JSON in TEXT, where the text `null` is `nil`.
    private var isJSON = false
    /// Returns why a value is not decoded, where the form knows it.
    private var explain: (@Sendable (SQLiteValue) -> DecodingError?)?
    /// Returns whether a value that is not decoded is `nil` in an optional column.
    private var isNil: (@Sendable (SQLiteValue) -> Bool)?

    /// A form that the program defines.
    ///
    /// - Parameters:
    ///   - name: Identifies the form. Columns of different forms cannot be compared with one another.
    ///   - type: The type of the column in SQL.
    ///   - encode: Makes the stored value.
    ///   - decode: Makes a value from the stored one, or returns `nil` where it cannot. It is not called for NULL.
    public init(
        _ name: String, type: String, encode: @escaping @Sendable (Value) throws -> BindingValue,
        decode: @escaping @Sendable (SQLiteValue) -> Value?
    ) {
        let types: [any ColumnReadable.Type] = [Int64.self, Double.self, String.self]
        self.name = name
        self.type = type
        stored = types.first { $0.declaredType == type } ?? BindingValue.self
        isDefault = false
        now = nil
        self.encode = encode
        self.decode = decode
    }

    /// A form that stores values as another type does.
    private init<Stored: ColumnReadable>(
        _ name: String, as stored: Stored.Type, isDefault: Bool = false, now: SQL? = nil,
        encode: @escaping @Sendable (Value) throws -> BindingValue,
        decode: @escaping @Sendable (SQLiteValue) -> Value?
    ) {
        self.name = name
        type = Stored.declaredType
        self.stored = stored
        self.isDefault = isDefault
        self.now = now
        self.encode = encode
        self.decode = decode
    }
}

extension StorageForm where Value == Date {
    /// TEXT, `2026-11-21T20:15:00.000`; the default of a column of dates.
    public static var text: Self {
        Self(
            "text", as: String.self, isDefault: true, now: InsertTime.sql(of: Date.self),
            encode: { try $0.checkedBindingValue() },
            decode: { Date.fromSQLiteValue($0) }
        )
    }

    /// Seconds since 1970, as ``UnixTime`` stores them.
    public static var unixTime: Self {
        Self(
            "unixTime", as: Double.self, now: InsertTime.sql(of: UnixTime.self), encode: { UnixTime($0).bindingValue },
            decode: { UnixTime.fromSQLiteValue($0)?.date }
        )
    }

    /// Milliseconds since 1970, as ``UnixMilliseconds`` stores them.
    public static var unixMilliseconds: Self {
        Self(
            "unixMilliseconds", as: Int64.self, now: InsertTime.sql(of: UnixMilliseconds.self),
            encode: { try UnixMilliseconds($0).checkedBindingValue() },
            decode: { UnixMilliseconds.fromSQLiteValue($0)?.date }
        )
    }

    /// A Julian day, as ``JulianDay`` stores it.
    public static var julianDay: Self {
        Self(
            "julianDay", as: Double.self, now: InsertTime.sql(of: JulianDay.self),
            encode: { JulianDay($0).bindingValue },
            decode: { JulianDay.fromSQLiteValue($0)?.date }
        )
    }
}

extension StorageForm where Value == UUID {
    /// A BLOB of 16 bytes; the default of a column of UUIDs.
    public static var blob: Self {
        Self(
            "blob", as: UUID.self, isDefault: true, encode: { $0.bindingValue }, decode: { UUID.fromSQLiteValue($0) }
        )
    }

    /// TEXT, upper case, with hyphens.
    public static var text: Self {
        Self("text", as: String.self, encode: { .text($0.uuidString) }, decode: { UUID.fromSQLiteValue($0) })
    }

    /// TEXT, lower case, with hyphens, as most other programs and servers write it.
    public static var lowercaseText: Self {
        Self(
            "lowercaseText", as: String.self, encode: { .text($0.uuidString.asciiFolded) },
            decode: { UUID.fromSQLiteValue($0) }
        )
    }
}

extension StorageForm where Value: Codable & SendableMetatype {
    /// JSON in TEXT, as ``JSONBinding`` stores it. An optional column reads the JSON `null` of other programs as `nil`.
    public static var json: Self {
        var form = Self(
            "json", as: String.self, encode: { try JSONBinding($0).checkedBindingValue() },
            decode: { JSONBinding<Value>.fromSQLiteValue($0)?.value }
        )
        form.isJSON = true
        form.explain = { $0.text.flatMap { JSONBinding<Value>.error(decoding: $0) } }
        form.isNil = { $0.text.map { $0.split(whereSeparator: \.isWhitespace) == ["null"] } ?? false }
        return form
    }
}

extension StorageForm {
    func read(_ value: SQLiteValue) throws(ArgumentError) -> Value {
        if !value.isNull, let result = decode(value) { return result }
        var reason = ConversionError(value, inFormOf: stored)
        reason.expected = "\(Value.self)"
        if reason.reason == .unacceptable { reason.decodingError = explain?(value) }
        throw ArgumentError(reason: reason, address: 0)
    }

    var codec: ColumnCodec<Value> {
        ColumnCodec(
            read: { (value) throws(ArgumentError) in try self.read(value) },
            bind: { value, destination in try self.encode(value).bind(to: destination) }
        )
    }

    var optionalCodec: ColumnCodec<Value?> {
        ColumnCodec(
            read: { (value) throws(ArgumentError) in
                if value.isNull { return nil }
                if let result = self.decode(value) { return result }
                return self.isNil?(value) == true ? nil : try self.read(value)
            },
            bind: { value, destination in try (value.map(self.encode) ?? .null).bind(to: destination) }
        )
    }

    /// Returns an integer as the type of the values, where it is one: SQLite has one type for integers of all sizes.
    private static func integer(_ value: Any) -> Value? {
        guard let type = Value.self as? any BinaryInteger.Type, let value = value as? any BinaryInteger else {
            return nil
        }
        func convert<Integer: BinaryInteger>(_ type: Integer.Type) -> Integer? { Integer(exactly: value) }
        return convert(type) as? Value
    }

    /// The form without the type of its values; `nil` for the default form of the type.
    var erased: AnyStorageForm? {
        if isDefault { return nil }
        return AnyStorageForm(
            name: name, isJSON: isJSON,
            encode: { value in
                guard let value = value as? Value ?? Self.integer(value) else {
                    throw SQLiteError.misuse(
                        .unstorable(type: "\(Swift.type(of: value))", reason: .otherForm(self.name)))
                }
                return try self.encode(value)
            },
            decode: { (value) throws(ArgumentError) in try self.read(value) }
        )
    }
}

/// A ``StorageForm`` without the type of its values.
@usableFromInline
package final class AnyStorageForm: Sendable {
    let name: String
    /// Whether it is JSON in TEXT, where the text `null` is `nil`.
    let isJSON: Bool
    let encode: @Sendable (Any) throws -> BindingValue
    let decode: @Sendable (SQLiteValue) throws(ArgumentError) -> Any

    init(
        name: String, isJSON: Bool, encode: @escaping @Sendable (Any) throws -> BindingValue,
        decode: @escaping @Sendable (SQLiteValue) throws(ArgumentError) -> Any
    ) {
        self.name = name
        self.isJSON = isJSON
        self.encode = encode
        self.decode = decode
    }
}

extension StorageForm {
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "`as: .json` needs a property whose type is Codable")
    @_disfavoredOverload
    public static var json: Self {
        Self("json", type: "TEXT", encode: { _ in .null }, decode: { _ in nil })
    }
}
