import ArgumentParser
import Squall

struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Counts reminders by list, and done ones by week.")

    @OptionGroup var database: DatabaseOption

    func run() async throws {
        try await database.use { database in
            let statistics = try await database.read { try $0.statistics() }
            for list in statistics.lists { print("\(list.name): \(list.open) open, \(list.done) done") }
            for week in statistics.weeks { print("\(week.week): \(week.done) done") }
        }
    }
}
