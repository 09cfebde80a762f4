/// `CREATE UNIQUE INDEX "contacts_email" ON "contacts"("email") WHERE …`
public struct CreateIndex: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(
        _ name: String, on table: String, _ columns: IndexedColumn..., unique: Bool = false, where condition: SQL? = nil
    ) {
        let index = IndexDefinition(name: name, table: table, columns: columns, isUnique: unique, condition: condition)
        action = .createIndex(index)
    }
}

/// `DROP INDEX "contacts_email"`
public struct DropIndex: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(_ name: String) {
        action = .dropIndex(name)
    }
}

/// Renames an index, by dropping it and creating it again.
public struct RenameIndex: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(_ name: String, to newName: String) {
        action = .renameIndex(name, to: newName)
    }
}
