// # SQL
//
// A `SQL` is the text of one or more statements, with the values of its parameters.
//
//     let ids = [1, 2, 3]
//     let condition: SQL = "price > \(20_000) AND id IN \(in: ids)"
//     let sql: SQL = "SELECT name FROM \(name: "cars") WHERE \(condition)"
//     print(sql.text, sql.parameters)
//
// The value is a text, `head`, followed by pieces: texts, values, lists for `IN`, and tables such as arrays.
// `SQL+Interpolation.swift` makes the pieces. The room VirtualTables implements `TableParameter`.
//
// SQL reaches SQLite so:
// 1. A verb passes the `SQL` to `Connection.borrow(_:)`, which throws the `failure` that an interpolation has noted.
// 2. The statement cache compares the `quickHash`, and then the bytes of the pieces (`SQL+Hash.swift`).
// 3. After a miss, `fitted(to:)` shortens lists that exceed the connection's limit of parameters (`SQL+Lists.swift`).
// 4. `Statement.bind` requires that the parameters are exactly the values. Their number mostly shows it; otherwise
//    `checkValueOffsets()` reads the text.
//
// Invariants: An interpolation never throws. Invalid SQL keeps its failure when it is joined with other SQL, and verbs
// refuse it. The pieces are joined to one text only after a miss. Texts are compared by their bytes, as SQLite compares
// them. A list is padded to a power of two, so that lists of all lengths have few texts. `withLiterals` writes the
// values into the text: for definitions, which have no parameters, and for the debugger. `Base.swift` is the only file
// that imports SquallBase, the module that reads the text of SQL.

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
    /// A piece of SQL after its first text.
    enum Piece: Sendable {
        case text(String)
        case value(BindingValue)
        /// A list for `IN`, padded to `count` parameters by repeating its last value. It has at least one value.
        case list([BindingValue], count: Int)
        /// A parameter that is a table.
        case table(any TableParameter)

        /// The number of parameters.
        var parameterCount: Int {
            switch self {
            case .text: 0
            case .value, .table: 1
            case .list(_, let count): count
            }
        }
    }

    // The SQL stays in the pieces that it was put together from: joining the text for every run would cost more than finding
    // its statement.

    /// The text before the first piece.
    private(set) var head: String

    /// The pieces after the first text.
    private(set) var tail: [Piece]

    /// The number of parameters.
    private(set) var parameterCount = 0

    /// The failure and the names of tables; `nil` for most SQL.
    private var notes: Notes?

    /// The reason why this SQL cannot be run.
    var failure: (any Error)? { notes?.failure }

    /// The names of the tables of the schema that typed queries in this SQL read. Names in written SQL are not among them.
    var tables: [String] { notes?.tables ?? [] }

    /// The SQL text.
    public var text: String {
        tail.reduce(into: head) { text, piece in
            switch piece {
            case .text(let piece): text += piece
            case .value, .table: text += "?"
            case .list(_, let count): text += "(?\(String(repeating: ", ?", count: count - 1)))"
            }
        }
    }

    /// The values of the parameters, in order. A table, such as an array, is NULL among them.
    public var parameters: [BindingValue] {
        allParameters.map { parameter in
            if case .value(let value) = parameter { value } else { .null }
        }
    }

    /// The values of the parameters, with tables, in order.
    var allParameters: [SQLParameter] {
        tail.reduce(into: []) { parameters, piece in
            switch piece {
            case .text: break
            case .value(let value): parameters.append(.value(value))
            case .table(let table): parameters.append(.table(table))
            case .list(let list, let count):
                parameters += list.map { .value($0) }
                if let last = list.last { parameters += repeatElement(.value(last), count: count - list.count) }
            }
        }
    }

    /// Whether values were interpolated.
    @usableFromInline var hasValues: Bool { parameterCount > 0 }

    /// Makes SQL from text that is known only when the program runs. Never put input into it.
    public init(raw text: some StringProtocol) {
        self.init(head: String(text))
    }

    init(head: String) {
        self.head = head
        self.tail = []
    }

    /// Joins two pieces of SQL, with nothing between them.
    public static func + (left: SQL, right: SQL) -> SQL {
        var result = left
        result.reserveCapacity(left.tail.count + right.tail.count + 1)
        result += right
        return result
    }

    public static func += (left: inout SQL, right: SQL) {
        left.append(right.head)
        if !right.tail.isEmpty {
            for piece in right.tail { left.tail.append(piece) }
            left.parameterCount += right.parameterCount
        }
        if let notes = right.notes { left.notes = left.notes.map { $0.merged(notes) } ?? notes }
    }

    /// Returns SQL of other pieces, with the failure and the tables of this one.
    func replaced(by head: String, _ tail: [Piece] = []) -> SQL {
        var result = self
        (result.head, result.tail) = (head, tail)
        result.parameterCount = tail.reduce(0) { $0 + $1.parameterCount }
        return result
    }

    /// This SQL with the text before its first value in one piece, for SQL that is made once and run often.
    var joinedHead: SQL {
        var result = self
        result.tail = []
        for piece in tail {
            if case .text(let text) = piece, result.tail.isEmpty {
                result.head += text
            } else {
                result.tail.append(piece)
            }
        }
        return result
    }
}

