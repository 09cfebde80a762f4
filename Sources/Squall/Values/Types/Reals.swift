#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// REAL. An INTEGER is read if a `Double` holds it exactly. See ``Bindable`` for the list of all value types.
extension Double: Binding {
    public typealias BindingType = Double

    public var bindingValue: BindingValue { .real(self) }

    @inlinable
    public func bind(to destination: BindingDestination) throws { try destination.bind(self) }

    @inlinable
    public static func fromSQLiteValue(_ value: SQLiteValue) -> Double? { value.real }

    public static func fromBindingValue(_ value: Any) -> Double? { value as? Double }
}

/// REAL. Reading rounds to the nearest `Float`. A finite number beyond the range of `Float` does not fit.
extension Float: Binding {
    public typealias BindingType = Double

    public var bindingValue: BindingValue { .real(Double(self)) }

    @inlinable
    public func bind(to destination: BindingDestination) throws { try destination.bind(Double(self)) }

    @inlinable
    public static func fromSQLiteValue(_ value: SQLiteValue) -> Float? { value.real.flatMap { Float(rounding: $0) } }

    public static func fromBindingValue(_ value: Any) -> Float? {
        (value as? Double).flatMap { Float(rounding: $0) }
    }

    @inlinable
    init?(rounding value: Double) {
        self.init(value)
        if isInfinite, value.isFinite { return nil }
    }
}

/// TEXT in decimal notation, which is exact. INTEGER and REAL are read by their shortest decimal notation.
///
/// SQLite can compare such texts only for equality. A typed query that orders them, or computes with them, throws.
extension Decimal: Binding {
    public typealias BindingType = Any

    // A column of another type would convert the text to a binary number.
    public static var declaredType: String { "TEXT" }

    public static var isOrderedInSQL: Bool { false }

    public var bindingValue: BindingValue { .text(description) }

    public func checkedBindingValue() throws -> BindingValue {
        if isNaN { throw SQLiteError.misuse(.unstorable(type: "\(Self.self)", reason: .notANumber)) }
        return bindingValue
    }

    public static func fromBindingValue(_ value: Any) -> Decimal? {
        switch value {
        case let value as Int64: Decimal(value)
        case let value as Double: value.isFinite ? Decimal(whole: "\(value)") : nil
        case let value as String: Decimal(whole: value)
        default: nil
        }
    }

    /// Reads text that is wholly a number, and that `Decimal` holds exactly. Foundation's parser stops at the first
    /// other character, and rounds.
    private init?(whole text: String) {
        guard let notation = DecimalNotation(text),
            let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN,
            DecimalNotation(value.description) == notation
        else { return nil }
        self = value
    }
}

#if canImport(CoreGraphics)
    import CoreGraphics

    /// REAL, as `Double`.
    extension CGFloat: Binding {
        public typealias BindingType = Double

        public var bindingValue: BindingValue { .real(Double(self)) }

        public static func fromBindingValue(_ value: Any) -> CGFloat? { (value as? Double).map { CGFloat($0) } }
    }
#endif
