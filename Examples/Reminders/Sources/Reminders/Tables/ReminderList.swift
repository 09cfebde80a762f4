import Squall

/// A list of reminders, such as "Home". Its name is unique, whatever its case.
struct ReminderList: TableRecord, Codable, Equatable {
    let id: Int64?
    var name: String

    static let table = Table("lists", ReminderList.init) {
        Column("id", \ReminderList.id, .primaryKey)
        Column("name", \ReminderList.name, .unique, .collate("NOCASE"), .check("name <> ''"))
    }
}