/// The reason why SQL cannot be run, and the tables that its typed queries read.
private final class Notes: Sendable {
    let failure: (any Error)?
    let tables: [String]

    init(failure: (any Error)?, tables: [String]) {
        self.failure = failure
        self.tables = tables
    }

    func merged(_ other: Notes) -> Notes {
        Notes(failure: failure ?? other.failure, tables: tables + other.tables)
    }
}

extension SQL {
    mutating func append(_ text: String) {
        if text.isEmpty { return }
        if head.isEmpty, tail.isEmpty { head = text } else { tail.append(.text(text)) }
    }

    private static let spaces = Array(" \t\n\u{C}\r".utf8)

    /// Whether the text ends with the operator `IN`.
    var endsWithIN: Bool {
        var end: [UInt8] = []
        for piece in [.text(head)] + tail {
            if case .text(let text) = piece { end += text.utf8 } else { end = [UInt8(ascii: "?")] }
        }
        while let last = end.last, Self.spaces.contains(last) { end.removeLast() }
        guard end.suffix(2).map({ $0 | 0x20 }) == Array("in".utf8) else { return false }
        // Not the end of a name.
        guard let before = end.dropLast(2).last else { return true }
        return (Self.spaces + Array(")\"'`]?".utf8)).contains(before)
    }

    mutating func append(_ value: BindingValue) {
        tail.append(.value(value))
        parameterCount += 1
    }

    /// Appends a list for `IN`, in parentheses, with `count` parameters, at least one for each value.
    mutating func append(list values: [BindingValue], count: Int) {
        if values.isEmpty { return append("()") }
        tail.append(.list(values, count: count))
        parameterCount += count
    }

    mutating func append(_ table: any TableParameter) {
        tail.append(.table(table))
        parameterCount += 1
    }

    /// The parameters that are tables.
    var tableParameters: [any TableParameter] {
        tail.compactMap { piece in
            if case .table(let table) = piece { table } else { nil }
        }
    }

    mutating func reserveCapacity(_ pieces: Int) {
        tail.reserveCapacity(pieces)
    }

    mutating func uses(table: String) {
        add(Notes(failure: nil, tables: [table]))
    }

    package mutating func fail(_ error: any Error) {
        add(Notes(failure: error, tables: []))
    }

    private mutating func add(_ new: Notes) {
        notes = notes.map { $0.merged(new) } ?? new
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

extension [SQL] {
    /// Joins conditions by `AND` or `OR` as a tree of little height: SQLite limits the depth of an expression, and a chain has one level
    /// for each condition.
    package func joinedAsTree(by separator: SQL) -> SQL {
        if count <= 3 { return joined(separator: separator) }
        return [Array(prefix(count / 2)), Array(dropFirst(count / 2))]
            .map { "(\($0.joinedAsTree(by: separator)))" as SQL }.joined(separator: separator)
    }
}

extension SQL: Hashable {
    /// Two `SQL` values are equal when their texts and their parameters are equal. A table is equal only to itself.
    public static func == (left: SQL, right: SQL) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8) && left.parameters == right.parameters
            && left.tableParameters.elementsEqual(right.tableParameters) { $0 === $1 }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(parameters)
    }
}

extension SQL: Settable {}

extension SQL: CustomStringConvertible {
    /// The text, without the values, which are in `parameters`.
    @_documentation(visibility: internal)
    public var description: String { text }
}

extension SQL: CustomDebugStringConvertible {
    /// The SQL with its values in place, as literals: for tests and the debugger. SQL that cannot be written so is the text.
    public var debugDescription: String { withLiterals.text }
}
