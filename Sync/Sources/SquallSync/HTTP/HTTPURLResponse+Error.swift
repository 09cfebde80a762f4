import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension SyncHTTPError {
    /// The number of bytes that are read of an answer that is not what was asked for.
    static let mostBytes = 16_384

    /// A server that asks for a longer pause is asked again after this one.
    fileprivate static let longestPause = 3600
}

extension HTTPURLResponse {
    /// Whether this is the answer of a hub, of a type of content.
    func isOfHub(_ type: String) -> Bool {
        let content = value(forHTTPHeaderField: "Content-Type")?.split(separator: ";").first
        return value(forHTTPHeaderField: "Squall-Sync") == HTTPSyncTransport.version
            && content?.trimmingCharacters(in: .whitespaces).lowercased() == type
    }

    /// The error of an answer that is not what was asked for: a ``SyncRefusal`` or a ``SyncHTTPError``.
    func error(_ body: Data) -> any Error {
        struct Versions: Decodable { let supported: [Int] }
        let isOfHub = isOfHub("application/json")
        switch statusCode {
        case 200: return SyncHTTPError.notHub(body: body.excerpt)
        case 301, 302, 303, 307, 308:
            return SyncHTTPError.redirect(to: value(forHTTPHeaderField: "Location") ?? "")
        case 409 where isOfHub:
            if let refusal = try? JSONDecoder().decode(SyncRefusal.self, from: body) { return refusal }
        case 400 where isOfHub:
            if let versions = try? JSONDecoder().decode(Versions.self, from: body) {
                return SyncHTTPError.versions(versions.supported)
            }
        default: break
        }
        return SyncHTTPError.status(statusCode, body: body.excerpt, retryAfter: retryAfter)
    }

    private var retryAfter: Duration? {
        value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
            .map { .seconds(min(max(0, $0), SyncHTTPError.longestPause)) }
    }
}

extension Data {
    /// The beginning of a text, for messages.
    var excerpt: String {
        let text = String(decoding: prefix(200), as: UTF8.self)
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 ? " " : $0 }))
    }
}
