#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A `Codable` value that is stored as JSON in TEXT, so that SQL can read its parts:
///
///     try connection.run("INSERT INTO orders(address) VALUES(?)", JSONBinding(address))
///     let city: String = try connection.query("SELECT address ->> '$.city' FROM orders")
///
/// Keys are sorted, and dates are written in Squall's usual form, so that equal values become equal TEXT.
///
/// See ``Bindable`` for the list of all value types.
public struct JSONBinding<Value: Codable>: Binding, DecodedFromText {
    public typealias BindingType = String

    public let value: Value

    public init(_ value: Value) {
        self.value = value
    }

    /// The encoded value, or `null` when it cannot be encoded. Squall's verbs throw in that case.
    public var bindingValue: BindingValue { (try? checkedBindingValue()) ?? .null }

    public func checkedBindingValue() throws -> BindingValue {
        let json = try JSONEncoder.squall().encode(value)
        if json.hasNaN {
            let context = EncodingError.Context(codingPath: [], debugDescription: "NaN is not a number of JSON")
            throw EncodingError.invalidValue(value, context)
        }
        return .text(String(decoding: json, as: UTF8.self))
    }

    public static func fromBindingValue(_ value: Any) -> JSONBinding? {
        (value as? String)
            .flatMap { try? JSONDecoder.squall().decode(Value.self, from: Data($0.utf8)) }
            .map { JSONBinding($0) }
    }

    /// Returns the error of a text that does not decode.
    static func error(decoding text: String) -> DecodingError? {
        do {
            _ = try JSONDecoder.squall().decode(Value.self, from: Data(text.utf8))
            return nil
        } catch {
            return error as? DecodingError
        }
    }
}

extension Data {
    /// Whether JSON has a NaN, which `JSONEncoder` writes for a `Decimal` and no decoder reads.
    fileprivate var hasNaN: Bool {
        let letter = UInt8(ascii: "N")
        guard contains(letter) else { return false }
        var (isInString, isEscaped) = (false, false)
        for byte in self {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == letter {
                return true
            }
        }
        return false
    }
}

extension JSONBinding: Sendable where Value: Sendable {}
extension JSONBinding: Equatable where Value: Equatable {}
extension JSONBinding: Hashable where Value: Hashable {}

extension JSONEncoder {
    static func squall() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.checkedText())
        }
        return encoder
    }
}

extension JSONDecoder {
    static func squall() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = bindingDateFormatter.date(from: text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date: \(text)")
            }
            return date
        }
        return decoder
    }
}
