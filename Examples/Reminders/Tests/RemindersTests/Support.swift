import Foundation
import Squall

@testable import Reminders

/// The clock of the tests stands still.
let noon = Date(timeIntervalSince1970: 1_800_000_000)

extension Database {
    /// A database for one test, with three reminders.
    static func forTest(_ configuration: Configuration = .recommended) async throws -> Database {
        let database = try Database.temporary(configuration: configuration)
        try await database.migrate(remindersSchema)
        try await database.write { connection in
            try connection.insert(contentsOf: [ReminderList(id: 1, name: "Home"), ReminderList(id: 2, name: "Work")])
            _ = try connection.add(NewReminder(list: "Home", title: "Buy milk", due: noon - 60, tags: ["shop"]))
            _ = try connection.add(
                NewReminder(list: "Home", title: "Water the plants", notes: "The fern needs much milk!"))
            _ = try connection.add(
                NewReminder(
                    list: "Work", title: "Write the report", due: noon + 60, priority: .high,
                    tags: ["desk", "urgent"]))
        }
        return database
    }
}
