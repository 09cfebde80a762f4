/// SQL text and the values that are bound to its parameters.
///
/// A string literal is a `SQL`. Interpolated values are bound, never spliced:
///
///     let limit = 20_000
///     let sql: SQL = "SELECT name FROM cars WHERE price > \(limit)"
///     sql.text          // SELECT name FROM cars WHERE price > ?
///     sql.parameters    // [.integer(20000)]
///
/// | interpolation | becomes |
/// |---|---|
/// | `\(value)` | a parameter, bound to the value; NULL for `nil` |
/// | `\(value, default: other)` | a parameter, bound to the value, or to the default for `nil` |
/// | `\(in: values)` | a list for `IN`: `(?, ?, ?, ?)` |
/// | `\(name: "order")` | a quoted identifier: `"order"` |
/// | `\(sql)` | another `SQL`, its text and its parameters |
/// | `\(raw: text)` | the text itself: for trusted text, never for input |
///
/// Nothing is run if a `SQL` is invalid: every verb that takes it throws. These are invalid:
///
/// - an identifier with a NUL character, and a value that cannot be encoded;
/// - a value inside quotes or a comment (`'\(name)'`);
/// - a written parameter beside interpolated values (`id = \(id) AND name = ?`).
public struct SQL: Sendable {
    /// A piece of SQL after the first value.
    enum Piece: Sendable {
        case text(String)
        case value(BindingValue)
        /// A list for `IN`, padded to `count` parameters by repeating its last value. It has at least one value.
        case list([BindingValue], count: Int)
    }

    // The SQL stays in the pieces of its literal: joining the text for every run would cost more than finding its
    // statement.

    /// The text before the first value, or all of the text without one.
    private(set) var head: String

    /// The first value and the pieces after it.
    private(set) var tail: [Piece]

    /// The reason why this SQL cannot be run.
    private(set) var failure: (any Error)?

    /// The names of the tables of the schema that typed queries in this SQL read. Names in written SQL are not among them.
    private(set) var tables: [String] = []

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

    /// Makes SQL from text that is known only when the program runs. Never put input into it.
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
        if !right.tables.isEmpty { left.tables += right.tables }
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

    /// Appends a list for `IN`, in parentheses, with `count` parameters, at least one for each value.
    mutating func append(list values: [BindingValue], count: Int) {
        if values.isEmpty { append("()") } else { tail.append(.list(values, count: count)) }
    }

    mutating func reserveCapacity(_ pieces: Int) {
        tail.reserveCapacity(pieces)
    }

    mutating func uses(table: String) {
        tables.append(table)
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
    /// Two `SQL` values are equal when their texts and their parameters are equal.
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
    /// The text, without the values, which are in `parameters`.
    public var description: String { text }
}

extension SQL: CustomDebugStringConvertible {
    /// The SQL with its values in place, as literals: for tests and the debugger. SQL that cannot be written so is the text.
    public var debugDescription: String { withLiterals.text }
}
