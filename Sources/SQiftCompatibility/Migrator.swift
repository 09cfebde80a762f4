extension Migrator {
    /// Runs the SQL of every version that the file does not have yet. Takes the SQL from a `String`.
    ///
    /// - Throws: ``SQLiteError``. The failed version is rolled back; earlier versions are kept.
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
