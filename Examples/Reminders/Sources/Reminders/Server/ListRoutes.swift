import Hummingbird
import Squall

extension ReminderList: ResponseEncodable {}

struct NewList: Decodable { let name: String }

extension ReminderService {
    func addListRoutes(to router: Router<ReminderContext>) {
        router.get("lists") { _, _ in
            try await read { try $0.all(ReminderList.order { $0.name }) }
        }
        router.post("lists") { request, context in
            let new = try await request.decode(as: NewList.self, context: context)
            let list = try await write { try $0.insertReturning(ReminderList(id: nil, name: new.name)) }
            return EditedResponse(status: .created, response: list)
        }
        // A list that has reminders is not deleted: the foreign key refuses it.
        router.delete("lists/:id") { _, context in
            let id = try context.parameters.require("id", as: Int64.self)
            let count = try await write { try $0.delete(ReminderList.self) { $0.id == id } }
            if count == 0 { throw NotFound("list \(id)") }
            return HTTPResponse.Status.noContent
        }
    }
}
