import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub

/// The answers of a hub to requests over HTTP.
struct SyncRoutes<Context: RequestContext>: Sendable {
    let hub: SyncHub
    let limits: SyncLimits
    let admission: Admission
    let principal: @Sendable (Request, Context) async throws -> SyncPrincipal

    /// A request that is malformed.
    private struct Malformed: Error { let message: String }

    private struct Message: Encodable { let error: String }

    private struct Versions: Encodable { let supported: [Int] }

    func push(_ request: Request, _ context: Context) async throws -> Response {
        try await answer(request, context) { principal, _ in
            let body = try await body(of: request)
            return try .json(.ok, try await hub.push(batch(body), by: principal))
        }
    }

    func pull(_ request: Request, _ context: Context) async throws -> Response {
        try await answer(request, context) { principal, permit in
            let query = Query(request)
            let page = try await hub.pull(
                SyncPullRequest(
                    origin: query.origin(), version: query.number("version"), cursor: query.position("since"),
                    byteLimit: query.number("bytes")),
                by: principal)
            return .bytes(
                page.batch.data, permit, patience: limits.patience,
                [
                    .squallMore: page.hasMore ? "1" : "0", .squallBegins: page.begins ? "1" : "0",
                    .squallKnown: "\(page.known)",
                ])
        }
    }

    func rows(_ request: Request, _ context: Context) async throws -> Response {
        try await answer(request, context) { principal, permit in
            let query = Query(request)
            guard let cursor = try query.position("at") else { throw Malformed(message: "at is missing") }
            let key = try await body(of: request)
            let rows = try await hub.rows(
                SyncRowsRequest(
                    origin: query.origin(), version: query.number("version"), cursor: cursor,
                    table: query.text("table"), key: key.isEmpty ? nil : key, byteLimit: query.number("bytes")),
                by: principal)
            return .bytes(rows.data, permit, patience: limits.patience)
        }
    }

    func audit(_ request: Request, _ context: Context) async throws -> Response {
        try await answer(request, context) { principal, _ in
            let body = try await body(of: request)
            guard let question = try? JSONDecoder().decode(SyncAuditRequest.self, from: body) else {
                throw Malformed(message: "the body is malformed")
            }
            return try .json(.ok, ["difference": try await hub.audit(question, by: principal)])
        }
    }

    func events(_ request: Request, _ context: Context) async throws -> Response {
        try await answer(request, context, kind: .eventStream) { principal, permit in
            Response(
                status: .ok, headers: .sync("text/event-stream") + [.buffering: "no"],
                body: ResponseBody { writer in
                    try await request.body.consumeWithCancellationOnInboundClose { _ in
                        try await EventStream(hub.events(for: principal), limits).write(to: writer)
                    }
                    try await writer.finish(nil)
                    withExtendedLifetime(permit) {}
                })
        }
    }

    // MARK: - Requests

    private func body(of request: Request) async throws -> Data {
        let buffer = try await request.body.collect(upTo: limits.bodyBytes)
        return Data(buffer.readableBytesView)
    }

    /// Damaged bytes are refused, as the hub refuses a batch that does not fit.
    private func batch(_ data: Data) throws -> SyncBatch {
        do {
            return try SyncBatch(data)
        } catch let error as SQLiteError {
            throw SyncRefusal.batch(error.message)
        }
    }

    private struct Query {
        private let values: [Substring: Substring]

        init(_ request: Request) {
            let parameters = request.uri.queryParameters.map { ($0.key, $0.value) }
            values = [Substring: Substring](parameters) { first, _ in first }
        }

        func text(_ name: String) throws -> String {
            guard let value = values[name[...]], !value.utf8.contains(0) else {
                throw Malformed(message: "\(name) is missing")
            }
            return String(value)
        }

        /// A name that a device chooses, and that the hub stores.
        func origin() throws -> String {
            let origin = try text("origin")
            guard (1...255).contains(origin.utf8.count) else { throw Malformed(message: "origin is malformed") }
            return origin
        }

        func number(_ name: String) throws -> Int {
            guard let number = Int(try text(name)) else { throw Malformed(message: "\(name) is not a number") }
            return number
        }

        func position(_ name: String) throws -> SyncCursor? {
            guard let text = values[name[...]] else { return nil }
            guard let cursor = SyncCursor(text: String(text)) else {
                throw Malformed(message: "\(name) is not a position")
            }
            return cursor
        }
    }

    // MARK: - Answers

    private func answer(
        _ request: Request, _ context: Context, kind: AdmissionCounts.Kind = .request,
        _ body: (SyncPrincipal, Admission.Permit) async throws -> Response
    ) async throws -> Response {
        let principal = try await principal(request, context)
        do {
            guard request.headers[.squallSync] == "1" else { return try .json(.badRequest, Versions(supported: [1])) }
            return try await body(principal, admission.admit(principal.user, kind))
        } catch let refusal as SyncRefusal {
            return try .json(.conflict, refusal)
        } catch let error as Malformed {
            return try .json(.badRequest, Message(error: error.message))
        } catch let error as Admission.Refused {
            return try .json(.tooManyRequests, Message(error: "too many requests"), retryAfter: error.retryAfter)
        } catch let error as SQLiteError {
            // The device has nothing to do with it, and tries again.
            context.logger.error("The hub cannot answer", metadata: ["error": "\(error)"])
            return try .json(.serviceUnavailable, Message(error: "unavailable"), retryAfter: .seconds(5))
        }
    }
}
