#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// TEXT with all its bytes. TEXT that is not valid UTF-8 cannot be read as `String`, only as `Data`.
/// See ``Bindable`` for the list of all value types.
extension String: Binding {
    public typealias BindingType = String

    @inlinable
    public var bindingValue: BindingValue { .text(self) }

    public func bind(to destination: BindingDestination) throws { try destination.bind(self) }

    @inlinable
    public static func fromSQLiteValue(_ value: SQLiteValue) -> String? { value.text }

    public static func fromBindingValue(_ value: Any) -> String? { value as? String }
}

/// TEXT; a `Substring` can be bound, but not read.
extension Substring: Bindable {
    public var bindingValue: BindingValue { .text(String(self)) }
}

/// TEXT that holds the absolute string.
extension URL: Binding {
    public typealias BindingType = String

    public var bindingValue: BindingValue { .text(absoluteString) }

    public static func fromBindingValue(_ value: Any) -> URL? { (value as? String).flatMap { URL(string: $0) } }
}
