import Foundation
import Squall

/// A value for an SQL parameter, in the form of the option `-p`: `limit=20000`, `code:text=007`.
struct Parameter {
    /// The name, without the `:`, `@` or `$` that precedes it in SQL.
    let name: String
    let value: BindingValue

    /// - Throws: ``Parameter/SyntaxError``, which ArgumentParser prints with the argument.
    init(argument: String) throws {
        // Bytes, because a sign and a combining mark form one `Character`.
        guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else { throw SyntaxError("it has no '='") }
        let text = String(argument[argument.utf8.index(after: equals)...])
        let key = argument[..<equals]
        if let colon = key.utf8.lastIndex(of: UInt8(ascii: ":")) {
            name = String(key[..<colon])
            let type = String(key[key.utf8.index(after: colon)...])
            guard let forced = ForcedType(rawValue: type) else {
                throw SyntaxError("there is no type '\(type)', only text, int, real, blob and null")
            }
            guard let value = forced.value(of: text) else {
                throw SyntaxError("'\(text)' is not \(forced.expectation)")
            }
            self.value = value
        } else {
            name = String(key)
            value = Self.guess(text)
        }
        guard !name.isEmpty else { throw SyntaxError("it has no name") }
    }

    /// Returns a number if the text is an SQL number, and otherwise the text. An integer beyond 64 bits stays text, because
    /// it would lose digits as REAL.
    private static func guess(_ text: String) -> BindingValue {
        if let value = Int64(text) { return .integer(value) }
        let real = /[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][+-]?[0-9]+)?/
        if text.wholeMatch(of: real) != nil, let value = Double(text), value.isFinite { return .real(value) }
        return .text(text)
    }
}

extension Parameter {
    /// An error in the syntax of an argument.
    struct SyntaxError: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description + "; write name=value or name:type=value"
        }
    }

    private enum ForcedType: String {
        case text, int, real, blob, null

        func value(of text: String) -> BindingValue? {
            switch self {
            case .text: .text(text)
            case .int: Int64(text).map { .integer($0) }
            case .real: Double(text).flatMap { $0.isNaN ? nil : .real($0) }
            case .blob: Data(hexadecimal: text).map { .blob($0) }
            case .null: text.isEmpty ? .null : nil
            }
        }

        var expectation: String {
            switch self {
            case .text: "text"
            case .int: "a whole number of 64 bits"
            case .real: "a number"
            case .blob: "bytes of two hexadecimal digits each"
            case .null: "empty, as NULL must be"
            }
        }
    }
}

extension Data {
    /// Returns the bytes that the text denotes, two digits each; `nil` for other text.
    fileprivate init?(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
