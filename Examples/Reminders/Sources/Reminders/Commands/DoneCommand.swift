import ArgumentParser
import Foundation
import Squall

struct DoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "done", abstract: "Marks a reminder as done.")

    @OptionGroup var database: DatabaseOption
    @Argument(help: "The number that list prints.") var id: Int64

    func run() async throws {
        try await database.use { database in
            try await database.write { try $0.change(id, by: ReminderChange(isDone: true), now: Date()) }
        }
    }
}
