// What the tests of concurrent access run in processes of their own: to be several, to be killed, or to fork.

import Foundation
import Squall
import SquallSQLite

/// `increment path count`: so many transactions that read a number and write the next.
func increment(_ path: String, _ count: Int) throws {
    // Others hold the lock again and again.
    var configuration = Squall.Configuration.recommended
    configuration.busyTimeout = .seconds(3600)
    let database = try Database(path, configuration: configuration)
    for _ in 0..<count {
        try database.blocking.write { connection in
            let number: Int = try connection.query("SELECT number FROM counter")
            try connection.run("UPDATE counter SET number = ?", number + 1)
        }
    }
    try database.blocking.close()
}

/// `commit path first`: transactions of five rows each, for ever, the number of each written to the output after its commit.
func commit(_ path: String, from first: Int) throws {
    let database = try Database(path)
    for batch in first... {
        try database.blocking.write { connection in
            for _ in 0..<5 { try connection.run("INSERT INTO t(batch, x) VALUES(?, randomblob(400))", batch) }
        }
        FileHandle.standardOutput.write(Data("\(batch)\n".utf8))
    }
}

/// `fork path`: uses in the child what the parent has opened, and exits with 0 when all of it throws.
func forkAndUse(_ path: String) throws {
    typealias ForkGuard = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { exit(2) }
    let database = try Database(path)
    let queue = try ConnectionQueue(connection: Connection(path))
    let pool = ConnectionPool(storageLocation: .onDisk(path))
    try pool.execute { try $0.run("SELECT 1") }
    let child = unsafeBitCast(symbol, to: ForkGuard.self)()
    if child == 0 {
        let uses: [() throws -> Void] = [
            { try database.blocking.read { _ in } }, { try database.blocking.writeWithoutTransaction { _ in } },
            { try database.blocking.close() }, { _ = try database.blocking.snapshot() },
            { try database.blocking.suspend() }, { try database.blocking.checkpoint() }, { try database.blocking.vacuum() },
            { try database.blocking.vacuum(into: path + ".copy") }, { try database.blocking.backup(to: path + ".copy") },
            { try queue.execute { _ in } }, { try pool.execute { _ in } }, { try database.blocking.resume() },
        ]
        for use in uses {
            do {
                try use()
                _exit(3)
            } catch let error as SQLiteError where error.resultCode == .misuse {
                continue
            } catch {
                _exit(4)
            }
        }
        _exit(0)
    }
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child else { exit(6) }
    // The parent goes on as if nothing had happened.
    try database.blocking.writeWithoutTransaction { try $0.run("CREATE TABLE parent(a)") }
    try database.blocking.close()
    exit(exitCode(status))
}

/// Returns the code with which a child has exited, and 7 for one that a signal has ended.
func exitCode(_ status: Int32) -> Int32 { status & 0x7f == 0 ? (status >> 8) & 0xff : 7 }

/// `fork-inside path`: forks inside closures, uses the database there in the child, and exits with 0 when all of it throws.
func forkInsideClosures(_ path: String) throws {
    typealias ForkGuard = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { exit(2) }
    let database = try Database(path)
    let queue = try ConnectionQueue(connection: Connection(path))
    let snapshot = try database.blocking.snapshot()
    let reads: [() throws -> Void] = [
        { try database.blocking.read { _ in } },
        { try database.readerConnectionPool.execute { _ in } }, { _ = try database.blocking.snapshot() },
        { try database.blocking.vacuum(into: path + ".copy") }, { try database.blocking.backup(to: path + ".copy") },
    ]
    let writes: [() throws -> Void] = [
        { try database.blocking.writeWithoutTransaction { _ in } },
        { try database.blocking.write { _ in } }, { try database.writerConnectionQueue.execute { _ in } },
    ]
    let closures: [(_ body: () -> Void) throws -> Void] = [
        { body in try database.blocking.read { _ in body() } }, { body in try database.blocking.writeWithoutTransaction { _ in body() } },
        { body in try snapshot.blocking.read { _ in body() } }, { body in try queue.execute { _ in body() } },
    ]
    let uses = [reads, reads + writes, [{ try snapshot.blocking.read { _ in } }], [{ try queue.execute { _ in } }]]
    for (closure, uses) in zip(closures, uses) {
        var status: Int32 = 0
        try closure {
            let child = unsafeBitCast(symbol, to: ForkGuard.self)()
            if child == 0 {
                for use in uses {
                    do {
                        try use()
                        _exit(3)
                    } catch let error as SQLiteError where error.kind == .forkedProcess {
                        continue
                    } catch {
                        _exit(4)
                    }
                }
                _exit(0)
            }
            guard waitpid(child, &status, 0) == child else { exit(6) }
        }
        guard status == 0 else { exit(exitCode(status)) }
    }
    try database.blocking.close()
}

