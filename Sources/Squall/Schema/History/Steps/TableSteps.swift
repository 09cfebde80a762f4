/// `CREATE TABLE "contacts"("id" INTEGER PRIMARY KEY, "name" TEXT)`
///
///     CreateTable("contacts", .strict, .unique("name", "email")) {
///         ColumnDef("id", Int64.self, .primaryKey)
///         ColumnDef("name", String?.self)
///         ColumnDef("email", String.self)
///     }
public struct CreateTable: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(_ name: String, _ options: TableOption..., @ListBuilder<ColumnDef> columns: () -> [ColumnDef]) {
        action = .createTable(TableDefinition(name, columns().map(\.definition), options))
    }

    /// Creates a table from an existing definition.
    public init(_ table: TableDefinition) {
        action = .createTable(table)
    }
}

/// `DROP TABLE "contacts"`, with its indexes and triggers.
///
/// Foreign keys are off in a version with this step. Rows of other tables that refer to the table are not deleted; instead
/// they make the version throw.
public struct DropTable: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(_ name: String) {
        action = .dropTable(name)
    }
}

/// `ALTER TABLE "contacts" RENAME TO "people"`. Triggers, views and foreign keys follow the new name.
public struct RenameTable: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(_ name: String, to newName: String) {
        action = .renameTable(name, to: newName)
    }
}

/// Changes a table and keeps its rows, indexes and triggers.
///
///     AlterTable("contacts") {
///         ChangeColumn("name", to: String.self)  // now NOT NULL
///         AddColumn("url", String?.self)
///         // The SQL is evaluated on the old row.
///         AddColumn("slug", String.self, fillingWith: "lower(name)")
///         DropColumn("email")
///     }
///
/// Columns are added, dropped and renamed by `ALTER TABLE` where SQLite can do it. Other changes rebuild the table, once for
/// consecutive steps. Rows keep their rowids.
public struct AlterTable: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(_ name: String, @ListBuilder<any AlterTableStep> steps: () -> [any AlterTableStep]) {
        let steps = steps()
        let foreign = steps.first { !($0 is any AlterationStep) }
        action =
            foreign.map { .refused("\(type(of: $0))") }
            ?? .alterTable(name, steps.compactMap { ($0 as? any AlterationStep)?.alteration })
    }
}
