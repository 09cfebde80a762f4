extension Schema {
    /// Runs the next version that the database of a session lacks, in the transaction of the session: for a store whose
    /// database is on another machine.
    ///
    /// The SQL is found on a copy of the schema without rows, in memory. Foreign keys must be off while a version runs that
    /// rebuilds or drops a table, and on as usual for any other. They cannot change in a transaction. So the store calls this
    /// until it is finished, each time in another transaction:
    ///
    ///     var turnsOff = false
    ///     while true {
    ///         switch try await transaction(foreignKeysOff: turnsOff, {
    ///             try await schema.migrateNextVersion($0, withForeignKeysOff: turnsOff)
    ///         }) {
    ///         case .finished: return
    ///         case .ran(version: _): break
    ///         case .needsForeignKeys(let off): turnsOff = off
    ///         }
    ///     }
    ///
    /// - Parameters:
    ///   - session: The session. Its connection is not used again after an error.
    ///   - isOff: Whether the store has turned foreign keys off before the transaction.
    /// - Throws: ``SchemaError``: as ``migrate(_:to:options:waiting:progress:)-(Connection,_,_,_,_)``, and for a step with a closure
    ///   in any version, before anything is run; ``SQLiteError``; what the session throws.
    public nonisolated(nonsending) func migrateNextVersion(
        _ session: SQLSession, withForeignKeysOff isOff: Bool
    ) async throws -> MigrationStep {
        try checkHasNoClosures()
        let copy = try await SchemaCopy(of: session)
        guard let version = try copy.nextVersion(of: self) else { return .finished }
        guard isOff == version.needsForeignKeysOff else { return .needsForeignKeys(off: !isOff) }
        let violations = isOff ? try await session.foreignKeyViolations() : []
        for sql in try copy.statements(of: self, to: version) where !sql.text.hasPrefix("--") {
            try await session.execute(sql)
        }
        if isOff { try Self.check(try await session.foreignKeyViolations(), against: violations) }
        return .ran(version: version.number)
    }

    private func checkHasNoClosures() throws {
        let refused = versions.flatMap { version in
            version.actions.filter(\.isClosure).map {
                "version \(version.number), \($0.title): a closure cannot run where the database is on another machine"
            }
        }
        guard refused.isEmpty else { throw SchemaError.invalid(refused) }
    }

    private static func check(_ violations: [ForeignKeyViolation], against earlier: [ForeignKeyViolation]) throws {
        let known = Set(earlier)
        let found = violations.filter { !known.contains($0) }
        guard let first = found.first else { return }
        let list = found.filter { $0.table == first.table && $0.parent == first.parent }
        throw SchemaError.foreignKeysViolated(list, table: first.table, parent: first.parent)
    }
}

/// The result of ``Schema/migrateNextVersion(_:withForeignKeysOff:)``.
public enum MigrationStep: Equatable, Sendable {
    /// The database has the latest version. Nothing was run.
    case finished
    /// A version was run.
    case ran(version: Int)
    /// The next version needs a transaction that began with foreign keys off, or as usual. Nothing was run.
    case needsForeignKeys(off: Bool)
}

extension SchemaAction {
    fileprivate var isClosure: Bool { if case .closure = self { true } else { false } }
}

extension SQLSession {
    fileprivate nonisolated(nonsending) func foreignKeyViolations() async throws -> [ForeignKeyViolation] {
        try await query("PRAGMA foreign_key_check", as: ForeignKeyViolation.self) {
            ForeignKeyViolation(
                table: try $0.get(0), rowID: try $0.get(1), parent: try $0.get(2), constraintIndex: try $0.get(3))
        }
    }
}
