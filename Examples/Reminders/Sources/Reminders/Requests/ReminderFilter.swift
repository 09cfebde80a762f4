import Foundation
import Squall

/// Conditions for reminders. Those that are nil are left out of the SQL.
struct ReminderFilter {
    var list: String?
    var tag: String?
    var priority: Priority?
    var isDone: Bool?
    var isOverdue = false

    func query(now: Date) -> Query<Columns<Reminder>> {
        var query = Reminder.order { ($0.due.ascending.nullsLast, $0.id) }
        if let list {
            query = query.where { reminder in
                ReminderList.where { $0.id == reminder.list && $0.name == list }.exists
            }
        }
        if let tag {
            query = query.where { reminder in
                ReminderTag.join(ReminderTag.ofTag).where { $0.reminder == reminder.id && $1.name == tag }.exists
            }
        }
        if let priority { query = query.where { $0.priority == priority } }
        if let isDone { query = query.where { isDone ? $0.doneAt != nil : $0.doneAt == nil } }
        if isOverdue { query = query.where { $0.due < now && $0.doneAt == nil } }
        return query
    }
}
