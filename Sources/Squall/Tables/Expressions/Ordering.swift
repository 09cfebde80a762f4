/// A term of the order of a query: `$0.name.ascending`, `$0.age.descending.nullsLast`. A literal is SQL.
public struct Ordering: Sendable, ExpressibleByStringInterpolation {
    enum Kind: Sendable {
        case term(OrderTerm)
        /// SQL of the program.
        case raw(SQL)
    }

    let kind: Kind

    public var sql: SQL {
        var sql: SQL = ""
        append(to: &sql)
        return sql
    }

    func append(to sql: inout SQL) {
        switch kind {
        case .term(let term): term.append(to: &sql)
        case .raw(let raw): sql += raw
        }
    }

    /// The term, unless it is SQL of the program.
    var term: OrderTerm? {
        if case .term(let term) = kind { term } else { nil }
    }

    /// SQL as a term of the order.
    public init(_ sql: SQL) {
        kind = .raw(sql)
    }

    init(_ term: OrderTerm) {
        kind = .term(term)
    }

    @_documentation(visibility: internal)
    public init(stringLiteral text: String) {
        self.init(SQL(stringLiteral: text))
    }

    @_documentation(visibility: internal)
    public init(stringInterpolation: SQL.StringInterpolation) {
        self.init(SQL(stringInterpolation: stringInterpolation))
    }

    /// `… NULLS FIRST`
    public var nullsFirst: Ordering { with(.first) }

    /// `… NULLS LAST`
    public var nullsLast: Ordering { with(.last) }

    private func with(_ nulls: OrderTerm.Nulls) -> Ordering {
        guard var term else {
            var sql = sql
            sql.append(nulls.words)
            return Ordering(sql)
        }
        term.nulls = nulls
        return Ordering(term)
    }
}

/// An expression as a term of an order.
struct OrderTerm: Sendable {
    enum Nulls: Sendable {
        case first, last

        fileprivate var words: String { self == .first ? " NULLS FIRST" : " NULLS LAST" }
    }

    let expression: SQL
    let isDescending: Bool
    /// The type of the expression; `nil` for a column that is never NULL.
    let valueType: Any.Type?
    /// The place of NULL, where the program has chosen it.
    var nulls: Nulls?

    var isNullable: Bool { valueType is any OptionalValue.Type }

    /// Whether NULL is before all values. SQLite treats it as smaller than any value.
    var hasNullsFirst: Bool { nulls.map { $0 == .first } ?? !isDescending }

    fileprivate func append(to sql: inout SQL) {
        sql += expression
        sql.append(isDescending ? " DESC" : " ASC")
        if let nulls { sql.append(nulls.words) }
    }
}

extension Expr where Value: StatementParameter {
    /// `a ASC`
    public var ascending: Ordering { ordering(isOrdered: Value.isOrderedInSQL, isDescending: false) }

    /// `a DESC`
    public var descending: Ordering { ordering(isOrdered: Value.isOrderedInSQL, isDescending: true) }
}

// A column with a form can have any type.
extension Expr {
    /// `a ASC`, of the stored values
    public var ascending: Ordering { ordering(isOrdered: true, isDescending: false) }

    /// `a DESC`, of the stored values
    public var descending: Ordering { ordering(isOrdered: true, isDescending: true) }

    /// `a ASC`, of an expression whose type is not known when the program is compiled
    var ascendingIfOrdered: Ordering {
        let isOrdered = (Value.self as? any StatementParameter.Type)?.isOrderedInSQL ?? true
        return ordering(isOrdered: isOrdered, isDescending: false)
    }

    /// Returns a term of an order. It throws for a type that SQLite does not order, unless a ``StorageForm`` stores it.
    private func ordering(isOrdered: Bool, isDescending: Bool) -> Ordering {
        let sql = isOrdered || form != nil ? operand : failing(operand)
        let type: Any.Type? = isNeverNull ? nil : Value.self
        return Ordering(OrderTerm(expression: sql, isDescending: isDescending, valueType: type))
    }
}

// The terms of an order: `{ $0.name }`, `{ ($0.name, $0.age.descending) }`, or one on each line.

/// A term of an order in a tuple: an ``Ordering``, or an ``Expr``, which is ascending.
public protocol OrderingConvertible: Sendable {
    @_documentation(visibility: internal)
    var ordering: Ordering { get }
}

extension Ordering: OrderingConvertible {
    @_documentation(visibility: internal)
    public var ordering: Ordering { self }
}

extension Expr: OrderingConvertible {
    @_documentation(visibility: internal)
    public var ordering: Ordering { ascendingIfOrdered }
}

extension ListBuilder where Element == Ordering {
    /// `a ASC`, or `a ASC, b DESC, …`
    public static func buildExpression<each Term: OrderingConvertible>(_ terms: (repeat each Term)) -> [Ordering] {
        var orderings: [Ordering] = []
        repeat orderings.append((each terms).ordering)
        return orderings
    }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "order by expressions, as `$0.name` or `$0.age.descending`, one on each line")
    @_disfavoredOverload
    public static func buildExpression<Other>(_ other: Other) -> [Ordering] { [] }
}
