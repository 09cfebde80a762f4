import Foundation
import Squall

/// A value for a parameter of SQL, as `-p` takes it: `limit=20000`, `code:text=007`.
struct Parameter {
    /// The name, without the `:`, `@` or `$` that it has in SQL.
    let name: String
    let value: BindingValue

    /// - Throws: ``Parameter/SyntaxError``, which ArgumentParser shows with the argument.
    init(argument: String) throws {
        guard let equals = argument.firstIndex(of: "=") else { throw SyntaxError("it has no '='") }
        let text = String(argument[argument.index(after: equals)...])
        let key = argument[..<equals]
        if let colon = key.lastIndex(of: ":") {
            name = String(key[..<colon])
            let type = String(key[key.index(after: colon)...])
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

    /// A number that is written as one, as SQL has it, and otherwise text. A whole number of more than 64 bits stays
    /// text: as REAL it would lose digits.
    private static func guess(_ text: String) -> BindingValue {
        if let value = Int64(text) { return .integer(value) }
        let real = /[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][+-]?[0-9]+)?/
        if text.wholeMatch(of: real) != nil, let value = Double(text), value.isFinite { return .real(value) }
        return .text(text)
    }
}

extension Parameter {
    /// What is wrong with an argument.
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
    /// Bytes of two digits each, or `nil`.
    fileprivate init?(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
