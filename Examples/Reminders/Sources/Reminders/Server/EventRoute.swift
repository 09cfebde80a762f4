import Foundation
import Hummingbird
import ServiceLifecycle
import Squall

extension ReminderService {
    /// Sends the open reminders of a list as server-sent events: one now, and one after each change of them.
    func addEventRoute(to router: Router<ReminderContext>) {
        router.get("lists/:id/events") { request, context in
            let id = try context.parameters.require("id", as: Int64.self)
            guard try await read({ try $0.find(ReminderList.self, id) }) != nil else { throw NotFound("list \(id)") }
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
                body: ResponseBody { writer in
                    try await request.body.consumeWithCancellationOnInboundClose { _ in
                        try await sendEvents(ofList: id, to: &writer)
                    }
                    try await writer.finish(nil)
                })
        }
    }

    /// Returns when the list is deleted, and when the server shuts down.
    private func sendEvents(ofList id: Int64, to writer: inout any ResponseBodyWriter) async throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        do {
            for try await reminders in database.openReminders(ofList: id).cancelOnGracefulShutdown() {
                let json = String(decoding: try encoder.encode(reminders), as: UTF8.self)
                try await writer.write(ByteBuffer(string: "data: \(json)\n\n"))
            }
        } catch is NotFound {}
    }
}
