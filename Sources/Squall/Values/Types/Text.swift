#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// TEXT, all its bytes. Bytes that are no valid UTF-8 are no `String`; they can be read as `Data`.
extension String: Binding {
    public typealias BindingType = String

    public var bindingValue: BindingValue { .text(self) }

    public func bind(to parameter: SQLiteParameter) throws { try parameter.bind(self) }

    @inlinable
    public static func fromSQLiteValue(_ value: SQLiteValue) -> String? { value.text }

    public static func fromBindingValue(_ value: Any) -> String? { value as? String }
}

/// TEXT, to be bound.
extension Substring: Bindable {
    public var bindingValue: BindingValue { .text(String(self)) }
}

/// TEXT: the absolute string.
extension URL: Binding {
    public typealias BindingType = String

    public var bindingValue: BindingValue { .text(absoluteString) }

    public static func fromBindingValue(_ value: Any) -> URL? { (value as? String).flatMap { URL(string: $0) } }
}
