import Foundation
import Squall

/// A reminder as it is shown: with the name of its list, and its tags.
struct ReminderDetails: Codable, Equatable {
    let id: Int64
    let list: String
    let title: String
    let notes: String
    let due: Date?
    let priority: Priority
    let doneAt: Date?
    let tags: [String]

    init(_ reminder: Reminder, in list: ReminderList?, tags: [Tag]) {
        id = reminder.id ?? 0
        self.list = list?.name ?? ""
        title = reminder.title
        notes = reminder.notes
        due = reminder.due
        priority = reminder.priority
        doneAt = reminder.doneAt
        self.tags = tags.map(\.name)
    }
}

extension Connection {
    /// Runs three queries, whatever the number of reminders: for them, for their lists and for their tags.
    func details(_ query: Query<Columns<Reminder>>) throws -> [ReminderDetails] {
        try all(query, including: Reminder.inList, Reminder.tags.order { $0.name }).map {
            ReminderDetails($0, in: $1, tags: $2)
        }
    }

    func reminder(_ id: Int64) throws -> ReminderDetails {
        guard let reminder = try details(Reminder.where { $0.id == id }).first else { throw NotFound("reminder \(id)") }
        return reminder
    }
}
