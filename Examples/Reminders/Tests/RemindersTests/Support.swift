import Foundation
import HummingbirdSquall
import Squall
import SquallTesting
import Testing

@testable import Reminders

/// The clock of the tests stands still.
let noon = Date(timeIntervalSince1970: 1_800_000_000)

extension Trait where Self == DatabaseTrait {
    /// A database for each test, with three reminders.
    static func reminders(_ configuration: Configuration = .recommended) -> Self {
        .database(.file, migratedBy: remindersSchema, configuration: configuration, clockAt: noon) { connection in
            try connection.insert(contentsOf: [ReminderList(id: 1, name: "Home"), ReminderList(id: 2, name: "Work")])
            _ = try connection.add(NewReminder(list: "Home", title: "Buy milk", due: noon - 60, tags: ["shop"]))
            _ = try connection.add(
                NewReminder(list: "Home", title: "Water the plants", notes: "The fern needs much milk!"))
            _ = try connection.add(
                NewReminder(
                    list: "Work", title: "Write the report", due: noon + 60, priority: .high,
                    tags: ["desk", "urgent"]))
        }
    }
}

extension Configuration {
    /// Does not wait for locks.
    static let impatient: Self = {
        var configuration = Configuration.recommended
        configuration.busyTimeout = .zero
        return configuration
    }()
}
