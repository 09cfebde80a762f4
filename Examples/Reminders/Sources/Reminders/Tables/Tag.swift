import Squall

struct Tag: TableRecord, Equatable {
    let id: Int64?
    let name: String

    static let table = Table("tags", Tag.init) {
        Column("id", \Tag.id, .primaryKey)
        Column("name", \Tag.name, .unique, .collate("NOCASE"))
    }
}

/// A pair of a reminder and a tag: many reminders have many tags.
struct ReminderTag: TableRecord, Equatable {
    let reminder: Int64
    let tag: Int64

    static let ofReminder = Relation(\ReminderTag.reminder, to: \Reminder.id)
    static let ofTag = Relation(\ReminderTag.tag, to: \Tag.id)

    static let table = Table(
        "reminder_tags", ReminderTag.init, .withoutRowID,
        .foreignKey(ofReminder, onDelete: .cascade), .foreignKey(ofTag, onDelete: .cascade),
        .index("reminder_tags_tag", on: "tag")
    ) {
        Column("reminder", \ReminderTag.reminder, .primaryKey)
        Column("tag", \ReminderTag.tag, .primaryKey)
    }
}
