extension Schema {
    /// Runs all versions in memory, and reports every problem: steps on missing tables, columns or indexes, broken triggers
    /// and views, and foreign keys to missing tables.
    ///
    ///     try schema.verify { connection in
    ///         try connection.addFunction("slug", directOnly: false) { (name: String) in
    ///             slug(name)
    ///         }
    ///     }
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the database that the schema is for.
    ///   - preparation: Called with the connection before the first version, to add the functions and collations that the
    ///     versions use. Pass the preparation of the database that the schema is for.
    /// - Throws: ``SchemaError/invalid(_:)`` with one line for each problem; the error of `preparation`.
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
                try connection.transaction { try editor.check(against: SchemaFaults(), editor.foreignKeys()) }
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

    /// Compares declared tables with the tables that the versions lead to, and returns the missing steps. The versions run
    /// in memory.
    ///
    /// - Parameters:
    ///   - tables: The definitions of the declared tables.
    ///   - configuration: The configuration of the database that the schema is for.
    ///   - preparation: Called with the connection before the first version, to add the functions and collations that the
    ///     versions use.
    /// - Throws: ``SQLiteError``, ``SchemaError``, and the error of a closure, if the versions cannot be run.
    public func drift(
        from tables: [TableDefinition], configuration: Configuration = .recommended,
        preparation: (Connection) throws -> Void = { _ in }
    ) throws -> SchemaDrift {
        try drift(from: tables, configuration: configuration, preparation: preparation) { _ in [] }
    }

    /// - Parameter annexChanges: Returns the changes of what an annex declares, for a connection with the tables of the versions.
    package func drift(
        from tables: [TableDefinition], configuration: Configuration, preparation: (Connection) throws -> Void,
        annexChanges: (Connection) throws -> [any AnnexChange]
    ) throws -> SchemaDrift {
        let connection = try Self.scratch(configuration, preparation)
        if latestVersion > 0 { try migrate(connection) }
        return SchemaDrift(
            changes: try connection.plan(toMatch: tables).changes, annexChanges: try annexChanges(connection))
    }

    private static func scratch(
        _ configuration: Configuration, _ preparation: (Connection) throws -> Void
    ) throws -> Connection {
        let connection = try Connection(":memory:", configuration: configuration.with(nil))
        try preparation(connection)
        return connection
    }
}
