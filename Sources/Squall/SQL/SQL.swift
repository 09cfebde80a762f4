/// SQL text and the values that are bound to its parameters.
///
/// A string literal is a `SQL`. What is interpolated into it is bound, never spliced:
///
///     let limit = 20_000
///     let sql: SQL = "SELECT name FROM cars WHERE price > \(limit)"
///     sql.text          // SELECT name FROM cars WHERE price > ?
///     sql.parameters    // [.integer(20000)]
///
/// | interpolation | becomes |
/// |---|---|
/// | `\(value)` | a parameter, bound to the value; NULL for `nil` |
/// | `\(value, default: other)` | a parameter, bound to the value, or to the other one for `nil` |
/// | `\(in: values)` | a list for `IN`: `(?, ?, ?, ?)` |
/// | `\(name: "order")` | a quoted identifier: `"order"` |
/// | `\(sql)` | another `SQL`, its text and its parameters |
/// | `\(raw: text)` | the text itself: for text of your own, never for input |
///
/// An interpolation that cannot be carried out (an identifier with a NUL character, a value that cannot be encoded) makes
/// every verb throw that is given the `SQL`.
public struct SQL: Sendable {
    /// The SQL text.
    public private(set) var text: String

    /// The values of the parameters, in order.
    public private(set) var parameters: [BindingValue]

    /// Why this cannot be run.
    private(set) var failure: (any Error)?

    /// SQL without parameters of its own, for text that is known only when the program runs. Never put input into it.
    public init(raw text: some StringProtocol) {
        self.init(text: String(text), parameters: [], failure: nil)
    }

    init(text: String, parameters: [BindingValue], failure: (any Error)?) {
        self.text = text
        self.parameters = parameters
        self.failure = failure
    }

    /// Joins two pieces of SQL, with nothing between them.
    public static func + (left: SQL, right: SQL) -> SQL {
        var result = left
        result += right
        return result
    }

    public static func += (left: inout SQL, right: SQL) {
        left.text += right.text
        left.parameters += right.parameters
        left.failure = left.failure ?? right.failure
    }
}

extension Sequence<SQL> {
    /// Joins pieces of SQL: `conditions.joined(separator: " AND ")`.
    public func joined(separator: SQL = "") -> SQL {
        var result: SQL = ""
        for (index, piece) in enumerated() {
            if index > 0 { result += separator }
            result += piece
        }
        return result
    }
}

extension SQL: Hashable {
    /// Two pieces of SQL are equal when their texts and their parameters are.
    public static func == (left: SQL, right: SQL) -> Bool {
        left.text == right.text && left.parameters == right.parameters
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(parameters)
    }
}

extension SQL: CustomStringConvertible {
    /// The text. The values are not shown; they are in `parameters`.
    public var description: String { text }
}
