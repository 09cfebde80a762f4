import Foundation
import Hummingbird
import HummingbirdSquall
import HummingbirdTesting
import Squall
import SquallService
import SquallTesting
import Testing

@testable import Reminders

@Suite(.reminders()) struct ServerTests {
    @Test func aReminderIsAddedChangedAndDeleted() async throws {
        try await withClient { client in
            let new = #"{"list":"Work","title":"Call Ada","tags":["phone"]}"#
            let added = try await client.send("/reminders", .post, new)
            #expect(added.status == .created)
            #expect(try added.reminder.tags == ["phone"])
            let address = "/reminders/\(try added.reminder.id)"

            let change = #"{"title":"Call Bo","due":"2027-02-01T12:00:00Z","done":true}"#
            let changed = try await client.send(address, .patch, change)
            #expect(try changed.reminder.title == "Call Bo")
            #expect(try changed.reminder.doneAt == noon)
            #expect(try await client.send(address, .patch, #"{"due":null}"#).reminder.due == nil)

            #expect(try await client.send(address, .delete).status == .noContent)
            #expect(try await client.send(address, .get).status == .notFound)
        }
    }

    @Test func filtersAndPagesAreParametersOfTheAddress() async throws {
        try await withClient { client in
            let overdue = try await client.send("/reminders?list=Home&overdue=true", .get)
            #expect(try overdue.page.reminders.map(\.title) == ["Buy milk"])

            let first = try await client.send("/reminders?size=2", .get).page
            let next = try #require(first.next)
            let second = try await client.send("/reminders?size=2&after=\(next)", .get).page
            #expect(first.reminders.count == 2)
            #expect(second.reminders.map(\.title) == ["Water the plants"])
            #expect(second.next == nil)
        }
    }

    @Test func preferencesAreKeptInASession() async throws {
        try await withClient { client in
            let put = try await client.send("/preferences", .put, #"{"list":"Work"}"#)
            let cookie = try #require(put.headers[.setCookie]?.split(separator: ";").first).description
            let headers: HTTPFields = [.cookie: cookie]
            let shown = try await client.execute(uri: "/reminders", method: .get, headers: headers) { response in
                try response.page.reminders.map(\.title)
            }
            #expect(shown == ["Write the report"])
            #expect(try await client.send("/reminders", .get).page.reminders.count == 3)
            try await client.execute(uri: "/preferences", method: .delete, headers: headers) {
                #expect($0.status == .noContent)
            }
            try await expectRows("SELECT key FROM hummingbird_persist", [])
        }
    }

    @Test func theServerIsReadyWhileItsDatabaseIsOpen() async throws {
        try await withClient { client in
            #expect(try await client.send("/ready", .get).status == .ok)
            try await TestDatabase.current.close()
            #expect(try await client.send("/ready", .get).status == .serviceUnavailable)
        }
    }

    @Test func listsAreAddedAndDeleted() async throws {
        try await withClient { client in
            let added = try await client.send("/lists", .post, #"{"name":"Garden"}"#)
            #expect(added.status == .created)
            let lists = try await client.send("/lists", .get).decode([ReminderList].self)
            #expect(lists.map(\.name) == ["Garden", "Home", "Work"])
            #expect(try await client.send("/lists/3", .delete).status == .noContent)
        }
    }

    @Test func searchAndStatistics() async throws {
        try await withClient { client in
            let hits = try await client.send("/search?q=%22milk", .get).decode([SearchHit].self)
            #expect(hits.map(\.id) == [1, 2])
            let statistics = try await client.send("/stats", .get).decode(Statistics.self)
            #expect(statistics.lists.map(\.open) == [2, 1])
        }
    }

    @Test(
        arguments: [
            ("/reminders/99", .get, nil, .notFound),
            ("/reminders/x", .get, nil, .badRequest),
            ("/reminders/99", .patch, "{}", .notFound),
            ("/reminders/99", .delete, nil, .notFound),
            ("/reminders", .post, "{}", .badRequest),
            ("/reminders", .post, #"{"list":"Home","title":""}"#, .badRequest),
            ("/reminders", .post, #"{"list":"Nowhere","title":"x"}"#, .notFound),
            ("/reminders?priority=huge", .get, nil, .badRequest),
            ("/reminders?after=nonsense", .get, nil, .badRequest),
            ("/reminders?after=WyI4cTl3N2k1ZXZjb2giLCJ0QXVkaSIsImkxIl0", .get, nil, .badRequest),
            ("/lists", .post, #"{"name":"HOME"}"#, .conflict),
            ("/lists/1", .delete, nil, .conflict),
            ("/search", .get, nil, .badRequest),
        ] as [(String, HTTPRequest.Method, String?, HTTPResponse.Status)])
    func errorsHaveAStatus(
        address: String, method: HTTPRequest.Method, body: String?, status: HTTPResponse.Status
    ) async throws {
        try await withClient { client in
            let response = try await client.send(address, method, body)
            #expect(response.status == status)
        }
    }

    @Test func aRequestThatPassesItsDeadlineIsAnswered503() async throws {
        try await withClient(deadline: .zero) { client in
            let response = try await client.send("/reminders", .get)
            #expect(response.status == .serviceUnavailable)
            #expect(response.headers[.retryAfter] == "1")
        }
    }

    @Test(.reminders(.impatient)) func aFileThatAnotherConnectionHasLockedIsAnswered503() async throws {
        let database = try TestDatabase.current
        let persist = try await SquallPersistDriver(database)
        let rival = try Connection(database.fileName)
        try rival.execute("BEGIN IMMEDIATE")

        let router = ReminderService(database: database).makeRouter(persist: persist)
        try await Application(router: router).test(.router) { client in
            let write = try await client.send("/lists", .post, #"{"name":"Garden"}"#)
            #expect(write.status == .serviceUnavailable)
            let read = try await client.send("/lists", .get)
            #expect(read.status == .ok)
        }
    }

    @Test func theDatabaseIsClosedAfterTheLastRequest() async throws {
        let database = try TestDatabase.current
        let service = DatabaseService(database)
        try await ReminderService(database: database).makeApplication(port: 0, closing: service).test(.live) { client in
            let response = try await client.send("/stats", .get)
            #expect(response.status == .ok)
        }
        await #expect(throws: SQLiteError.self) { try await database.read { try $0.statistics() } }
    }

    @Test func requestsAtTheSameTimeAreAllAnswered() async throws {
        try await withClient { client in
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for number in 1...100 {
                    let new = #"{"list":"Work","title":"Task \#(number)"}"#
                    group.addTask { try await client.send("/reminders", .post, new).status }
                    group.addTask { try await client.send("/reminders?list=Work", .get).status }
                }
                for try await status in group { #expect(status == .created || status == .ok) }
            }
            let statistics = try await client.send("/stats", .get).decode(Statistics.self)
            #expect(statistics.lists.last?.open == 101)
        }
    }
}

/// Calls the closure with a client of a server whose clock stands still.
func withClient(
    deadline: Duration = .seconds(10), _ closure: @escaping @Sendable (any TestClientProtocol) async throws -> Void
) async throws {
    let database = try TestDatabase.current
    let service = ReminderService(database: database, deadline: deadline, now: try TestDatabase.clock.date)
    let persist = try await SquallPersistDriver(database)
    try await Application(router: service.makeRouter(persist: persist)).test(.router, closure)
}

extension TestClientProtocol {
    func send(_ address: String, _ method: HTTPRequest.Method, _ body: String? = nil) async throws -> TestResponse {
        try await execute(uri: address, method: method, body: body.map { ByteBuffer(string: $0) })
    }
}

extension TestResponse {
    var page: ReminderPage { get throws { try decode(ReminderPage.self) } }
    var reminder: ReminderDetails { get throws { try decode(ReminderDetails.self) } }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: body)
    }
}
