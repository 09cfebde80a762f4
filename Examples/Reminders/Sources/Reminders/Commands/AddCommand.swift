import ArgumentParser
import Foundation
import Squall

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a reminder, and its list if it is new.")

    @OptionGroup var database: DatabaseOption
    @Argument(help: "The title.") var title: String
    @Option(help: "The name of the list.") var list = "Inbox"
    @Option(help: "More text.") var notes: String?
    @Option(help: "A date and time, such as 2026-12-24T18:00:00Z.", transform: { try Date($0, strategy: .iso8601) })
    var due: Date?
    @Option(help: "low, normal or high.") var priority = Priority.normal
    @Option(name: .customLong("tag"), help: "A tag; can be repeated.") var tags: [String] = []

    func run() async throws {
        let new = NewReminder(list: list, title: title, notes: notes, due: due, priority: priority, tags: tags)
        try await database.use { database in
            let id = try await database.write { connection in
                _ = try connection.listIDAddingIfNew(new.list)
                return try connection.add(new)
            }
            print("added \(id)")
        }
    }
}
