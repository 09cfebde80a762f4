// swift-format-ignore-file
import Logging
import Squall
import SquallLogging
import Testing

struct SquallLoggingPage {
    private let logger = Logger(label: "guide") { _ in SwiftLogNoOpLogHandler() }

    @Test func aDatabaseIsLogged() async throws {
        let database = try Database.temporary()
        let log = database.log(to: Logger(label: "app.database"))
        try await database.write { try $0.execute("CREATE TABLE t(a)") }
        await log.flush()
    }

    @Test func settings() async throws {
        let database = try Database.temporary()
        var settings = LogSettings()
        settings.slowStatement = .milliseconds(20)
        settings.longWait = .milliseconds(20)
        settings.maximumPerInterval = 5
        database.log(to: logger, settings: settings)
        try await database.write { try $0.execute("CREATE TABLE t(a)") }
    }

    /// Other tests of the process have used SQLite, so that it may be too late.
    @Test func theErrorLog() async throws {
        let _ = try Connection(":memory:")
        #expect(throws: SQLiteError.self) {
            let errorLog = SQLiteErrorLog(to: Logger(label: "app.sqlite"))
            try SQLiteLibrary.configure(errorLog.setting)
        }
    }
}
