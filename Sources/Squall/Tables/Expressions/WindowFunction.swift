/// A window function without its window. ``over(partition:order:frame:)`` adds the window, and returns an expression.
///
///     Expr.rowNumber().over(partition: $0.city, order: $0.age.descending)
///     // row_number() OVER (PARTITION BY "users"."city" ORDER BY "users"."age" DESC)
///
/// SQLite computes it after `WHERE`, `GROUP BY` and `HAVING`, so that these clauses cannot contain it.
public struct WindowFunction<Value>: Sendable {
    let sql: SQL
    /// The form in which the result is stored, where it has one.
    let form: AnyStorageForm?

    init(_ sql: SQL, form: AnyStorageForm? = nil) {
        self.sql = sql
        self.form = form
    }

    /// `f() OVER (PARTITION BY a, b ORDER BY c ROWS …)`. Without arguments, the window is all rows.
    public func over<each Term>(
        partition: repeat Expr<each Term>, order: Ordering..., frame: WindowFrame? = nil
    ) -> Expr<Value> {
        var terms: [SQL] = []
        repeat terms.append((each partition).operand)
        return Expr(atom: sql + SQL.over(terms, order, frame), form: form)
    }
}

extension SQL {
    /// Returns the clause ` OVER (PARTITION BY … ORDER BY … frame)`.
    static func over(_ partition: [SQL], _ order: [Ordering], _ frame: WindowFrame?) -> SQL {
        var clauses: [SQL] = []
        if !partition.isEmpty { clauses.append("PARTITION BY " + partition.joined(separator: ", ")) }
        if !order.isEmpty { clauses.append("ORDER BY " + order.map(\.sql).joined(separator: ", ")) }
        if let frame { clauses.append(frame.sql) }
        return " OVER (" + clauses.joined(separator: " ") + ")"
    }
}

extension Expr<Int> {
    /// `row_number()`: the number of the row in its partition, from 1
    public static func rowNumber() -> WindowFunction<Int> { WindowFunction("row_number()") }

    /// `rank()`: the row number of the first peer; rows that are equal in the order have one rank, and a gap follows
    public static func rank() -> WindowFunction<Int> { WindowFunction("rank()") }

    /// `dense_rank()`: the rank without gaps, which is the number of the row's peer group, from 1
    public static func denseRank() -> WindowFunction<Int> { WindowFunction("dense_rank()") }

    /// `ntile(?)`: the number of the row's bucket, from 1; the partition has `count` buckets of nearly equal size
    public static func ntile(_ count: Int) -> WindowFunction<Int> { WindowFunction("ntile(\(count))") }
}

extension Expr<Double> {
    /// `percent_rank()`: `(rank - 1) / (rows - 1)`, from 0 to 1
    public static func percentRank() -> WindowFunction<Double> { WindowFunction("percent_rank()") }

    /// `cume_dist()`: the share of the partition's rows up to the row and its peers
    public static func cumeDist() -> WindowFunction<Double> { WindowFunction("cume_dist()") }
}

extension Expr where Value: StatementParameter {
    /// `lag(a, ?)`: the value in the row that is `distance` rows before; NULL without such a row
    public func lag(_ distance: Int = 1) -> WindowFunction<Value.ColumnBase?> { offset("lag", distance) }

    /// `lag(a, ?, ?)`: the value in the row that is `distance` rows before, also if it is NULL; the default without such a row
    public func lag(_ distance: Int = 1, default value: Value.ColumnBase) -> WindowFunction<Value> {
        offset("lag", distance, value)
    }

    /// `lead(a, ?)`: the value in the row that is `distance` rows after; NULL without such a row
    public func lead(_ distance: Int = 1) -> WindowFunction<Value.ColumnBase?> { offset("lead", distance) }

    /// `lead(a, ?, ?)`: the value in the row that is `distance` rows after, also if it is NULL; the default without such a row
    public func lead(_ distance: Int = 1, default value: Value.ColumnBase) -> WindowFunction<Value> {
        offset("lead", distance, value)
    }

    /// `first_value(a)`: the value in the first row of the frame; NULL for a frame without rows
    public func firstValue() -> WindowFunction<Value.ColumnBase?> { WindowFunction("first_value(\(sql))", form: form) }

    /// `last_value(a)`: the value in the last row of the frame; NULL for a frame without rows
    public func lastValue() -> WindowFunction<Value.ColumnBase?> { WindowFunction("last_value(\(sql))", form: form) }

    /// `nth_value(a, ?)`: the value in the row with this number in the frame, from 1; NULL where there is none
    public func nthValue(_ number: Int) -> WindowFunction<Value.ColumnBase?> {
        WindowFunction("nth_value(\(sql), \(number))", form: form)
    }

    private func offset<Result>(
        _ name: String, _ distance: Int, _ value: Value.ColumnBase? = nil
    ) -> WindowFunction<Result> {
        let fallback: SQL = value.map { ", " + bind($0) } ?? ""
        return WindowFunction("\(raw: name)(\(sql), \(distance)\(fallback))", form: form)
    }
}
