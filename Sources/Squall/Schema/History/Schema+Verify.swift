extension Schema {
    /// Runs all versions in memory, and finds all that is wrong with them: steps about tables, columns and indexes that are not
    /// there, triggers and views that are broken, foreign keys to nothing.
    ///
    /// - Throws: ``SchemaError/invalid(_:)`` with a line for each.
    public func verify() throws {
        try checkNumbers()
        let connection = try Connection(":memory:")
        try connection.run("PRAGMA foreign_keys = OFF")
        var reasons: [String] = []
        for version in versions {
            let editor = SchemaEditor(connection)
            for action in version.actions {
                do {
                    try connection.savepoint(named: "squall_verify") { try editor.perform(action.kind) }
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
        guard reasons.isEmpty else { throw SchemaError.invalid(reasons) }
    }

    private static func message(of error: any Error) -> String {
        (error as? SQLiteError)?.message ?? "\(error)"
    }

    /// What tables have that the history does not lead to: the steps that are missing in it. The versions are run in memory.
    ///
    /// - Throws: ``SQLiteError``, ``SchemaError``, and what a closure throws, when the versions cannot be run.
    public func drift(from tables: [TableDefinition]) throws -> SchemaDrift {
        let connection = try Connection(":memory:")
        if latestVersion > 0 { try migrate(connection) }
        return SchemaDrift(changes: try connection.plan(toMatch: tables).changes)
    }
}

/// What is missing in a ``Schema``.
public struct SchemaDrift: Hashable, Sendable, CustomStringConvertible {
    public let changes: [TableChange]

    public var isEmpty: Bool { changes.isEmpty }

    /// The steps for the next version.
    public var description: String { changes.swiftSource }
}
