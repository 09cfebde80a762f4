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
}
