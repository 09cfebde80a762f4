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

/// `CREATE VIEW "adults" AS SELECT …`
public struct CreateView: SchemaStep {
    public let action: SchemaAction

    /// - Parameter select: Values that are interpolated are written as literals.
    public init(_ name: String, as select: SQL) {
        action = SchemaAction(.createView(name, select))
    }
}

/// `DROP VIEW "adults"`
public struct DropView: SchemaStep {
    public let action: SchemaAction

    public init(_ name: String) {
        action = SchemaAction(.dropView(name))
    }
}

/// `CREATE TRIGGER "log" AFTER INSERT ON "contacts" BEGIN …; END`
///
///     CreateTrigger("log", "AFTER INSERT ON contacts BEGIN INSERT INTO log VALUES(new.name); END")
public struct CreateTrigger: SchemaStep {
    public let action: SchemaAction

    /// - Parameter clause: What follows the name. Values that are interpolated are written as literals.
    public init(_ name: String, _ clause: SQL) {
        action = SchemaAction(.createTrigger(name, clause))
    }
}

/// `DROP TRIGGER "log"`
public struct DropTrigger: SchemaStep {
    public let action: SchemaAction

    public init(_ name: String) {
        action = SchemaAction(.dropTrigger(name))
    }
}

/// Runs SQL, or a closure with the connection, in the transaction of the version.
///
///     Execute("UPDATE contacts SET name = trim(name)")
///     Execute { try $0.delete(from: "contacts", where: "name IS NULL") }
///
/// In a version that rebuilds or drops a table, foreign keys are off while it runs: deleting a row does not delete those that
/// refer to it, and the version throws when there are any. A closure is not part of the checksum of its version.
public struct Execute: SchemaStep {
    public let action: SchemaAction

    /// A script.
    public init(_ sql: SQL) {
        action = SchemaAction(.sql(sql))
    }

    public init(_ body: @escaping @Sendable (Connection) throws -> Void) {
        action = SchemaAction(.closure(body))
    }
}
