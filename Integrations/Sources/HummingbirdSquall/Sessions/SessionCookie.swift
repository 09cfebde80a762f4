import Hummingbird

/// The settings of the cookie that has the identifier of a session, and with it, those of the session.
///
/// The cookie is always `HttpOnly`, and is sent to the host that has set it only.
public struct SessionCookie: Sendable {
    /// The name of the cookie.
    public var name: String
    /// The time for which a session lives after it was stored, and the `Max-Age` of the cookie.
    public var lifetime: Duration
    /// The path of the requests that have the cookie.
    public var path: String
    /// Whether the cookie is sent by HTTPS only. Set it to `false` to develop without TLS.
    public var isSecure: Bool
    /// The requests of other sites that have the cookie. `none` makes the cookie secure.
    public var sameSite: Cookie.SameSite

    public init(
        name: String = "SESSION_ID", lifetime: Duration = .seconds(12 * 60 * 60), path: String = "/",
        isSecure: Bool = true, sameSite: Cookie.SameSite = .lax
    ) {
        self.name = name
        self.lifetime = lifetime
        self.path = path
        self.isSecure = isSecure
        self.sameSite = sameSite
    }
}

extension SessionCookie {
    /// Returns the cookie of a session.
    ///
    /// - Throws: `Cookie.ValidationError` for a name that a cookie cannot have.
    func cookie(_ id: SessionID) throws -> Cookie {
        try cookie(id.text, maxAge: lifetime.wholeSeconds)
    }

    /// The cookie by which a browser forgets the session.
    func expiredCookie() throws -> Cookie {
        try cookie("", maxAge: 0)
    }

    private func cookie(_ value: String, maxAge: Int) throws -> Cookie {
        try Cookie.validated(
            name: name, value: value, maxAge: maxAge, path: path, secure: isSecure || sameSite == .none,
            httpOnly: true, sameSite: sameSite)
    }
}

extension Duration {
    /// The seconds, rounded up; 0 for a negative duration.
    fileprivate var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        return Int(clamping: seconds == .max || attoseconds == 0 ? seconds : seconds + 1)
    }
}
