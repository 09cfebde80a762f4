import Foundation
import Squall

/// Lets no file of the process become larger than 100 KB.
func limitFileSize() {
    signal(SIGXFSZ, SIG_IGN)
    #if canImport(Darwin)
        let resource = RLIMIT_FSIZE
    #else
        let resource = __rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue))
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = 100_000
    guard setrlimit(resource, &limit) == 0 else { exit(2) }
}

/// `journal path`: fills the space for a file in rollback mode, and prints the result code and how many rows a reader finds then.
func readBesideJournal(_ path: String) throws {
    var configuration = Configuration.recommended
    configuration.journalMode = .delete
    let database = try Database(path, configuration: configuration)
    try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
    limitFileSize()
    do {
        try database.blocking.write { connection in
            try connection.execute("PRAGMA cache_size = 5")
            for _ in 0..<1_000 { try connection.run("INSERT INTO t VALUES(zeroblob(3000))") }
        }
    } catch let error as SQLiteError {
        print(error.code)
    }
    print(try database.blocking.read { try $0.query("SELECT count(*) FROM t") as Int })
}
