import Foundation
import Squall
import SquallTesting
import Testing

@testable import Reminders

@Suite(.reminders()) struct ImportTests {
    @Test func everyLineIsAReminder() async throws {
        let database = try TestDatabase.current
        let file = Data(
            """
            {"list":"Garden","title":"Sow","tags":["spring","shop"]}
            {"list":"home","title":"Clean","priority":"high","due":"2026-12-24T18:00:00Z"}

            """.utf8)
        let count = try await database.write { try $0.importReminders(from: file) }
        let page = try await database.read { try $0.reminders(ReminderFilter(), now: noon) }

        #expect(count == 2)
        #expect(page.reminders.count == 5)
        #expect(page.reminders.first { $0.title == "Sow" }?.tags == ["shop", "spring"])
        #expect(page.reminders.first { $0.title == "Clean" }?.list == "Home")
    }

    @Test(arguments: [
        #"{"list":"Home"}"#, #"{"list":"Home","title":""}"#, #"{"list":"","title":"x"}"#, "no JSON",
        #"{"list":"Home","title":"x","priority":"huge"}"#,
    ])
    func anErrorUndoesAllLinesAndNamesItsLine(line: String) async throws {
        let database = try TestDatabase.current
        let file = Data("{\"list\":\"Garden\",\"title\":\"Sow\"}\n\n\(line)\n".utf8)

        let error = await #expect(throws: ImportError.self) {
            try await database.write { try $0.importReminders(from: file) }
        }

        #expect(error?.line == 3)
        #expect(try await database.read { try $0.count(Reminder.self) } == 3)
        #expect(try await database.read { try $0.count(ReminderList.self) } == 2)
    }
}
