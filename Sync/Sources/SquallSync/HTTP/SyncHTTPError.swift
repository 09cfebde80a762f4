import Foundation

/// The reason why an answer over HTTP is not that of a hub. A device tries again after each of them.
public enum SyncHTTPError: Error, Hashable, Sendable {
    /// The server has answered with another status, such as 401 for a token that is not valid, with the beginning of its body, and with the
    /// time after which it may be asked again.
    case status(Int, body: String, retryAfter: Duration?)
    /// The hub has other versions of the protocol than 1.
    case versions([Int])
    /// The server has answered with a redirect, which is not followed: the token is sent to no other address.
    case redirect(to: String)
    /// The answer is not that of a hub, but, for instance, a page of a proxy, which begins so.
    case notHub(body: String)
    /// The answer is larger than this number of bytes.
    case tooLarge(limit: Int)
    /// The stream of events is not one of this protocol.
    case malformedEvents
    /// The stream of events has sent nothing for this time, not even what keeps it open.
    case silence(Duration)
    /// The token has characters that a header cannot have.
    case malformedToken

    /// The time after which the server may be asked again, if it has stated one.
    public var retryAfter: Duration? {
        guard case .status(_, _, let duration) = self else { return nil }
        return duration
    }
}

extension SyncHTTPError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .status(401, _, _): "The hub does not accept the token (401)."
        case .status(403, _, _): "The hub does not allow this (403)."
        case .status(413, _, _): "The changes are larger than the hub accepts at once (413)."
        case .status(429, _, _): "The hub has got too many requests (429)."
        case .status(let code, let body, _): "The server has answered with the status \(code): \(body)"
        case .versions(let versions): "The hub has the versions \(versions) of the protocol, and this device 1."
        case .redirect(let address): "The server redirects to \(address), which is not followed."
        case .notHub(let body): "The answer is not that of a hub: \(body)"
        case .tooLarge(let limit): "The answer is larger than \(limit) bytes."
        case .malformedEvents: "The stream of events is malformed."
        case .silence(let duration): "The hub has sent nothing for \(duration)."
        case .malformedToken: "The token has characters that a header cannot have."
        }
    }

    public var errorDescription: String? { description }
}
