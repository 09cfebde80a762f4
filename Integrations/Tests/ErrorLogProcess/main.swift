import Logging
import Squall
import SquallLogging

/// Prints the level, the code and the message of each line.
struct PrintingHandler: LogHandler {
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = event.metadata ?? [:]
        print(
            event.level, "\(metadata["db.response.status_code", default: "-"])",
            "\(metadata["error.message", default: "-"])")
    }
}

var settings = LogSettings()
settings.includingValues = CommandLine.arguments.contains("values")
let log = SQLiteErrorLog(to: Logger(label: "sqlite") { _ in PrintingHandler() }, settings: settings)
try SQLiteLibrary.configure(log.setting)
let connection = try Connection()
_ = try? connection.query("SELECT * FROM nowhere WHERE a = \("secret")") as [Int]
_ = try? Connection("/no/such/folder/app.db")
_ = try? connection.query("SELECT json_extract('{}', \("secret"))") as [String]
try connection.execute("CREATE TABLE a(x); CREATE TABLE b(x)")
let _: [Int] = try connection.query("SELECT a.x FROM a, b WHERE a.x = b.x")
await log.flush()
