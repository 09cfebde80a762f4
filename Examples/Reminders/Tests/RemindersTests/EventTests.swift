import Foundation
import Hummingbird
import HummingbirdTesting
import Squall
import SquallService
import SquallTesting
import Testing

@testable import Reminders

@Suite(.reminders()) struct EventTests {
    @Test func eachChangeOfAListIsAnEvent() async throws {
        let database = try TestDatabase.current
        var events = database.openReminders(ofList: 1).makeAsyncIterator()

        #expect(try await events.next()?.map(\.title) == ["Buy milk", "Water the plants"])
        try await database.write { try $0.delete(Reminder.self) { $0.title == "Buy milk" } }
        #expect(try await events.next()?.map(\.title) == ["Water the plants"])
        try await database.write { try $0.addTags(["indoors"], to: 2) }
        #expect(try await events.next()?.first?.tags == ["indoors"])
    }

    @Test func theStreamEndsWithItsList() async throws {
        let database = try TestDatabase.current
        // The tags are the last query of an event: after it, the first event has been read.
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let token = database.addProfileObserver { statement in
            if statement.sql.contains("reminder_tags") { continuation.yield() }
        }
        defer { token.cancel() }

        let service = DatabaseService(database)
        try await ReminderService(database: database).makeApplication(port: 0, closing: service).test(.live) { client in
            async let response = client.send("/lists/2/events", .get)
            for await _ in begun { break }
            try await database.write { connection in
                try connection.delete(Reminder.self) { $0.list == 2 }
                try connection.delete(ReminderList.self) { $0.id == 2 }
            }
            let text = String(buffer: try await response.body)
            #expect(text.hasPrefix("data: [{"))
            #expect(text.hasSuffix("\n\n"))
        }
    }
}
