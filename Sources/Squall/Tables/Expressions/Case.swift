/// A `CASE` with the branches so far: `Expr.when($0.age < 13, then: "child").when($0.age < 18, then: "young").else("adult")`.
///
/// `else` or ``orNull`` makes it an expression.
public struct Case<Value: ColumnStorable> {
    fileprivate enum Outcome {
        case value(Value)
        case expression(Expr<Value>)
    }

    private var branches: [(condition: Condition, result: Outcome)]

    fileprivate init(_ condition: Condition, _ result: Outcome) {
        branches = [(condition, result)]
    }

    /// `WHEN a THEN ?`
    public func when(_ condition: Condition, then value: Value) -> Case { adding(condition, .value(value)) }

    /// `WHEN a THEN b`
    public func when(_ condition: Condition, then expression: Expr<Value>) -> Case {
        adding(condition, .expression(expression))
    }

    /// `ELSE ? END`
    public func `else`(_ value: Value) -> Expr<Value> { end(.value(value)) }

    /// `ELSE a END`
    public func `else`(_ expression: Expr<Value>) -> Expr<Value> { end(.expression(expression)) }

    /// `END`, which is NULL where no condition is true.
    public var orNull: Expr<Value.ColumnBase?> { end(nil) }

    private func adding(_ condition: Condition, _ result: Outcome) -> Case {
        var copy = self
        copy.branches.append((condition, result))
        return copy
    }

    /// All results must be stored in one form, in which the values are bound.
    fileprivate func end<Type>(_ last: Outcome?) -> Expr<Type> {
        let expressions = (branches.map(\.result) + [last]).compactMap { result -> Expr<Value>? in
            if case .expression(let expression) = result { expression } else { nil }
        }
        let known = expressions.first { $0.storedForm != .unknown }
        var sql: SQL = "CASE"
        for branch in branches {
            sql += " WHEN \(branch.condition.sql) THEN \(Self.sql(of: branch.result, known))"
        }
        if let last { sql += " ELSE \(Self.sql(of: last, known))" }
        sql += " END"
        if let known { for expression in expressions { sql.check(known.storedForm, fits: expression.storedForm) } }
        return Expr<Type>(atom: sql, form: known?.form)
    }

    private static func sql(of result: Outcome, _ known: Expr<Value>?) -> SQL {
        switch result {
        case .value(let value): (known ?? Expr("NULL")).bind(anyOf: value)
        case .expression(let expression): expression.sql
        }
    }
}

extension Expr where Value: ColumnStorable {
    /// `CASE WHEN a THEN ?`, to which further branches are added.
    public static func when(_ condition: Condition, then value: Value) -> Case<Value> {
        Case(condition, .value(value))
    }

    /// `CASE WHEN a THEN b`, to which further branches are added.
    public static func when(_ condition: Condition, then expression: Expr) -> Case<Value> {
        Case(condition, .expression(expression))
    }
}
