import Squall

extension Schema {
    /// Runs the next version that the database of a store lacks, in the transaction of a connection: for a store whose
    /// database is on another machine.
    ///
    /// SQL of an `Execute` or of a file is run as it is. The SQL of any other step is found on a copy of the schema without
    /// rows, in memory. Foreign keys must be off while a version runs that rebuilds or drops a table, and on as usual for any
    /// other. They cannot change in a transaction. So the store calls this until it is finished, each time in another
    /// transaction:
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
    ///   - connection: The connection, which is not used again after an error.
    ///   - isOff: Whether the store has turned foreign keys off before the transaction.
    /// - Throws: `SchemaError`: as `migrate(_:to:options:waiting:progress:)`, and for a step with a closure
    ///   in any version, before anything is run; `SQLiteError`; what the connection throws.
    public nonisolated(nonsending) func migrateNextVersion(
        _ connection: StoreConnection, withForeignKeysOff isOff: Bool
    ) async throws -> MigrationStep {
        try checkHasNoClosures()
        let copy = try await SchemaCopy(of: connection, withForeignKeysOff: isOff)
        guard let version = try nextVersion(copy.connection) else { return .finished }
        guard isOff == version.needsForeignKeysOff else { return .needsForeignKeys(off: !isOff) }
        var run = StoreVersion(version, of: connection, on: copy, withForeignKeysOff: isOff)
        try await run.perform()
        let history = try SchemaHistory(name, on: run.editor.connection)
        try await run.replay { try history.record(version, of: self, with: $0) }
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
}

/// The result of `Schema.migrateNextVersion(_:withForeignKeysOff:)`.
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
