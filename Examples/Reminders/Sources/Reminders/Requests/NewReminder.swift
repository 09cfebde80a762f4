import Foundation
import Squall

/// A reminder to add, as the API receives it and as a line of an import has it.
struct NewReminder: Codable {
    var list: String
    var title: String
    var notes: String?
    var due: Date?
    var priority: Priority?
    var tags: [String]?

    func reminder(list: Int64) -> Reminder {
        Reminder(
            id: nil, list: list, title: title, notes: notes ?? "", due: due, priority: priority ?? .normal, doneAt: nil)
    }
}

extension Connection {
    /// Returns the id of the new reminder.
    func add(_ new: NewReminder) throws -> Int64 {
        let id = try insert(new.reminder(list: listID(new.list)))
        try addTags(new.tags ?? [], to: id)
        return id
    }
}
