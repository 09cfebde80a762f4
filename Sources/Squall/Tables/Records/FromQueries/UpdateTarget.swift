/// The columns of the table that an update with another table sets.
///
/// A column can be set and used in expressions. Columns of the other table can only be used in expressions.
@dynamicMemberLookup
public struct UpdateTarget<Record>: Sendable {
    let columns: Columns<Record>

    @_documentation(visibility: internal)
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> AssignableColumn<Record, Value> {
        AssignableColumn(expression: columns[keyPath])
    }

    @_documentation(visibility: internal)
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Expr<Value> { columns[keyPath] }

    /// The column of a nested property: `$0[\.address.city]`.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value>) -> AssignableColumn<Record, Value> {
        AssignableColumn(expression: columns[keyPath])
    }
}

/// A column that an update with another table can set.
public struct AssignableColumn<Record, Value>: Sendable {
    let expression: Expr<Value>

    /// `"updated" = datetime()`
    public func set(sql: SQL) -> TargetAssignment<Record> {
        TargetAssignment(assignment: expression.set(sql: sql))
    }
}

extension AssignableColumn where Value: StatementParameter {
    /// `"name" = ?`; `"name" = NULL` for `nil`
    public func set(to value: Value) -> TargetAssignment<Record> {
        TargetAssignment(assignment: expression.set(to: value))
    }

    /// `"name" = "customers"."name"`. A column that is stored in another form makes the update throw.
    public func set<Other: StatementParameter>(to other: Expr<Other>) -> TargetAssignment<Record>
    where Other.ColumnBase == Value.ColumnBase {
        TargetAssignment(assignment: expression.set(to: other))
    }
}

/// An assignment to a column of the table that an update sets: `order.name.set(to: customer.name)`.
public struct TargetAssignment<Record>: Sendable {
    let assignment: Assignment
}
