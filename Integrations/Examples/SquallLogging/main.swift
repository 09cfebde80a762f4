// Logs a slow statement, a version of a schema and a lost transaction to the standard error.
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
let log = database.log(to: logger, settings: settings)

try await database.migrate(
    Schema("app") { Version(1) { Execute("CREATE TABLE users(name UNIQUE ON CONFLICT ROLLBACK)") } })
try await database.write { try $0.run("SELECT sleep(\(0.1))") }
do {
    try await database.write { connection in
        for _ in 0..<2 { try connection.run("INSERT INTO users VALUES(\("Ada"))") }
    }
} catch ResultCode.constraintUnique {
    print("Ada is there already.")
}
await log.flush()
