import ArgumentParser
import Foundation
import Squall

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists open reminders.")

    @OptionGroup var database: DatabaseOption
    @Option(help: "Only this list.") var list: String?
    @Option(help: "Only this tag.") var tag: String?
    @Option(help: "Only this priority.") var priority: Priority?
    @Flag(help: "Only those whose date has passed.") var overdue = false
    @Flag(help: "Those that are done instead.") var done = false

    func run() async throws {
        let filter = ReminderFilter(list: list, tag: tag, priority: priority, isDone: done, isOverdue: overdue)
        try await database.use { database in
            let page = try await database.read { try $0.reminders(filter, size: 100, now: Date()) }
            for reminder in page.reminders { print(reminder.line) }
            if page.next != nil { print("… and more") }
        }
    }
}

extension ReminderDetails {
    /// The reminder as a line of text.
    var line: String {
        let parts = [
            "\(id) [\(list)] \(title)", due.map { "due \($0.formatted(.iso8601))" },
            priority == .normal ? nil : "(\(priority))",
        ]
        return (parts.compactMap(\.self) + tags.map { "#\($0)" }).joined(separator: " ")
    }
}
