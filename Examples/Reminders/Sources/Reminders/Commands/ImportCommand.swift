import ArgumentParser
import Foundation
import Squall

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports a file with one reminder as JSON in each line: all of them, or none after an error.")

    @OptionGroup var database: DatabaseOption
    @Argument(help: "The file.") var file: String

    func run() async throws {
        let data = try Data(contentsOf: URL(filePath: file))
        try await database.use { database in
            let start = ContinuousClock.now
            let count = try await database.write { try $0.importReminders(from: data) }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            print("imported \(count) reminders in \(seconds.formatted(.number.precision(.fractionLength(2)))) s")
        }
    }
}
