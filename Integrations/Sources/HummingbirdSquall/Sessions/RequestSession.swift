import IntegrationSupport

/// The session of a request, which its handler reads and changes. ``SessionsMiddleware`` loads it before the handler,
/// and stores it when the handler has returned.
///
///     router.post("login") { request, context in
///         …
///         context.session.renew(User(name: "Ada"))
///         return HTTPResponse.Status.noContent
///     }
///
/// All copies of a request context share it. Changes that are made while the body of a response is sent are not stored.
public final class RequestSession<Session: Sendable>: Sendable {
    private let state = Locked(SessionState<Session>())

    /// Makes a request without a session.
    public init() {}

    /// The value of the session; `nil` for a request without one.
    public var value: Session? { state.withLock { $0.value } }

    /// Sets the value of the session, and begins one for a request that has none. The session lives for another
    /// lifetime.
    public func set(_ value: Session) { state.withLock { $0.set(value) } }

    /// Sets the value of the session, and gives it a new identifier. Use it after a login, so that an identifier which
    /// an attacker knew before is worth nothing.
    public func renew(_ value: Session) { state.withLock { $0.renew(value) } }

    /// Ends the session: it is deleted, and so is the cookie.
    public func end() { state.withLock { $0.end() } }

    func load(_ value: Session?) { state.withLock { $0 = SessionState(loaded: value) } }

    var change: SessionState<Session>.Change? { state.withLock { $0.change } }
}