/// `fork-backup path`: continues in the child a backup that its parent runs, and exits with 0 when it throws there and the
/// file of the parent is kept.
func forkDuringBackup(_ path: String) throws {
    typealias ForkGuard = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { exit(2) }
    let database = try Database(path)
    try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(zeroblob(100000))") }
    let copy = path + ".copy"
    var child: pid_t?
    do {
        try database.blocking.backup(to: copy, pagesPerStep: 1) { _ in
            if child == nil { child = unsafeBitCast(symbol, to: ForkGuard.self)() }
        }
    } catch let error as SQLiteError where child == 0 {
        _exit(error.kind == .forkedProcess && FileManager.default.fileExists(atPath: copy) ? 0 : 3)
    }
    guard let child, child != 0 else { _exit(4) }
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child else { exit(6) }
    guard try Connection(copy).query("SELECT length(a) FROM t") == 100_000 else { exit(5) }
    exit(exitCode(status))
}

/// `rebuild path`: rebuilds the table `t`, with a line in the output for every piece that is copied.
func rebuild(_ path: String) throws {
    let schema = Schema("s") {
        Version(1) { AlterTable("t") { ChangeColumn("b", to: String.self, .check("b <> ''")) } }
    }
    try schema.migrate(Connection(storageLocation: .onDisk(path))) {
        FileHandle.standardOutput.write(Data("\($0.copiedRows)\n".utf8))
    }
}

/// `stream path`: reads the value `files.body` of row 1 in chunks and writes that of row 2, and prints the number of bytes and by how many
/// kilobytes the process has grown.
func stream(_ path: String) async throws {
    let database = try Database(path)
    try await database.read { try $0.run("SELECT 1 FROM files") }
    let before = try residentKilobytes()
    var count = 0
    for try await chunk in database.blob(in: "files", column: "body", row: 1) { count += chunk.count }
    let (chunks, continuation) = AsyncStream.makeStream(of: Data.self, bufferingPolicy: .unbounded)
    let chunk = Data(repeating: 7, count: 65_536)
    for _ in 0..<1_024 { continuation.yield(chunk) }
    continuation.finish()
    try await database.writeBlob(in: "files", column: "body", row: 2, from: chunks)
    print("\(count) \(try residentKilobytes() - before)")
}

/// Returns the largest size that the process had in memory.
func residentKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0
}

/// `migrate path count`: so many versions, each with a table; the number of versions that it ran to the output.
func migrate(_ path: String, _ count: Int) throws {
    let schema = Schema("s") {
        for number in 1...count { Version(number) { CreateTable("t\(number)") { ColumnDef("a", Int.self) } } }
    }
    let connection = try Connection(storageLocation: .onDisk(path))
    let log = Counter()
    try schema.migrate(connection) { if $0.step.hasPrefix("CreateTable") { log.count += 1 } }
    FileHandle.standardOutput.write(Data("\(log.count)\n".utf8))
}

/// `bundle path`: reads a database in a directory that cannot be written, as a user who is not the superuser.
func readFromBundle(_ path: String) throws {
    if geteuid() == 0 { _ = seteuid(65_534) }
    for mode in [Connection.Mode.readOnly, .immutable] {
        do {
            let count: Int = try Connection(path, mode: mode).query("SELECT count(*) FROM t")
            print("\(mode) \(count)")
        } catch let error as SQLiteError {
            print("\(mode) \(error.extendedCode) \(error.hint ?? "")")
        }
    }
}

/// `exclusive path`: writes under an EXCLUSIVE lock of the file, and prints `done` or the result code.
func lockExclusively(_ path: String) throws {
    let connection = try Connection(path, mode: .existing, configuration: .sqlite)
    do {
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; INSERT INTO t VALUES(100); COMMIT")
        print("done")
    } catch let error as SQLiteError {
        print(error.code)
    }
}

/// `full path`: copies a database where no file may become larger than 100 KB, and prints the result code.
func copyToFullDisk(_ path: String) throws {
    let database = try Database(path)
    limitFileSize()
    for copy in [
        { try database.blocking.vacuum(into: path + ".copy") }, { try database.blocking.backup(to: path + ".copy") },
    ] {
        do {
            try copy()
            print("copied")
        } catch let error as SQLiteError {
            print("\(error.code) \(FileManager.default.fileExists(atPath: path + ".copy"))")
        }
    }
}

/// `observe path count`: so many commits, followed by five observers. Prints the last value of each, and by how many KiB the memory has grown
/// since a fifth of them.
func observeCommits(_ path: String, _ count: Int) async throws {
    let database = try Database(path)
    try await database.write { try $0.execute("CREATE TABLE t(a)") }
    let observers = (0..<5).map { _ in
        Task {
            var last = 0
            for try await value in database.observe("SELECT count(*) FROM t", as: Int.self) {
                last = value
                if value == count { break }
            }
            return last
        }
    }
    func commit(_ count: Int) async throws {
        for _ in 0..<count { try await database.write { try $0.run("INSERT INTO t VALUES(1)") } }
    }
    try await commit(count / 5)
    let before = peakMemory()
    try await commit(count - count / 5)
    for observer in observers { print(try await observer.value) }
    print(peakMemory() - before)
}

