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
/// every verb throw that is given the `SQL`. So does a value inside quotes or a comment (`'\(name)'`), and a parameter that
/// the text has beside interpolated values (`id = \(id) AND name = ?`): nothing is run.
public struct SQL: Sendable {
    /// A piece of SQL after the first value.
    enum Piece: Sendable {
        case text(String)
        case value(BindingValue)
        /// A list for `IN`, padded to `count` parameters by repeating its last value. It has at least one value.
        case list([BindingValue], count: Int)
    }

    // In pieces, as the literal has them: to put the text together for every run costs more than to find its statement.

    /// The text before the first value, and all of it where there is none.
    private(set) var head: String

    /// The first value and what follows.
    private(set) var tail: [Piece]

    /// Why this cannot be run.
    private(set) var failure: (any Error)?

    /// The SQL text.
    public var text: String {
        tail.reduce(into: head) { text, piece in
            switch piece {
            case .text(let piece): text += piece
            case .value: text += "?"
            case .list(_, let count): text += "(?\(String(repeating: ", ?", count: count - 1)))"
            }
        }
    }

    /// The values of the parameters, in order.
    public var parameters: [BindingValue] {
        tail.reduce(into: []) { values, piece in
            switch piece {
            case .text: break
            case .value(let value): values.append(value)
            case .list(let list, let count):
                values += list
                if let last = list.last { values += repeatElement(last, count: count - list.count) }
            }
        }
    }

    /// The number of parameters.
    var parameterCount: Int {
        var result = 0
        for piece in tail {
            switch piece {
            case .text: break
            case .value: result += 1
            case .list(_, let count): result += count
            }
        }
        return result
    }

    /// Whether values were interpolated.
    @usableFromInline var hasValues: Bool { !tail.isEmpty }

    /// SQL without parameters of its own, for text that is known only when the program runs. Never put input into it.
    public init(raw text: some StringProtocol) {
        self.init(head: String(text), tail: [], failure: nil)
    }

    init(head: String, tail: [Piece], failure: (any Error)?) {
        self.head = head
        self.tail = tail
        self.failure = failure
    }

    /// Joins two pieces of SQL, with nothing between them.
    public static func + (left: SQL, right: SQL) -> SQL {
        var result = left
        result += right
        return result
    }

    public static func += (left: inout SQL, right: SQL) {
        left.append(right.head)
        left.tail += right.tail
        left.failure = left.failure ?? right.failure
    }
}

extension SQL {
    mutating func append(_ text: String) {
        if tail.isEmpty {
            head += text
        } else if !text.isEmpty {
            tail.append(.text(text))
        }
    }

    mutating func append(_ value: BindingValue) {
        tail.append(.value(value))
    }

    /// Appends a list for `IN`, in parentheses, with a number of parameters that is at least the number of values.
    mutating func append(list values: [BindingValue], count: Int) {
        if values.isEmpty { append("()") } else { tail.append(.list(values, count: count)) }
    }

    mutating func reserveCapacity(_ pieces: Int) {
        tail.reserveCapacity(pieces)
    }

    mutating func fail(_ error: any Error) {
        failure = failure ?? error
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
        left.text.utf8.elementsEqual(right.text.utf8) && left.parameters == right.parameters
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(parameters)
    }
}

extension SQL: Settable {}

extension SQL: CustomStringConvertible {
    /// The text. The values are not shown; they are in `parameters`.
    public var description: String { text }
}
