import Squall

/// A migrator of SQift, for files that SQift has migrated.
func migrateLikeSQift() throws {
    let connection = try Connection(":memory:")
    for migrator in [1, 3].map({ Migrator(connection: connection, desiredSchemaVersion: $0) }) {
        let missing = migrator.desiredSchemaVersion - migrator.currentSchemaVersion
        print("A migrator of SQift, versions to run: \(missing)")
        try migrator.runMigrationsIfNecessary(migrationSQLForSchemaVersion: { version in
            "CREATE TABLE \(name: "version_\(version)")(a)"
        })
    }
    print("  tables: \(try connection.tableNames().filter { $0.hasPrefix("version") }.joined(separator: ", "))")
}