/// The most memory that the process has had, in KiB.
func peakMemory() -> Int {
    var usage = rusage()
    #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss / 1024
    #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    #endif
}

/// `group path round`: 16 tasks that write in groups, and print what is committed, until the process is killed.
func commitInGroups(_ path: String, _ round: Int) async throws {
    var configuration = Squall.Configuration.recommended
    configuration.groupCommit = true
    configuration.synchronous = .full
    let database = try Database(path, configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        for task in 0..<16 {
            tasks.addTask {
                for step in 0..<10_000 {
                    let id = ((round * 16 + task) * 10_000 + step) * 2
                    try await database.write { connection in
                        try connection.run("INSERT INTO t VALUES(?, ?)", id, task)
                        try connection.run("INSERT INTO t VALUES(?, ?)", id + 1, task)
                    }
                    // One call: lines of several tasks do not mix.
                    FileHandle.standardOutput.write(Data("\(id)\n".utf8))
                }
            }
        }
        try await tasks.waitForAll()
    }
}

/// Configures SQLite before and after it is used, and prints what it counts.
func configureLibrary() throws {
    try SQLiteLibrary.configure(.withoutMemoryStatistics)
    let connection = try Connection()
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(zeroblob(100000))")
    print(sqlite3_memory_used(), connection.status.cacheUsed > 100_000)
    do {
        try SQLiteLibrary.configure(.withoutMemoryStatistics)
    } catch let error as SQLiteError where error.kind == .problem(UpkeepProblem.libraryInUse) {
        print(error.resultCode.rawValue, error.message)
    }
    print(try connection.query("SELECT length(a) FROM t") as Int)
}

/// Prints the error of opening a connection.
func open() throws {
    do {
        try Connection().close()
    } catch let error as SQLiteError {
        print("\(error.message): \(error.hint ?? "")")
    }
}

/// Prints SQLite's error log.
func observeErrorLog() throws {
    try SQLiteLibrary.configure(.errorLog { code, message in print("\(code): \(message)") })
    let connection = try Connection()
    _ = try? connection.query("SELECT * FROM nowhere WHERE a = \(1)") as [Int]
}

/// Opens connections with an automatic extension that fails, and after it is cancelled.
func failInAutomaticExtension() throws {
    let failing: Connection.ExtensionEntryPoint = { _, message, _ in
        // SQLite frees it.
        let text = sqlite3_malloc(16)?.assumingMemoryBound(to: CChar.self)
        if let text { strcpy(text, "no licence") }
        message?.pointee = text
        return SQLITE_ERROR
    }
    try Connection.register(automatic: failing)
    do {
        _ = try Connection()
    } catch let error as SQLiteError {
        print("\(error.message) (\(error.code))")
    }
    Connection.cancel(automatic: failing)
    print(try Connection().query("SELECT 42") as Int)
}

/// Registers and cancels extensions on one thread, while others open connections.
func registerDuringOpening() throws {
    let first: Connection.ExtensionEntryPoint = { _, _, _ in SQLITE_OK }
    let second: Connection.ExtensionEntryPoint = { handle, _, _ in
        sqlite3_create_collation_v2(handle, "second", SQLITE_UTF8, nil, { _, _, _, _, _ in 0 }, nil)
    }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for _ in 0..<200 {
            do {
                if thread == 0 {
                    try Connection.register(automatic: first)
                    try Connection.register(automatic: second)
                    Connection.cancel(automatic: first)
                    Connection.cancel(automatic: second)
                } else {
                    _ = try Connection().query("SELECT 1") as Int
                }
            } catch {
                print(error)
                exit(3)
            }
        }
    }
    print("done")
}

final class Counter {
    var count = 0
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "increment": try increment(arguments[2], Int(arguments[3]) ?? 0)
case "commit": try commit(arguments[2], from: Int(arguments[3]) ?? 0)
case "rebuild": try rebuild(arguments[2])
case "stream": try await stream(arguments[2])
case "migrate": try migrate(arguments[2], Int(arguments[3]) ?? 0)
case "bundle": try readFromBundle(arguments[2])
case "exclusive": try lockExclusively(arguments[2])
case "full": try copyToFullDisk(arguments[2])
case "observe": try await observeCommits(arguments[2], Int(arguments[3]) ?? 0)
case "group": try await commitInGroups(arguments[2], Int(arguments[3]) ?? 0)
case "configure": try configureLibrary()
case "open": try open()
case "error-log": try observeErrorLog()
case "failing-extension": try failInAutomaticExtension()
case "extension-threads": try registerDuringOpening()
case "memory": try limitMemory(in: arguments[2])
case "journal": try readBesideJournal(arguments[2])
case "fork": try forkAndUse(arguments[2])
case "fork-inside": try forkInsideClosures(arguments[2])
case "fork-backup": try forkDuringBackup(arguments[2])
default: exit(2)
}
