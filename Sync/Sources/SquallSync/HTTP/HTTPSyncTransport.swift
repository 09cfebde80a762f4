import Foundation
import SquallChanges

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The way to a hub over HTTP.
///
///     let transport = HTTPSyncTransport(URL(string: "https://example.org/sync")!) { try await token() }
///
/// `Sync/PROTOCOL.md` describes the requests. The token is sent in the header `Authorization` only, and to the address of the hub only.
public final class HTTPSyncTransport: SyncTransport {
    static let version = "1"

    let hub: URL
    private let credentials: @Sendable () async throws -> String
    private let byteLimit: Int
    private let silence: Duration
    private let session: URLSession
    private let parts = HTTPParts()

    /// - Parameters:
    ///   - hub: The address of the hub, to which its routes are added: `https://example.org/sync`.
    ///   - configuration: The configuration of the session, such as its proxies. Cookies and caches are not used.
    ///   - byteLimit: The number of bytes that an answer may have.
    ///   - silence: The time without a byte after which the stream of events counts as lost. The hub sends something twice a minute.
    ///   - credentials: Returns the token for a request, `Authorization: Bearer …`.
    public init(
        _ hub: URL, configuration: URLSessionConfiguration = .ephemeral, byteLimit: Int = 64_000_000,
        silence: Duration = .seconds(60), credentials: @escaping @Sendable () async throws -> String
    ) {
        self.hub = hub
        self.credentials = credentials
        self.byteLimit = byteLimit
        self.silence = silence
        let own = (configuration.copy() as? URLSessionConfiguration) ?? configuration
        own.httpCookieStorage = nil
        own.urlCache = nil
        own.urlCredentialStorage = nil
        session = URLSession(configuration: own, delegate: parts, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    public func push(_ batch: SyncBatch) async throws -> SyncCursor {
        let answer = try await answer(to: request("push", [], body: batch.data), of: "application/json")
        guard let cursor = try? JSONDecoder().decode(SyncCursor.self, from: answer.body) else {
            throw SyncHTTPError.notHub(body: answer.body.excerpt)
        }
        return cursor
    }

    public func pull(_ request: SyncPullRequest) async throws -> SyncPage {
        var query = [("origin", request.origin), ("version", "\(request.version)"), ("bytes", "\(request.byteLimit)")]
        if let cursor = request.cursor { query.append(("since", cursor.text)) }
        let answer = try await answer(to: self.request("pull", query), of: Self.binary)
        return SyncPage(
            batch: try SyncBatch(answer.body), hasMore: answer.head.value(forHTTPHeaderField: "Squall-More") == "1",
            begins: answer.head.value(forHTTPHeaderField: "Squall-Begins") == "1",
            known: answer.head.value(forHTTPHeaderField: "Squall-Known").flatMap { Int64($0) } ?? 0)
    }

    public func audit(_ request: SyncAuditRequest) async throws -> Int? {
        let body = try JSONEncoder().encode(request)
        let answer = try await answer(to: self.request("audit", [], body: body), of: "application/json")
        guard let difference = try? JSONDecoder().decode([String: Int?].self, from: answer.body)["difference"] else {
            throw SyncHTTPError.notHub(body: answer.body.excerpt)
        }
        return difference
    }

    public func rows(_ request: SyncRowsRequest) async throws -> SyncRows {
        let query = [
            ("origin", request.origin), ("version", "\(request.version)"), ("at", request.cursor.text),
            ("table", request.table), ("bytes", "\(request.byteLimit)"),
        ]
        let answer = try await answer(to: self.request("rows", query, body: request.key ?? Data()), of: Self.binary)
        return try SyncRows(answer.body)
    }

    public func events() -> AsyncThrowingStream<SyncCursor, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    try await self.readEvents { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func readEvents(_ body: (SyncCursor) -> Void) async throws {
        var request = try await request("events", [])
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        // Each byte begins the time again.
        request.timeoutInterval = silence / .seconds(1)
        var parser = EventParser()
        do {
            try await read(request, of: "text/event-stream") { bytes in
                for event in try parser.events(in: bytes) where event.name == "changes" {
                    guard let cursor = SyncCursor(text: event.id) else { throw SyncHTTPError.malformedEvents }
                    body(cursor)
                }
            }
        } catch let error as URLError where error.code == .timedOut {
            throw SyncHTTPError.silence(silence)
        }
    }

    // MARK: - Requests

    private static let binary = "application/octet-stream"

    private func request(_ route: String, _ query: [(name: String, value: String)], body: Data? = nil) async throws
        -> URLRequest
    {
        let token = try await credentials()
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw SyncHTTPError.malformedToken
        }
        var components = URLComponents(url: hub.appending(path: route), resolvingAgainstBaseURL: true)
        components?.percentEncodedQueryItems =
            query.isEmpty ? nil : query.map { URLQueryItem(name: $0.name, value: $0.value.percentEncoded) }
        guard let url = components?.url else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.httpShouldHandleCookies = false
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        request.setValue(Self.version, forHTTPHeaderField: "Squall-Sync")
        if let body {
            request.httpMethod = "POST"
            request.httpBody = body
            request.setValue(Self.binary, forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    private func answer(to request: URLRequest, of type: String) async throws -> (head: HTTPURLResponse, body: Data) {
        var body = Data()
        let head = try await read(request, of: type) { bytes in
            if body.count + bytes.count > byteLimit { throw SyncHTTPError.tooLarge(limit: byteLimit) }
            body.append(bytes)
        }
        return (head, body)
    }

    /// Calls a closure with the bytes of an answer as they arrive, if they are those of a hub. Otherwise it throws when they have ended.
    @discardableResult
    private func read(
        _ request: URLRequest, of type: String, _ body: (Data) throws -> Void
    ) async throws -> HTTPURLResponse {
        var answer: HTTPURLResponse?
        var isOfHub = false
        var other = Data()
        do {
            let task = session.dataTask(with: request)
            answer: for try await part in parts.start(task, limit: byteLimit) {
                switch part {
                case .head(let head):
                    answer = head
                    isOfHub = head.statusCode == 200 && head.isOfHub(type)
                case .body(let bytes) where isOfHub:
                    try body(bytes)
                    parts.didRead(bytes.count, of: task)
                case .body(let bytes):
                    other.append(bytes.prefix(SyncHTTPError.mostBytes - other.count))
                    if other.count == SyncHTTPError.mostBytes { break answer }
                }
            }
        } catch {
            try Task.checkCancellation()
            throw error
        }
        // A stream ends without an error when its task is cancelled.
        try Task.checkCancellation()
        guard let answer else { throw URLError(.badServerResponse) }
        if isOfHub { return answer }
        throw answer.error(other)
    }
}
