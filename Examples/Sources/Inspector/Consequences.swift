import Squall

/// The effects of deleting a row of a table on the rows that refer to it.
struct Consequences {
    var deleted: [String] = []
    var changed: [String] = []
    var blocked: [String] = []

    /// Follows the foreign keys to a table, and those to the tables whose rows are deleted with it.
    init(ofDeletingFrom name: String, in schema: SchemaDefinition) {
        var parents = [name]
        while let parent = parents.popLast() {
            for table in schema.tables {
                for column in table.columns {
                    for reference in column.references where reference.table == parent {
                        let place = "\(table.name).\(column.name)"
                        if follow(reference, from: place), !deleted.contains(table.name), table.name != name {
                            deleted.append(table.name)
                            parents.append(table.name)
                        }
                    }
                }
            }
        }
    }

    /// - Returns: Whether the referring row is deleted too.
    private mutating func follow(_ reference: ForeignKeyReference, from place: String) -> Bool {
        let action: ForeignKeyReference.Action = reference.onDelete ?? .noAction
        switch action {
        case .cascade: return true
        case .setNull, .setDefault: changed.append(place)
        case .restrict: blocked.append("\(place) at once")
        case .noAction: blocked.append("\(place) \(moment(of: reference.deferral))")
        }
        return false
    }

    /// Returns the time at which SQLite refuses a row without its parent.
    private func moment(of deferral: ForeignKeyReference.Deferral?) -> String {
        switch deferral {
        case .initiallyDeferred: "at the end of the transaction"
        case .initiallyImmediate, .notDeferrable, nil: "at the end of the statement"
        }
    }
}

func printConsequences(in schema: SchemaDefinition) {
    print("If a row is deleted:")
    for table in schema.tables {
        let consequences = Consequences(ofDeletingFrom: table.name, in: schema)
        let parts = [
            ("deletes", consequences.deleted), ("changes", consequences.changed), ("waits for", consequences.blocked),
        ]
        let text = parts.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
        print("  \(table.name): \(text.isEmpty ? "nothing else" : text.joined(separator: "; "))")
    }
    let fixedKeys = schema.tables.flatMap { table in
        table.columns.flatMap(\.references).filter { $0.onUpdate == .restrict }.map(\.table)
    }
    print("  The keys of \(fixedKeys.joined(separator: ", ")) cannot change while they are used")
}
