// Logs slow statements, a version of a schema and a lost transaction to the standard error.
import Foundation
import Logging
import Squall
import SquallLogging

let logger = Logger(label: "app.database")
try SQLiteLibrary.configure(SQLiteErrorLog(to: Logger(label: "app.sqlite")).setting)

let database = try Database.temporary {
    try $0.addFunction("sleep") { (seconds: Double) -> Double in
        Thread.sleep(forTimeInterval: seconds)
        return seconds
    }
}
var settings = LogSettings()
settings.slowStatement = .milliseconds(50)
settings.longWait = .seconds(1)
// The SQL of slow statements is logged with its values, which are not private here.
settings.includingValues = true
// A statement that is always slow does not fill the log: two messages in a minute.
settings.maximumPerInterval = 2
settings.interval = .seconds(60)
let log = database.log(to: logger, settings: settings)

for seconds in [0.1, 0.06, 0.07] { try await database.write { try $0.run("SELECT sleep(\(seconds))") } }
try await database.migrate(
    Schema("app") { Version(1) { Execute("CREATE TABLE users(name UNIQUE ON CONFLICT ROLLBACK)") } })
do {
    try await database.write { connection in
        for _ in 0..<2 { try connection.run("INSERT INTO users VALUES(\("Ada"))") }
    }
} catch ResultCode.constraintUnique {
    print("Ada is there already.")
}
await end(log)

/// Ends a log, and waits for the messages that it has.
func end(_ log: DatabaseLog) async {
    log.cancel()
    await log.flush()
}
