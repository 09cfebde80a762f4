import SquallSQLite

/// INTEGER. A number is read if the type holds it exactly. See ``Bindable`` for the list of all value types.
extension Binding where Self: FixedWidthInteger {
    public typealias BindingType = Int64

    @inlinable
    public var bindingValue: BindingValue { Int64(exactly: self).map { .integer($0) } ?? .null }

    @inlinable
    public func checkedBindingValue() throws -> BindingValue {
        guard let value = Int64(exactly: self) else { throw rangeError() }
        return .integer(value)
    }

    @inlinable
    public func bind(to destination: BindingDestination) throws {
        guard let value = Int64(exactly: self) else { throw rangeError() }
        try destination.bind(value)
    }

    @inlinable
    public static func fromSQLiteValue(_ value: SQLiteValue) -> Self? {
        guard let integer = value.integer else { return nil }
        return Self(exactly: integer)
    }

    public static func fromBindingValue(_ value: Any) -> Self? {
        (value as? Int64).flatMap { Self(exactly: $0) }
    }

    /// The error of a value that is too large. The values of all standard `Binding` types fit; an application may add wider types.
    @usableFromInline
    func rangeError() -> SQLiteError {
        SQLiteError(.unstorable(type: "\(Self.self)", reason: .tooLarge), code: .mismatch)
    }
}

extension Int: Binding {
    // As the generic function, without its cost in a debug build.
    @inlinable
    public static func fromSQLiteValue(_ value: SQLiteValue) -> Int? {
        guard let integer = value.integer else { return nil }
        return Int(exactly: integer)
    }
}

extension Int8: Binding {}
extension Int16: Binding {}
extension Int32: Binding {}

extension Int64: Binding {
    @inlinable
    public static func fromSQLiteValue(_ value: SQLiteValue) -> Int64? { value.integer }
}

extension UInt8: Binding {}
extension UInt16: Binding {}
extension UInt32: Binding {}

/// Stored by its bit pattern. A value above `Int64.max` is stored as a negative INTEGER and read back unchanged.
///
/// SQL sorts and computes with the negative number: a typed query that orders such values, or computes with them, throws.
extension UInt64: Binding {
    public static var isOrderedInSQL: Bool { false }

    public var bindingValue: BindingValue { .integer(Int64(bitPattern: self)) }

    public func checkedBindingValue() throws -> BindingValue { bindingValue }

    @inlinable
    public func bind(to destination: BindingDestination) throws { try destination.bind(Int64(bitPattern: self)) }

    @inlinable
    public static func fromSQLiteValue(_ value: SQLiteValue) -> UInt64? {
        value.integer.map { UInt64(bitPattern: $0) }
    }

    public static func fromBindingValue(_ value: Any) -> UInt64? {
        (value as? Int64).map { UInt64(bitPattern: $0) }
    }
}

/// Stored by its bit pattern, like `UInt64`.
extension UInt: Binding {
    public static var isOrderedInSQL: Bool { false }

    public var bindingValue: BindingValue { UInt64(self).bindingValue }

    public func checkedBindingValue() throws -> BindingValue { bindingValue }

    @inlinable
    public func bind(to destination: BindingDestination) throws { try UInt64(self).bind(to: destination) }

    @inlinable
    public static func fromSQLiteValue(_ value: SQLiteValue) -> UInt? {
        UInt64.fromSQLiteValue(value).flatMap { UInt(exactly: $0) }
    }

    public static func fromBindingValue(_ value: Any) -> UInt? {
        UInt64.fromBindingValue(value).flatMap { UInt(exactly: $0) }
    }
}

/// INTEGER 1 or 0; every other number reads as `true`.
extension Bool: Binding {
    public typealias BindingType = Int64

    public var bindingValue: BindingValue { .integer(self ? 1 : 0) }

    @inlinable
    public func bind(to destination: BindingDestination) throws { try destination.bind(self ? 1 : 0 as Int64) }

    @inlinable
    public static func fromSQLiteValue(_ value: SQLiteValue) -> Bool? { value.integer.map { $0 != 0 } }

    public static func fromBindingValue(_ value: Any) -> Bool? { (value as? Int64).map { $0 != 0 } }
}

extension Bool: SampleSource {
    static func samples(number: Int) -> [Bool] { [false, true] }
}
