/// `CREATE UNIQUE INDEX "contacts_email" ON "contacts"("email") WHERE …`
public struct CreateIndex: SchemaStep {
    public let action: SchemaAction

    public init(
        _ name: String, on table: String, _ columns: IndexedColumn..., unique: Bool = false, where condition: SQL? = nil
    ) {
        let index = IndexDefinition(name: name, table: table, columns: columns, isUnique: unique, condition: condition)
        action = SchemaAction(.createIndex(index))
    }
}

/// `DROP INDEX "contacts_email"`
public struct DropIndex: SchemaStep {
    public let action: SchemaAction

    public init(_ name: String) {
        action = SchemaAction(.dropIndex(name))
    }
}

/// Drops an index, and makes it again under another name.
public struct RenameIndex: SchemaStep {
    public let action: SchemaAction

    public init(_ name: String, to newName: String) {
        action = SchemaAction(.renameIndex(name, to: newName))
    }
}
