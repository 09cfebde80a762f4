import Squall

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The type code of a value in a message.
enum WireValueType: UInt8, CaseIterable, Sendable {
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
    case null = 5
    case unixTime = 9
    case iso8601 = 10
    case boolean = 11
}

/// A value in a message: SQLite's storage classes, and the three types that a node derives from a column's declaration.
///
/// For a column declared as `DATETIME`, `DATE` or `TIMESTAMP` a node sends integers as Unix time and everything else as
/// ISO 8601 text. NULL becomes an empty text. For a column declared as `BOOLEAN` it sends NULL as 0.
enum WireValue: Hashable, Sendable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
    case null
    case unixTime(Int64)
    case iso8601(String)
    case boolean(Int64)

    init(_ value: BindingValue) {
        switch value {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .text(let value): self = .text(value)
        // A text from a node is always UTF-8: others are an error of the reader.
        case .blob(let value), .malformedText(let value): self = .blob(value)
        }
    }

    var type: WireValueType {
        switch self {
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        case .null: .null
        case .unixTime: .unixTime
        case .iso8601: .iso8601
        case .boolean: .boolean
        }
    }

    /// The value in SQLite's storage class.
    var bindingValue: BindingValue {
        switch self {
        case .integer(let value), .unixTime(let value), .boolean(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let value), .iso8601(let value): .text(value)
        case .blob(let value): .blob(value)
        case .null: .null
        }
    }
}

extension BindingValue {
    var wireType: WireValueType {
        switch self {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text, .malformedText: .text
        case .blob: .blob
        }
    }
}
