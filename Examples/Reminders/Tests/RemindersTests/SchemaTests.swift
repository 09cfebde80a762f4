import Foundation
import Squall
import Testing

@testable import Reminders

@Suite struct SchemaTests {
    @Test func theVersionsLeadToTheDeclaredTables() throws {
        try remindersSchema.verify()
        let drift = try remindersSchema.drift(from: ReminderList.table, Reminder.table, Tag.table, ReminderTag.table)
        #expect(drift.isEmpty, "\(drift)")
    }

    @Test func rowsOfVersion1AreKeptAndCanBeSearched() throws {
        let connection = try Connection(":memory:")
        try remindersSchema.migrate(connection, to: 1)
        try connection.execute(
            """
            INSERT INTO lists(id, name) VALUES(1, 'Home');
            INSERT INTO reminders(list, title, text, done) VALUES(1, 'Pay the rent!', NULL, TRUE);
            INSERT INTO reminders(list, title, text, done) VALUES(1, 'Buy milk', 'two bottles', FALSE);
            """)

        try remindersSchema.migrate(connection)
        let reminders = try connection.all(Reminder.order { $0.id })

        #expect(reminders.map(\.notes) == ["", "two bottles"])
        #expect(reminders.map(\.priority) == [.high, .normal])
        #expect(reminders.map { $0.doneAt != nil } == [true, false])
        #expect(try connection.search("bottles").map(\.title) == ["Buy milk"])
        #expect(try connection.integrityCheck() == [])
    }
}
