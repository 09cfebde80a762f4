/// An assignment to a column in an update: `$0.hits.set(to: $0.hits + 1)`.
public struct Assignment: Sendable {
    let sql: SQL

    init(_ column: SQL, _ value: SQL) {
        sql = column + " = " + value
    }
}

extension Expr where Value: StatementParameter {
    /// `"name" = ?`, in an update; `"name" = NULL` for `nil`
    public func set(to value: Value) -> Assignment {
        Assignment(assigned, (value as? any Bindable).map { bind($0) } ?? "NULL")
    }

    /// `"age" = "users"."age" + ?`, in an update. A column that is stored in another form makes the update throw.
    public func set<Other: StatementParameter>(to expression: Expr<Other>) -> Assignment
    where Other.ColumnBase == Value.ColumnBase {
        var value = expression.sql
        value.check(storedForm, fits: expression.storedForm)
        return Assignment(assigned, value)
    }
}

extension Expr {
    /// `"updated" = datetime()`, in an update
    public func set(sql: SQL) -> Assignment { Assignment(assigned, sql) }

    /// The name of the column without its table, as an assignment requires.
    private var assigned: SQL {
        if case .column(let name) = kind { return "\(name: name)" }
        var sql = sql
        sql.fail(SQLiteError.misuse(.notAColumn(sql: sql.text)))
        return sql
    }
}
