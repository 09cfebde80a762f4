import Hummingbird
import Squall

extension ReminderDetails: ResponseEncodable {}
extension ReminderPage: ResponseEncodable {}

extension ReminderService {
    func addReminderRoutes(to router: Router<ReminderContext>) {
        router.get("reminders") { request, context in
            let parameters = request.uri.queryParameters
            let filter = ReminderFilter(
                list: parameters.get("list") ?? context.session.value?.list, tag: parameters.get("tag"),
                priority: try parameters.optional("priority", as: Priority.self),
                isDone: try parameters.optional("done", as: Bool.self),
                isOverdue: try parameters.optional("overdue", as: Bool.self) ?? false)
            let cursor = try parameters.optional("after", as: PageCursor.self)
            let size = try parameters.optional("size", as: Int.self) ?? 50
            let now = now()
            return try await read {
                try $0.reminders(filter, after: cursor, size: max(1, min(size, 200)), now: now)
            }
        }
        router.post("reminders") { request, context in
            let new = try await request.decode(as: NewReminder.self, context: context)
            let reminder = try await write { try $0.reminder($0.add(new)) }
            return EditedResponse(status: .created, response: reminder)
        }
        router.get("reminders/:id") { _, context in
            let id = try context.parameters.require("id", as: Int64.self)
            return try await read { try $0.reminder(id) }
        }
        router.patch("reminders/:id") { request, context in
            let id = try context.parameters.require("id", as: Int64.self)
            let change = try await request.decode(as: ReminderChange.self, context: context)
            let now = now()
            return try await write { connection in
                try connection.change(id, by: change, now: now)
                return try connection.reminder(id)
            }
        }
        router.delete("reminders/:id") { _, context in
            let id = try context.parameters.require("id", as: Int64.self)
            let count = try await write { try $0.delete(Reminder.self) { $0.id == id } }
            if count == 0 { throw NotFound("reminder \(id)") }
            return HTTPResponse.Status.noContent
        }
    }
}
