import Hummingbird
import Logging
import Squall

extension RouterMethods {
    /// Adds a route that reports whether a server can use its database, for a load balancer or an orchestrator.
    ///
    ///     router.addReadiness(of: database)
    ///     router.addReadiness(of: database, at: "/ready", checksWrites: true) {
    ///         try await mailServer.ping()
    ///     }
    ///
    /// The answer is 200 and `{"status":"ready"}`, or 503, `Retry-After: 1` and `{"status":"unavailable"}`. The
    /// reason is only in the log of the request, as a warning.
    ///
    /// The route reads the schema with a reader: `SELECT count(*) FROM sqlite_master`. It is not ready when the
    /// database is closed, suspended or cannot be read before the deadline, and when its file has been moved or
    /// replaced, which a reader notices within a second. In WAL mode, a long write does not delay the route.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - path: The path of the route.
    ///   - deadline: The maximum duration of each access to the database, including waits.
    ///   - checksWrites: Whether to check also that a write can begin: `BEGIN IMMEDIATE`, `COMMIT`. The route then
    ///     waits for the writes before it, and is not ready while another process has locked the database.
    ///   - check: Checks something else after the database; the route is not ready when it throws. It has no deadline.
    @discardableResult
    public func addReadiness(
        of database: Database, at path: RouterPath = "/ready", deadline: Duration = .seconds(1),
        checksWrites: Bool = false, check: @escaping @Sendable () async throws -> Void = {}
    ) -> Self {
        get(path) { _, context in
            do {
                try await database.read(deadline: deadline) { connection in
                    let _: Int = try connection.query("SELECT count(*) FROM sqlite_master")
                }
                if checksWrites { try await database.write(deadline: deadline, isolated: true) { _ in } }
                try await check()
                return Readiness.ready
            } catch {
                context.logger.warning("The server is not ready", metadata: ["error": "\(error)"])
                return Readiness.unavailable
            }
        }
    }
}
