import Foundation

extension SQL {
    /// The same SQL with its values written as literals, for definitions, in which SQLite allows no parameters:
    /// `"age > \(18)"` becomes `age > 18`. Text is quoted, a `'` in it doubled.
    var withLiterals: SQL {
        var result = SQL(head: head, tail: [], failure: failure)
        for piece in tail {
            switch piece {
            case .text(let text): result.append(text)
            case .value(let value): result.append(value.literal)
            }
        }
        return result
    }
}

extension BindingValue {
    /// The value as a literal of SQL.
    var literal: String {
        switch self {
        case .null: "NULL"
        case .integer(.min): "(-9223372036854775807 - 1)"
        case .integer(let value): "\(value)"
        case .real(let value) where value.isInfinite: value < 0 ? "-9e999" : "9e999"
        case .real(let value) where value.isNaN: "NULL"
        case .real(let value): "\(value)"
        case .text(let value) where value.utf8.contains(0): "CAST(\(Data(value.utf8).literal) AS TEXT)"
        case .text(let value): "'\(value.doubling("'"))'"
        case .blob(let value): value.literal
        }
    }
}

extension Data {
    fileprivate var literal: String {
        let digits = map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
        return "X'\(digits.joined())'"
    }
}

extension String {
    /// Scalar by scalar: a quote with a combining mark is another `Character` than a quote.
    func doubling(_ quote: Unicode.Scalar) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if scalar == quote { result.unicodeScalars.append(scalar) }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
