import Foundation
import HTTPTypes
import Hummingbird
import SquallSync

extension HTTPField.Name {
    static let squallSync = header("Squall-Sync")
    static let squallMore = header("Squall-More")
    static let squallBegins = header("Squall-Begins")
    static let squallKnown = header("Squall-Known")
    /// By which nginx is told to pass events on at once.
    static let buffering = header("X-Accel-Buffering")

    private static func header(_ name: String) -> Self {
        guard let header = Self(name) else { preconditionFailure("\(name) is not the name of a header") }
        return header
    }
}

extension Response {
    /// An answer in JSON, with the version of the protocol.
    static func json(
        _ status: HTTPResponse.Status, _ value: some Encodable, retryAfter: Duration? = nil
    ) throws -> Response {
        var headers = HTTPFields.sync("application/json")
        if let retryAfter { headers[.retryAfter] = "\(max(1, Int((retryAfter / .seconds(1)).rounded(.up))))" }
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(value))))
    }

    /// An answer in bytes. The permit of the request is held until they are sent.
    static func bytes(
        _ data: Data, _ permit: Admission.Permit, patience: Duration, _ headers: HTTPFields = [:]
    ) -> Response {
        Response(
            status: .ok, headers: .sync("application/octet-stream") + headers,
            body: ResponseBody(contentLength: data.count) { writer in
                let output = PatientWriter(writer, patience: patience)
                for start in stride(from: 0, to: data.count, by: PatientWriter.mostBytes) {
                    let part = data.dropFirst(start).prefix(PatientWriter.mostBytes)
                    if start >= PatientWriter.unpacedBytes { try await Task.sleep(for: .milliseconds(1)) }
                    try await output.write(ByteBuffer(bytes: part))
                }
                try await writer.finish(nil)
                withExtendedLifetime(permit) {}
            })
    }
}

extension HTTPFields {
    static func sync(_ type: String) -> HTTPFields {
        [.squallSync: "1", .contentType: type, .cacheControl: "no-store"]
    }

    static func + (fields: HTTPFields, others: HTTPFields) -> HTTPFields {
        var fields = fields
        for field in others { fields.append(field) }
        return fields
    }
}

/// Writes the parts of an answer, each within a time.
///
/// Sendable, because the parts are written one after another.
struct PatientWriter: @unchecked Sendable {
    /// The number of bytes of a part.
    static let mostBytes = 65_536

    /// The number of bytes after which there is a pause before each part: a write returns before the event loop has found whether the
    /// connection takes more. Without pauses, SwiftNIO had 14 MB in memory for a client that read nothing.
    static let unpacedBytes = 4 * mostBytes

    /// The client has not taken a part in time.
    struct SlowClient: Error {}

    private let writer: any ResponseBodyWriter
    private let patience: Duration

    init(_ writer: any ResponseBodyWriter, patience: Duration) {
        self.writer = writer
        self.patience = patience
    }

    func write(_ buffer: ByteBuffer) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var writer = self.writer
                try await writer.write(buffer)
            }
            group.addTask {
                try await Task.sleep(for: patience)
                throw SlowClient()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
