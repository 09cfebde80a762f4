import Foundation
import Hummingbird
import HummingbirdSquall
import HummingbirdTesting
import Squall
import Testing

/// Each error is the one that Squall throws, and its response what a client receives.
struct DatabaseErrorTests {
    struct Note: TableRecord {
        let id: Int64?
        let secret: String

        static let table = Table("notes", Note.init) {
            Column("id", \Note.id, .primaryKey)
            Column("secret", \Note.secret)
        }
    }

    private let database: Database

    init() throws {
        database = try Database.temporary(configuration: .impatient)
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                """
                CREATE TABLE notes(
                    id INTEGER PRIMARY KEY, secret TEXT NOT NULL UNIQUE CHECK(secret <> ''),
                    parent INTEGER REFERENCES notes(id));
                CREATE TABLE keyed(key TEXT PRIMARY KEY) WITHOUT ROWID;
                CREATE TRIGGER refuse BEFORE INSERT ON notes WHEN new.secret = 'trigger' BEGIN
                    SELECT RAISE(ABORT, 'secret of the trigger'); END;
                INSERT INTO notes(id, secret) VALUES(1, 'secret 1'), (2, 'secret 2');
                INSERT INTO keyed VALUES('secret');
                """)
        }
    }

    private func response(
        _ responses: DatabaseErrorResponses = .init(), _ body: @escaping @Sendable (Database) async throws -> Void
    ) async throws -> TestResponse {
        let router = Router()
        router.add(middleware: DatabaseErrorMiddleware(responses))
        router.get("/") { [database] _, _ in
            try await body(database)
            return "done"
        }
        return try await Application(router: router).test(.router) { try await $0.execute(uri: "/", method: .get) }
    }

    private func write(_ sql: SQL) async throws -> TestResponse {
        try await response { try await $0.write { try $0.run(sql) } }
    }

    private func expect(_ response: TestResponse, _ status: HTTPResponse.Status, retryAfter: String? = nil) {
        #expect(response.status == status)
        #expect(response.headers[.retryAfter] == retryAfter)
        for leak in ["secret", "notes", "keyed", "SELECT", "INSERT", database.fileName, ".db", "SQLITE"] {
            #expect(!response.text.contains(leak), "\(response.text)")
        }
        if status == .internalServerError { #expect(response.text == "") } else { #expect(response.text != "") }
    }

    @Test(
        arguments: [
            "INSERT INTO notes(secret) VALUES('secret 1')",
            "INSERT INTO notes(id, secret) VALUES(1, 'x')",
            "INSERT INTO keyed VALUES('secret')",
            "INSERT INTO notes(secret, parent) VALUES('x', 99)",
            "INSERT INTO notes(secret) VALUES('')",
            "INSERT INTO notes(secret) VALUES(NULL)",
            "INSERT INTO notes(secret) VALUES('trigger')",
        ] as [SQL])
    func aConstraintIsAConflict(sql: SQL) async throws {
        expect(try await write(sql), .conflict)
    }

    @Test func theFailuresOfConstraintsDiffer() throws {
        func failure(_ sql: SQL) -> DatabaseFailure? {
            do {
                try database.blocking.writeWithoutTransaction { try $0.run(sql) }
                return nil
            } catch {
                return DatabaseFailure(error)
            }
        }
        #expect(failure("INSERT INTO notes(secret) VALUES('secret 1')") == .unique)
        #expect(failure("INSERT INTO notes(id, secret) VALUES(1, 'x')") == .unique)
        #expect(failure("INSERT INTO notes(secret, parent) VALUES('x', 99)") == .foreignKey)
        #expect(failure("INSERT INTO notes(secret) VALUES('')") == .check)
        #expect(failure("INSERT INTO notes(secret) VALUES(NULL)") == .notNull)
        #expect(failure("INSERT INTO notes(secret) VALUES('trigger')") == .otherConstraint)
    }

    @Test func theReasonOfAnInsertionErrorCounts() async throws {
        let response = try await response {
            try await $0.write {
                try $0.insert(contentsOf: [Note(id: nil, secret: "a"), Note(id: nil, secret: "secret 1")])
            }
        }
        expect(response, .conflict)
    }

    @Test func noRowIsNotFound() async throws {
        let response = try await response {
            try await $0.read { let _: Int = try $0.query("SELECT id FROM notes WHERE secret = \("x")") }
        }
        expect(response, .notFound)
    }

    @Test func aLockedDatabaseIsToBeTriedAgain() async throws {
        let response = try await whileLocked(database) { try await write("DELETE FROM notes") }
        expect(response, .serviceUnavailable, retryAfter: "1")
    }

    @Test func aDeadlineIsToBeTriedAgain() async throws {
        let response = try await response {
            try await $0.read(deadline: .milliseconds(20)) {
                let _: Int = try $0.query(
                    "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n, notes")
            }
        }
        expect(response, .serviceUnavailable, retryAfter: "1")
    }

    @Test func aDeadlineInTheLineIsToBeTriedAgain() async throws {
        let response = try await response {
            try await $0.write(deadline: .zero) { try $0.run("DELETE FROM notes") }
        }
        expect(response, .serviceUnavailable, retryAfter: "1")
    }

    @Test func aSuspendedDatabaseIsToBeTriedAgain() async throws {
        try await database.suspend()
        expect(try await write("DELETE FROM notes"), .serviceUnavailable, retryAfter: "1")
        try await database.resume()
        expect(try await write("INSERT INTO notes(secret) VALUES('secret 1')"), .conflict)
    }

    @Test func aClosedDatabaseIsToBeTriedAgain() async throws {
        try await database.close()
        expect(try await write("DELETE FROM notes"), .serviceUnavailable, retryAfter: "1")
    }

    @Test func aMovedFileIsToBeTriedAgain() async throws {
        try FileManager.default.moveItem(atPath: database.fileName, toPath: database.fileName + ".moved")
        var result = try await write("INSERT INTO notes(secret) VALUES('secret 1')")
        while result.status == .conflict { result = try await write("INSERT INTO notes(secret) VALUES('secret 1')") }
        expect(result, .serviceUnavailable, retryAfter: "1")
    }

    @Test func aFullDiskIsUnavailableWithoutATime() async throws {
        let response = try await response {
            try await $0.write { connection in
                try connection.execute("PRAGMA max_page_count = 1")
                try connection.run("INSERT INTO notes(secret) VALUES(hex(randomblob(100000)))")
            }
        }
        expect(response, .serviceUnavailable)
    }

    @Test func aFileThatCannotBeWrittenIsUnavailableWithoutATime() async throws {
        let response = try await response {
            let reader = try Database($0.fileName, mode: .readOnly)
            try await reader.write { try $0.run("DELETE FROM notes") }
        }
        expect(response, .serviceUnavailable)
    }

    @Test func theCursorOfAnotherOrderIsABadRequest() async throws {
        let response = try await response {
            try await $0.read { connection in
                let next = try connection.page(Note.order { $0.secret }, size: 1).next
                _ = try connection.page(Note.query, after: next, size: 1)
            }
        }
        expect(response, .badRequest)
    }

    @Test(arguments: ["SELECT secret FROM notes", "SELECT nothing FROM notes", "SELECT NULL"] as [SQL])
    func mistakesOfTheServerPass(sql: SQL) async throws {
        let response = try await response { try await $0.read { let _: Int = try $0.query(sql) } }
        expect(response, .internalServerError)
    }

    @Test func aWriteInsideAReadPasses() async throws {
        expect(try await response { try await $0.read { try $0.run("DELETE FROM notes") } }, .internalServerError)
    }

    @Test func aPersistedValueThatExistsIsAConflict() async throws {
        let response = try await response { database in
            let persist = try await SquallPersistDriver(database)
            for _ in 0..<2 { try await persist.create(key: "a", value: 1) }
        }
        expect(response, .conflict)
    }

    @Test func otherErrorsPassUnchanged() async throws {
        let teapot = HTTPResponse.Status(code: 418)
        #expect(try await response { _ in throw HTTPError(teapot, message: "mine") }.status == teapot)
        #expect(DatabaseFailure(CancellationError()) == nil)
        #expect(DatabaseFailure(PersistError.invalidConversion) == nil)
        #expect(try await response { _ in }.text == "done")
    }

    @Test func theApplicationChangesTheTable() async throws {
        var responses = DatabaseErrorResponses()
        responses[.check] = HTTPError(.badRequest, message: "The title is empty.")
        responses[.notNull] = nil
        let check = try await response(responses) {
            try await $0.write { try $0.run("INSERT INTO notes(secret) VALUES('')") }
        }
        #expect(check.status == .badRequest)
        #expect(check.text == #"{"error":{"message":"The title is empty."}}"#)
        let null = try await response(responses) {
            try await $0.write { try $0.run("INSERT INTO notes(secret) VALUES(NULL)") }
        }
        expect(null, .internalServerError)
    }

    @Test func everyFailureHasAResponse() {
        for failure in DatabaseFailure.allCases { #expect(DatabaseErrorResponses()[failure] != nil) }
    }
}
