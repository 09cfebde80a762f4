#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A `Codable` type that is stored as a binary property list in a BLOB.
///
///     struct Employee: CodableBinding { let firstName: String; let age: UInt }
///     try connection.run("INSERT INTO employees(employee) VALUES(?)", phil)
///
/// If a value cannot be encoded, the verb that writes it throws `EncodingError`. An enumeration with a raw value
/// conforms to ``Binding`` instead: a bare string or number is not a valid property list.
///
/// See ``Bindable`` for the list of all value types.
public protocol CodableBinding: Codable, Binding where BindingType == Data {}

extension CodableBinding {
    /// The encoded value, or `null` when it cannot be encoded. Squall's verbs throw in that case.
    public var bindingValue: BindingValue { (try? propertyList()).map { .blob($0) } ?? .null }

    public func checkedBindingValue() throws -> BindingValue {
        // A type may implement `bindingValue` itself.
        let value = bindingValue
        if value == .null { _ = try propertyList() }
        return value
    }

    private func propertyList() throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode(self)
    }

    public static func fromBindingValue(_ value: Any) -> Self? {
        (value as? Data).flatMap { try? PropertyListDecoder().decode(Self.self, from: $0) }
    }
}

/// An array that is stored as one binary property list.
public struct ArrayBinding<T: Codable>: CodableBinding, ExpressibleByArrayLiteral {
    public let elements: [T]

    public init(elements: [T]) {
        self.elements = elements
    }

    public init(arrayLiteral elements: T...) {
        self.init(elements: elements)
    }
}

/// A set that is stored as one binary property list.
public struct SetBinding<T: Hashable & Codable>: CodableBinding, ExpressibleByArrayLiteral {
    public let elements: Set<T>

    public init(elements: Set<T>) {
        self.elements = elements
    }

    public init(arrayLiteral elements: T...) {
        self.init(elements: Set(elements))
    }
}

/// A dictionary that is stored as one binary property list.
public struct DictionaryBinding<Key: Hashable & Codable, Value: Codable>: CodableBinding,
    ExpressibleByDictionaryLiteral
{
    public let elements: [Key: Value]

    public init(elements: [Key: Value]) {
        self.elements = elements
    }

    public init(dictionaryLiteral elements: (Key, Value)...) {
        self.init(elements: Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}

extension ArrayBinding: Sendable where T: Sendable {}
extension ArrayBinding: Equatable where T: Equatable {}
extension SetBinding: Sendable where T: Sendable {}
extension SetBinding: Equatable {}
extension DictionaryBinding: Sendable where Key: Sendable, Value: Sendable {}
extension DictionaryBinding: Equatable where Value: Equatable {}
