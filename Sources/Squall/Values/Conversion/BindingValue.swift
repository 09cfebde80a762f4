#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value in one of SQLite's five storage classes. TEXT has two cases, because a `String` cannot hold every TEXT.
public enum BindingValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
    /// The bytes of a TEXT that is not valid UTF-8. It is bound as the same TEXT.
    case malformedText(Data)

    /// Compares TEXT by its bytes, as SQLite does, not by Unicode's equivalence.
    public static func == (left: BindingValue, right: BindingValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.blob(let left), .blob(let right)), (.malformedText(let left), .malformedText(let right)): left == right
        default: false
        }
    }
}

extension BindingValue: Binding {
    public typealias BindingType = Any

    public var bindingValue: BindingValue { self }

    public func bind(to destination: BindingDestination) throws {
        switch self {
        case .null: try destination.bindNull()
        case .integer(let value): try destination.bind(value)
        case .real(let value): try destination.bind(value)
        case .text(let value): try destination.bind(value)
        case .blob(let value): try value.withUnsafeBytes { try destination.bind($0) }
        case .malformedText(let value): try value.withUnsafeBytes { try destination.bind(utf8: $0) }
        }
    }

    /// Every value has a case.
    public static func fromSQLiteValue(_ value: SQLiteValue) -> BindingValue? {
        value.isNull ? nil : value.bindingValue
    }

    public static func fromBindingValue(_ value: Any) -> BindingValue? {
        switch value {
        case let value as Int64: .integer(value)
        case let value as Double: .real(value)
        case let value as String: .text(value)
        case let value as Data: .blob(value)
        default: nil
        }
    }
}

extension BindingValue {
    /// Whether SQLite stores the same for both values: 0.0 and -0.0 are equal, and differ.
    func isIdentical(to other: BindingValue) -> Bool {
        if case .real(let number) = self, case .real(let other) = other { return number.bitPattern == other.bitPattern }
        return self == other
    }

    /// The value in the type of its storage class: `Int64`, `Double`, `String`, `Data`, or `nil` for NULL.
    var any: Any? {
        switch self {
        case .null: nil
        case .integer(let value): value
        case .real(let value): value
        case .text(let value): value
        case .blob(let value), .malformedText(let value): value
        }
    }
}
