#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A place in the order of a query: the values of the order in the last row of a ``Page``.
///
/// It has a text of letters, digits, `-` and `_`, for the address of the next page in a web interface:
///
///     let link = "/users?after=\(cursor)"
///     let cursor = PageCursor(text)          // nil for any other text
///
/// The text is not encrypted: it has the values of the last row. A text that a client has changed can begin a page elsewhere, or
/// throw; it cannot do more, because its values are bound.
public struct PageCursor: Hashable, Sendable {
    let values: [BindingValue]
    /// The fingerprint of the order.
    let order: UInt64

    init(values: [BindingValue], order: UInt64) {
        self.values = values
        self.order = order
    }
}

extension PageCursor: LosslessStringConvertible {
    /// The cursor as text.
    public var description: String {
        let parts = [String(order, radix: 36)] + values.map(\.part)
        // Cannot fail: an array of strings is JSON.
        let json = (try? JSONEncoder().encode(parts)) ?? Data()
        return json.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The cursor of a text; `nil` for a text that is not of a cursor.
    public init?(_ text: String) {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let json = Data(base64Encoded: base64 + padding),
            let parts = try? JSONDecoder().decode([String].self, from: json),
            let order = parts.first.flatMap({ UInt64($0, radix: 36) })
        else { return nil }
        var values: [BindingValue] = []
        for part in parts.dropFirst() {
            guard let value = BindingValue(part: part) else { return nil }
            values.append(value)
        }
        self.init(values: values, order: order)
    }
}

extension BindingValue {
    /// The value as a part of a cursor's text: a letter for the storage class, and the value.
    fileprivate var part: String {
        switch self {
        case .null: "n"
        case .integer(let value): "i\(value)"
        case .real(let value): "r\(value.bitPattern)"
        case .text(let value): "t\(value)"
        case .blob(let value): "b\(value.base64EncodedString())"
        case .malformedText(let value): "m\(value.base64EncodedString())"
        }
    }

    fileprivate init?(part: String) {
        // Not by characters: a text can begin with a combining one.
        let rest = String(part.unicodeScalars.dropFirst())
        switch part.unicodeScalars.first {
        case "n" where rest.isEmpty: self = .null
        case "i":
            guard let value = Int64(rest) else { return nil }
            self = .integer(value)
        case "r":
            guard let value = UInt64(rest).map(Double.init(bitPattern:)), !value.isNaN else { return nil }
            self = .real(value)
        case "t": self = .text(rest)
        case "b":
            guard let value = Data(base64Encoded: rest) else { return nil }
            self = .blob(value)
        case "m":
            guard let value = Data(base64Encoded: rest) else { return nil }
            self = .malformedText(value)
        default: return nil
        }
    }
}

extension PageCursor: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let cursor = PageCursor(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not the text of a page cursor")
        }
        self = cursor
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
