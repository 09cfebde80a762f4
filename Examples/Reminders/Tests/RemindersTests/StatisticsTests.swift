import Foundation
import Squall
import SquallTesting
import Testing

@testable import Reminders

@Suite(.reminders()) struct StatisticsTests {
    @Test func countsByListAndByWeek() async throws {
        let database = try TestDatabase.current
        let statistics = try await database.write { connection in
            try connection.change(1, by: ReminderChange(isDone: true), now: noon)
            try connection.change(3, by: ReminderChange(isDone: true), now: noon - 7 * 86_400)
            return try connection.statistics()
        }
        #expect(
            statistics.lists == [
                Statistics.List(name: "Home", open: 1, done: 1), Statistics.List(name: "Work", open: 0, done: 1),
            ])
        #expect(
            statistics.weeks == [Statistics.Week(week: "2027-01", done: 1), Statistics.Week(week: "2027-02", done: 1)])
    }
}
