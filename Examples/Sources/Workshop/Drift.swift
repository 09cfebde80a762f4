import Squall

/// A test for a program with both a history and declared tables: one may have been changed without the other.
func findDrift() throws {
    let declared = [
        TableDefinition(
            name: "cars",
            columns: [
                ColumnDefinition(name: "plate", type: "TEXT", primaryKey: .init(), notNull: .init()),
                ColumnDefinition(name: "owner", type: "TEXT", notNull: .init()),
                ColumnDefinition(name: "fee", type: "INTEGER", notNull: .init(), defaultValue: "40"),
                ColumnDefinition(name: "created", type: "REAL"),
                ColumnDefinition(name: "changed", type: "REAL"),
            ],
            constraints: [TableConstraint(.unique(["plate", "owner"]))]
        )
    ]
    let drift: SchemaDrift = try garage.drift(from: declared)
    print("Drift: \(drift.isEmpty ? "none" : "the history lacks")")
    for change in drift.changes { print("  \(change)") }
}
