// Comparisons whose value is on the left: `17 < $0.age`.

extension Expr where Value: StatementParameter {
    /// `? = a`
    public static func == (left: Value.ColumnBase, right: Expr) -> Condition { right.compared(" = ", left) }

    /// `? <> a`
    public static func != (left: Value.ColumnBase, right: Expr) -> Condition { right.compared(" <> ", left) }

    /// `? < a`
    public static func < (left: Value.ColumnBase, right: Expr) -> Condition { right.ordered(" < ", left) }

    /// `? <= a`
    public static func <= (left: Value.ColumnBase, right: Expr) -> Condition { right.ordered(" <= ", left) }

    /// `? > a`
    public static func > (left: Value.ColumnBase, right: Expr) -> Condition { right.ordered(" > ", left) }

    /// `? >= a`
    public static func >= (left: Value.ColumnBase, right: Expr) -> Condition { right.ordered(" >= ", left) }

    private func ordered(_ sign: SQL, _ value: Value.ColumnBase) -> Condition {
        Condition(bind(value) + sign + ordered(operand), .comparison)
    }

    private func compared(_ sign: SQL, _ value: Value.ColumnBase) -> Condition {
        Condition(bind(value) + sign + operand, .comparison)
    }
}
