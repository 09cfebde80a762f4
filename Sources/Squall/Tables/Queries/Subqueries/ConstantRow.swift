/// A row of values, as a query without a table: the start of a recursion, or a part of a compound query.
@_documentation(visibility: internal)
public struct ConstantRow<each Column: Selectable>: Selection {
    @_documentation(visibility: internal)
    public let rows: ResultColumns<repeat each Column>

    public typealias Output = (repeat (each Column).Output)

    @_documentation(visibility: internal)
    public var select: Select<(repeat (each Column).Output)> {
        let reader = rows.selectedReader
        return Select("SELECT " + reader.columnSQL.joined(separator: ", "), reader, .simple)
    }
}

extension SQL {
    /// Returns a row of values as a query: `SELECT ?, ?`.
    ///
    ///     SQL.row(1, "Oslo")          // SELECT 1, 'Oslo', as (Int, String)
    public static func row<Value1: ColumnStorable, Value2: ColumnStorable, each Value: ColumnStorable>(
        _ value1: Value1, _ value2: Value2, _ value: repeat each Value
    ) -> ConstantRow<Expr<Value1>, Expr<Value2>, repeat Expr<each Value>> {
        ConstantRow(
            rows: ResultColumns(
                Expr<Value1>(bound: value1), Expr<Value2>(bound: value2), repeat Expr<each Value>(bound: each value)))
    }

    /// Returns a row of one value as a query: `SELECT ?`.
    public static func row<Value: ColumnStorable>(_ value: Value) -> ConstantRow<Expr<Value>> {
        ConstantRow(rows: ResultColumns(Expr<Value>(bound: value)))
    }
}

extension Expr where Value: StatementParameter {
    /// A bound value.
    fileprivate init(bound value: Value) {
        if let value = value as? any Bindable {
            self.init(atom: "\(value)")
        } else {
            self.init(atom: "NULL")
        }
    }
}
