import Foundation
import Squall

extension SyncEngine {
    /// Makes the log of the database, or opens it again, records its commits from then on, and reaches its hub over HTTP.
    ///
    ///     let sync = try await SyncEngine(database, hub: URL(string: "https://example.org/sync")!, credentials: { try await token() }) {
    ///         SyncTable("lists")
    ///         SyncTable("items")
    ///     }
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - hub: The address of the hub.
    ///   - version: The version of the tables: that of the last migration with `SyncLog.migrate`.
    ///   - credentials: Returns the token for a request.
    ///   - tables: The tables that take part.
    /// - Throws: `SQLiteError`, with a ``SyncSetupProblem``; as `SyncLog.follow`.
    public init(
        _ database: Database, hub: URL, version: Int = 0, credentials: @escaping @Sendable () async throws -> String,
        @ListBuilder<SyncTable> tables: @Sendable () -> [SyncTable]
    ) async throws {
        try await self.init(
            database, transport: HTTPSyncTransport(hub, credentials: credentials), version: version, tables: tables)
    }
}
