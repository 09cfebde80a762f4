/// A change of a column's type, nullability or other constraints.
package struct ColumnChange: Sendable {
    /// The column with the constraints to add.
    var column: ColumnDefinition
    /// Whether the change sets the type and `NOT NULL` to those of `column`.
    var hasType: Bool
    var dropped: DroppedConstraints
    var filling: SQL?

    /// Returns a column after the change.
    func applied(to old: ColumnDefinition) -> ColumnDefinition {
        typealias Key = ColumnDefinition.Constraint.Key
        var new = old
        if hasType {
            new.type = column.type
            let keepsConflict = dropped != .all && column.notNull?.conflict == nil
            new.notNull = column.notNull.map { keepsConflict ? old.notNull ?? $0 : $0 }
        }
        for key in Key.allCases {
            if let option = key.dropping, dropped.contains(option) { new.remove(key) }
        }
        for key in Key.allCases where key != .notNull || !hasType {
            for constraint in column.constraints(of: key) { new.add(constraint) }
        }
        return new
    }

    var description: String {
        "change \(column.sql.withLiterals.text) \(hasType) \(dropped.rawValue)"
            + (filling.map { " filling \($0.withLiterals.text)" } ?? "")
    }
}
