extension Schema {
    /// Runs all versions in memory, and finds all that is wrong with them: steps about tables, columns and indexes that do
    /// not exist, triggers and views that are broken, foreign keys to nothing.
    ///
    ///     try schema.verify { try $0.addFunction("slug", directOnly: false) { (name: String) in slug(name) } }
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the database that the schema is for.
    ///   - preparation: Is called with the connection before the first version, to add the functions and collations that
    ///     the versions use: the preparation of the database that the schema is for.
    /// - Throws: ``SchemaError/invalid(_:)`` with a line for each problem; what `preparation` throws.
    public func verify(
        configuration: Configuration = .recommended, preparation: (Connection) throws -> Void = { _ in }
    ) throws {
        try checkNumbers()
        let connection = try Self.scratch(configuration, preparation)
        try connection.run("PRAGMA foreign_keys = OFF")
        var reasons: [String] = []
        for version in versions {
            let editor = SchemaEditor(connection)
            for action in version.actions {
                do {
                    try connection.savepoint(named: "squall_verify") { try editor.perform(action) }
                } catch {
                    reasons.append("version \(version.number), \(action.title): \(Self.message(of: error))")
                }
            }
            do {
                editor.hasRemoved = true
                try connection.transaction { try editor.check(against: SchemaFaults(), withForeignKeys: true) }
            } catch {
                reasons.append("version \(version.number): \(Self.message(of: error))")
            }
        }
        reasons += try connection.schemaDefinition().danglingReferences
        guard reasons.isEmpty else { throw SchemaError.invalid(reasons) }
    }

    private static func message(of error: any Error) -> String {
        (error as? SQLiteError)?.message ?? "\(error)"
    }

    /// Finds what tables have that the history does not lead to: the steps that are missing in it. The versions are run in
    /// memory.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the database that the schema is for.
    ///   - preparation: Is called with the connection before the first version, to add the functions and collations that
    ///     the versions use.
    /// - Throws: ``SQLiteError``, ``SchemaError``, and what a closure throws, when the versions cannot be run.
    public func drift(
        from tables: [TableDefinition], configuration: Configuration = .recommended,
        preparation: (Connection) throws -> Void = { _ in }
    ) throws -> SchemaDrift {
        let connection = try Self.scratch(configuration, preparation)
        if latestVersion > 0 { try migrate(connection) }
        return SchemaDrift(changes: try connection.plan(toMatch: tables).changes)
    }

    private static func scratch(
        _ configuration: Configuration, _ preparation: (Connection) throws -> Void
    ) throws -> Connection {
        let connection = try Connection(":memory:", configuration: configuration)
        try preparation(connection)
        return connection
    }
}
