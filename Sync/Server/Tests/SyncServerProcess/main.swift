import Foundation
import Hummingbird
import HummingbirdSquallSync
import Logging
import Squall
import SquallSync
import SquallSyncHub

// A hub in a process by itself, whose memory a test measures. It prints its port, and ends by a signal.

let database = try Database(":memory:")
try await database.write { try $0.execute("CREATE TABLE lists(id TEXT PRIMARY KEY, name TEXT)") }
let hub = try await SyncHub(database) { SyncTable("lists") }
var limits = SyncLimits()
limits.requestsPerMinute = 100_000
limits.eventStreams = 100_000
let router = Router()
router.addSync("sync", hub: hub, limits: limits) { _, _ in SyncPrincipal(user: "ada") }
router.post("write") { _, _ in
    try await database.write { try $0.run("INSERT OR REPLACE INTO lists VALUES('a', random())") }
    return HTTPResponse.Status.noContent
}
var logger = Logger(label: "server")
logger.logLevel = .critical
let app = Application(
    router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { channel in
        FileHandle.standardOutput.write(Data("\(channel.localAddress?.port ?? 0)\n".utf8))
    }, logger: logger)
try await app.runService()
