extension Migrator {
    /// Runs the SQL of every version that the file has not had. Takes the SQL from a `String`.
    ///
    /// - Throws: ``SQLiteError``. The version that failed is rolled back, the earlier ones stay.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: return a SQL from the closure")
    @discardableResult
    public func runMigrationsIfNecessary(
        migrationSQLForSchemaVersion: (UInt64) -> String,
        willMigrateToSchemaVersion: ((UInt64) -> Void)? = nil,
        didMigrateToSchemaVersion: ((UInt64) -> Void)? = nil
    ) throws -> UInt64 {
        try runMigrationsIfNecessary(
            migrationSQLForSchemaVersion: { version -> SQL in SQL(raw: migrationSQLForSchemaVersion(version)) },
            willMigrateToSchemaVersion: willMigrateToSchemaVersion,
            didMigrateToSchemaVersion: didMigrateToSchemaVersion
        )
    }
}
