import Foundation
import Squall

/// Values to change of a reminder. A key that is absent leaves the value as it is; `"due": null` removes the date.
struct ReminderChange: Decodable {
    var list: String?
    var title: String?
    var notes: String?
    var due: Date??
    var priority: Priority?
    var isDone: Bool?
    var tags: [String]?

    init(isDone: Bool) { self.isDone = isDone }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        list = try values.decodeIfPresent(String.self, forKey: .list)
        title = try values.decodeIfPresent(String.self, forKey: .title)
        notes = try values.decodeIfPresent(String.self, forKey: .notes)
        due = values.contains(.due) ? .some(try values.decode(Date?.self, forKey: .due)) : nil
        priority = try values.decodeIfPresent(Priority.self, forKey: .priority)
        isDone = try values.decodeIfPresent(Bool.self, forKey: .isDone)
        tags = try values.decodeIfPresent([String].self, forKey: .tags)
    }

    private enum CodingKeys: String, CodingKey { case list, title, notes, due, priority, isDone = "done", tags }
}

extension Connection {
    func change(_ id: Int64, by change: ReminderChange, now: Date) throws {
        guard let old = try find(Reminder.self, id) else { throw NotFound("reminder \(id)") }
        var new = old
        if let list = change.list { new.list = try listID(list) }
        if let title = change.title { new.title = title }
        if let notes = change.notes { new.notes = notes }
        if let due = change.due { new.due = due }
        if let priority = change.priority { new.priority = priority }
        if let isDone = change.isDone { new.doneAt = isDone ? old.doneAt ?? now : nil }
        try update(new, changedFrom: old)
        if let tags = change.tags {
            try delete(ReminderTag.self) { $0.reminder == id }
            try addTags(tags, to: id)
        }
    }
}
