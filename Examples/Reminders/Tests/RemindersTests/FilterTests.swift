import Foundation
import Squall
import SquallTesting
import Testing

@testable import Reminders

@Suite(.reminders()) struct FilterTests {
    @Test(arguments: [
        (ReminderFilter(), ["Buy milk", "Write the report", "Water the plants"]),
        (ReminderFilter(list: "home"), ["Buy milk", "Water the plants"]),
        (ReminderFilter(tag: "urgent"), ["Write the report"]),
        (ReminderFilter(priority: .high), ["Write the report"]),
        (ReminderFilter(isOverdue: true), ["Buy milk"]),
        (ReminderFilter(list: "Work", isOverdue: true), []),
        (ReminderFilter(isDone: true), []),
    ])
    func conditionsAreCombined(filter: ReminderFilter, titles: [String]) async throws {
        let database = try TestDatabase.current
        let page = try await database.read { try $0.reminders(filter, now: noon) }
        #expect(page.reminders.map(\.title) == titles)
        #expect(page.next == nil)
    }

    @Test func pagesFollowOneAnother() async throws {
        let database = try TestDatabase.current
        var titles: [String] = []
        var cursor: PageCursor?
        repeat {
            let after = cursor
            let page = try await database.read { try $0.reminders(ReminderFilter(), after: after, size: 2, now: noon) }
            titles += page.reminders.map(\.title)
            cursor = page.next.flatMap { PageCursor($0) }
        } while cursor != nil
        #expect(titles == ["Buy milk", "Write the report", "Water the plants"])
    }

    @Test func aPageIsReadByTheSameQueriesWhateverItsSize() async throws {
        for size in [1, 3] {
            try await expectQueries(3) {
                _ = try await TestDatabase.current.read { try $0.reminders(ReminderFilter(), size: size, now: noon) }
            }
        }
    }

    @Test func aReminderHasItsListAndItsTags() async throws {
        let database = try TestDatabase.current
        let page = try await database.read { try $0.reminders(ReminderFilter(tag: "desk"), now: noon) }
        let report = try #require(page.reminders.first)
        #expect(report.list == "Work")
        #expect(report.tags == ["desk", "urgent"])
    }
}
