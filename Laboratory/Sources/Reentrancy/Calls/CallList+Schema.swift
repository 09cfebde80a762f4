import Squall

extension CallList {
    /// Calls that bring a file to a schema.
    mutating func addSchemaCalls() {
        begin("SchemaPlan")
        plan("apply(allowing:)") { try $0.apply(allowing: .tables) }
        plan("changes") { _ = $0.changes }
        plan("description") { _ = $0.description }
        plan("dryRun(allowing:)") { _ = try $0.dryRun(allowing: .tables) }
        plan("isEmpty") { _ = $0.isEmpty }
        plan("losses") { _ = $0.losses }
        plan("outcomes") { _ = $0.outcomes }
        begin("Schema")
        connection("migrate(_:to:options:waiting:progress:)") {
            try Content.schema.migrate($0, waiting: .milliseconds(50))
        }
        database("migrate(_:to:options:waiting:progress:)") { database, _ in
            try Content.schema.migrate(database, waiting: .milliseconds(50))
        }
        connection("dryRun(_:to:options:waiting:)") {
            _ = try Content.schema.dryRun($0, waiting: .milliseconds(50))
        }
        connection("status(of:)") { _ = try Content.schema.status(of: $0) }
        begin("Migrator")
        migrator("currentSchemaVersion") { _ = $0.currentSchemaVersion }
        migrator("desiredSchemaVersion") { _ = $0.desiredSchemaVersion }
        migrator("migrationRequired") { _ = $0.migrationRequired }
        migrator("version()") { _ = try $0.version() }
        connection("init(connection:desiredSchemaVersion:)") { _ = Migrator(connection: $0, desiredSchemaVersion: 1) }
        migrator(
            "runMigrationsIfNecessary(migrateDatabaseToSchemaVersion:willMigrateToSchemaVersion:didMigrateToSchemaVersion:)"
        ) { migrator in
            _ = try migrator.runMigrationsIfNecessary(migrateDatabaseToSchemaVersion: { _, connection in
                try connection.execute("CREATE TABLE migrated(id)")
            })
        }
        migrator(
            "runMigrationsIfNecessary(migrationSQLForSchemaVersion:willMigrateToSchemaVersion:didMigrateToSchemaVersion:)"
        ) { migrator in
            _ = try migrator.runMigrationsIfNecessary(migrationSQLForSchemaVersion: { _ in
                "CREATE TABLE migrated(id)"
            })
        }
    }

    private mutating func plan(_ name: String, _ body: @escaping @Sendable (SchemaPlan) throws -> Void) {
        object(name) {
            try $0.plan(toMatch: Item.table, Planned.table)
        } _: {
            try body($0)
        }
    }

    private mutating func migrator(_ name: String, _ body: @escaping @Sendable (Migrator) throws -> Void) {
        object(name) {
            Migrator(connection: $0, desiredSchemaVersion: 1)
        } _: {
            try body($0)
        }
    }
}
