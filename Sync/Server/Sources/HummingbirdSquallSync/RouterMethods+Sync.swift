import Hummingbird
import SquallSyncHub

extension RouterMethods {
    /// Adds the routes by which devices reach a hub over HTTP: `push`, `pull`, `rows` and `events` below a path.
    ///
    ///     router.addSync("sync", hub: hub) { request, context in
    ///         SyncPrincipal(user: try await authenticate(request))
    ///     }
    ///
    /// `Sync/PROTOCOL.md` describes them. TLS is that of the server. Middleware that changes the bodies of requests must not be before the
    /// routes, because the stream of events ends with the connection of its request.
    ///
    /// - Parameters:
    ///   - path: The path of the hub.
    ///   - hub: The hub.
    ///   - limits: What the server accepts of each principal.
    ///   - principal: Authenticates a request. It throws `HTTPError(.unauthorized)`, or `HTTPError(.forbidden)`.
    @discardableResult
    public func addSync(
        _ path: RouterPath, hub: SyncHub, limits: SyncLimits = SyncLimits(),
        principal: @escaping @Sendable (Request, Context) async throws -> SyncPrincipal
    ) -> Self {
        let routes = SyncRoutes(hub: hub, limits: limits, admission: Admission(limits), principal: principal)
        let group = group(path)
        group.post("push", use: routes.push)
        group.get("pull", use: routes.pull)
        group.post("rows", use: routes.rows)
        group.post("audit", use: routes.audit)
        group.get("events", use: routes.events)
        return self
    }
}
