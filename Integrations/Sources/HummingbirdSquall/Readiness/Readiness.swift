import Hummingbird

/// The response of a readiness route.
enum Readiness: String, ResponseGenerator {
    case ready, unavailable

    func response(from request: Request, context: some RequestContext) -> Response {
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"]
        if self == .unavailable { headers[.retryAfter] = "1" }
        return Response(
            status: self == .ready ? .ok : .serviceUnavailable, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: "{\"status\":\"\(rawValue)\"}")))
    }
}
