import Foundation
import Squall

struct Reminder: TableRecord, Equatable {
    let id: Int64?
    var list: Int64
    var title: String
    var notes: String
    var due: Date?
    var priority: Priority
    var doneAt: Date?

    static let inList = Relation(\Reminder.list, to: \ReminderList.id)
    static let tags = Relation(\Reminder.id, through: \ReminderTag.reminder, \ReminderTag.tag, to: \Tag.id)

    static let table = Table(
        "reminders", Reminder.init, .foreignKey(inList),
        .index("reminders_list", on: "list", "due"),
        .index("reminders_done_at", on: "done_at")
    ) {
        Column("id", \Reminder.id, .primaryKey)
        Column("list", \Reminder.list)
        Column("title", \Reminder.title, .check("title <> ''"))
        Column("notes", \Reminder.notes)
        Column("due", \Reminder.due)
        Column("priority", \Reminder.priority, .check("priority IN ('low', 'normal', 'high')"))
        Column("done_at", \Reminder.doneAt)
    }
}

/// Stored by its raw value, as TEXT.
enum Priority: String, Binding, Codable, CaseIterable {
    case low, normal, high
}
