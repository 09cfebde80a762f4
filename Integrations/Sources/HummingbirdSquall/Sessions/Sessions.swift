import Hummingbird

/// Sessions of a web server in any persist driver of Hummingbird.
///
///     let sessions = Sessions(of: User.self, storage: persist)
///     router.add(middleware: SessionsMiddleware(sessions))
///
/// The identifier of a session has 256 random bits, and is only in its cookie and in its key, `session.` and the name
/// of the cookie before it. A cookie that has no identifier, or that of a session which is unknown, has expired or is
/// of another type, is treated as no cookie.
///
/// ``SessionsMiddleware`` is enough for most servers. These are the functions that it uses.
public struct Sessions<Session: Codable & Sendable>: Sendable {
    /// The settings of the cookie and the lifetime of sessions.
    public let cookie: SessionCookie
    private let storage: any PersistDriver

    /// - Parameters:
    ///   - type: The type of the value that a session has.
    ///   - storage: The driver that stores the sessions. Other values can be in it too.
    ///   - cookie: The settings of the cookie and the lifetime of sessions.
    public init(
        of type: Session.Type = Session.self, storage: any PersistDriver, cookie: SessionCookie = SessionCookie()
    ) {
        self.storage = storage
        self.cookie = cookie
    }

    /// Returns the session of a request; `nil` if it has none.
    ///
    /// - Throws: The errors of the driver, except for a value of another type.
    public func load(for request: Request) async throws -> Session? {
        guard let id = id(of: request) else { return nil }
        return try await value(of: key(id))
    }

    /// Stores a new session.
    ///
    /// - Returns: The cookie for the response.
    /// - Throws: `Cookie.ValidationError` for a name that a cookie cannot have, and the errors of the driver.
    public func create(_ session: Session) async throws -> Cookie {
        let id = SessionID.random()
        let cookie = try cookie.cookie(id)
        try await storage.create(key: key(id), value: session, expires: self.cookie.lifetime)
        return cookie
    }

    /// Stores a new value for the session of a request, which lives for another lifetime.
    ///
    /// A session that has expired, or that another request has deleted, stays deleted: with ``SquallPersistDriver``,
    /// the check and the write are one statement.
    ///
    /// - Returns: The cookie for the response; `nil` if the request has no session.
    /// - Throws: `Cookie.ValidationError` for a name that a cookie cannot have, and the errors of the driver.
    public func update(_ session: Session, for request: Request) async throws -> Cookie? {
        guard let id = id(of: request) else { return nil }
        let cookie = try cookie.cookie(id)
        return try await replace(key(id), with: session) ? cookie : nil
    }

    /// Stores a value as a new session, and deletes the session of the request. Use it after a login, so that an
    /// identifier which an attacker knew before is worth nothing.
    ///
    /// - Returns: The cookie for the response.
    /// - Throws: `Cookie.ValidationError` for a name that a cookie cannot have, and the errors of the driver. The
    ///   session of the request then still has its value.
    public func renew(_ session: Session, for request: Request) async throws -> Cookie {
        let cookie = try await create(session)
        if let id = id(of: request) { try await storage.remove(key: key(id)) }
        return cookie
    }

    /// Deletes the session of a request, if it has one.
    ///
    /// - Returns: The cookie for the response, by which the browser deletes its own.
    /// - Throws: `Cookie.ValidationError` for a name that a cookie cannot have, and the errors of the driver.
    public func delete(for request: Request) async throws -> Cookie {
        if let id = id(of: request) { try await storage.remove(key: key(id)) }
        return try cookie.expiredCookie()
    }

    private func id(of request: Request) -> SessionID? {
        request.cookies[cookie.name].flatMap { SessionID($0.value) }
    }

    private func key(_ id: SessionID) -> String { "session.\(cookie.name).\(id.text)" }

    /// A value of another type is that of an earlier version of the server.
    private func value(of key: String) async throws -> Session? {
        do {
            return try await storage.get(key: key, as: Session.self)
        } catch let error as PersistError where error == .invalidConversion {
            return nil
        }
    }

    private func replace(_ key: String, with session: Session) async throws -> Bool {
        if let storage = storage as? SquallPersistDriver {
            return try await storage.replace(key: key, value: session, expires: cookie.lifetime)
        }
        guard try await value(of: key) != nil else { return false }
        try await storage.set(key: key, value: session, expires: cookie.lifetime)
        return true
    }
}
