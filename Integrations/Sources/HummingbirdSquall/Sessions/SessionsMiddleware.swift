import Hummingbird

/// A request context with a session.
///
///     struct AppContext: SessionsRequestContext {
///         var coreContext: CoreRequestContextStorage
///         let session = RequestSession<User>()
///
///         init(source: Source) { coreContext = .init(source: source) }
///     }
public protocol SessionsRequestContext<Session>: RequestContext {
    /// The type of the value that a session has.
    associatedtype Session: Codable & Sendable

    /// The session of the request: one object for all copies of the context.
    var session: RequestSession<Session> { get }
}

/// Loads the session of a request before its handler, and stores it after the handler, only if it was changed.
///
///     let router = Router(context: AppContext.self)
///     router.add(middleware: DatabaseErrorMiddleware())
///     router.add(middleware: SessionsMiddleware(Sessions(storage: persist)))
///
/// Nothing is stored when the handler throws. A response that sets the cookie has `Cache-Control: no-store`, unless
/// the handler has set that header, so that no cache gives the cookie to others.
public struct SessionsMiddleware<Context: SessionsRequestContext>: RouterMiddleware {
    private let sessions: Sessions<Context.Session>

    /// - Parameter sessions: The sessions of the requests.
    public init(_ sessions: Sessions<Context.Session>) {
        self.sessions = sessions
    }

    @_documentation(visibility: internal)
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        context.session.load(try await sessions.load(for: request))
        var response = try await next(request, context)
        guard let change = context.session.change, let cookie = try await store(change, for: request) else {
            return response
        }
        response.setCookie(cookie)
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }

    private func store(
        _ change: SessionState<Context.Session>.Change, for request: Request
    ) async throws -> Cookie? {
        switch change {
        case .create(let session): try await sessions.create(session)
        case .update(let session): try await sessions.update(session, for: request)
        case .renew(let session): try await sessions.renew(session, for: request)
        case .delete: try await sessions.delete(for: request)
        }
    }
}
