import Squall

/// Squeal's example: a schema in two versions.
private let appSchema = Schema("contacts") {
    // Version 1:
    Version(1) {
        // Create a table:
        CreateTable("contacts") {
            ColumnDef("id", Int64.self, .primaryKey)
            ColumnDef("name", String?.self)
            ColumnDef("email", String.self)
        }
        // Add an index:
        CreateIndex("contacts_email", on: "contacts", "email")
    }
    // Version 2:
    Version(2) {
        // Arbitrary SQL:
        Execute { try $0.delete(from: "contacts", where: "name IS NULL") }
        // Tables can be altered in many ways.
        AlterTable("contacts") {
            ChangeColumn("name", to: String.self)
            AddColumn("url", String?.self)
            AddColumn("slug", String.self, fillingWith: "lower(name)")
        }
    }
}

func contactsInTwoVersions() throws {
    print("Squeal: versions of a schema")
    let connection = try Connection("contacts.db")

    // A file of the first version, with rows.
    try appSchema.migrate(connection, to: 1)
    try connection.insert(into: "contacts", ["name": "Amelia Grey", "email": "amelia@gastrobot.xyz"])
    try connection.insert(into: "contacts", ["name": nil, "email": "nobody@gastrobot.xyz"])

    // Print the SQL that would run:
    for sql in try appSchema.dryRun(connection) where !sql.text.contains("squall_versions") { print("  \(sql)") }

    // Migrate to the latest version:
    let didMigrate = try appSchema.migrate(connection)
    print("migrated: \(didMigrate), again: \(try appSchema.migrate(connection))")

    // Get the database version:
    print("version \(try connection.userVersion)")
    try connection.forEach("SELECT * FROM contacts") { print($0) }

    // Reset the database:
    try appSchema.migrate(connection, to: 0)
    print("version \(try connection.userVersion), tables: \(try connection.tableNames())")
}
