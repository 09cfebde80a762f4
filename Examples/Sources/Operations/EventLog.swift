import Squall

/// The log of a server: a line for each event that its operator wants to read.
struct EventLog {
    let log = Log()
    private let calls = Log()

    /// The number of calls of a kind that have ended.
    func count(of access: DatabaseEvent.Access) -> Int { calls.lines.count { $0 == access.rawValue } }

    func record(_ event: DatabaseEvent) {
        switch event {
        case .callEnded(let access, _): calls.write(access.rawValue)
        case .connectionWaitEnded(let wait): record(wait)
        case .lockWaitEnded: log.write("waited for a lock of another program")
        case .checkpointEnded(let checkpoint): record(checkpoint)
        case .logLimitExceeded(let size, let limit):
            log.write("the log is \(size > 2 * limit ? "far too" : "too") large")
        case .fileMoved(let error): log.write("the file is gone: \(error.message)")
        case .schemaVersionApplied(let schema, let version, _): log.write("\(schema) has reached version \(version)")
        case .transactionsLost(let count): log.write("\(count) transaction was rolled back by SQLite")
        case .backupEnded(let backup): record(backup)
        case .optimizationEnded(let optimization): record(optimization)
        }
    }

    private func record(_ wait: DatabaseEvent.ConnectionWait) {
        if wait.error != nil { log.write("a \(wait.access) got no connection") }
    }

    private func record(_ checkpoint: DatabaseEvent.Checkpoint) {
        let title = checkpoint.isAutomatic ? "a commit ran a checkpoint" : "a checkpoint \(checkpoint.mode)"
        log.write("\(title): \(checkpoint.isComplete ? "everything is in the file" : "a reader is in the way")")
    }

    private func record(_ backup: DatabaseEvent.Backup) {
        log.write(
            "\(backup.destination.split(separator: "/").last ?? ""): \(backup.error == nil ? "complete" : "not copied")"
        )
    }

    private func record(_ optimization: DatabaseEvent.Optimization) {
        for statement in optimization.statements { log.write("plans may change after \(statement)") }
    }
}

private let history = Schema("orders") {
    Version(1) {
        CreateTable("orders") {
            ColumnDef("id", Int64.self, .primaryKey)
            ColumnDef("item", String.self, .unique(onConflict: .rollback))
        }
    }
}

func logEvents() async throws {
    var configuration = Configuration.recommended
    configuration.logLimit = 500_000
    configuration.busyTimeout = .milliseconds(10)
    let database = try Database(
        "events.db", configuration: configuration,
        writerConnectionPreparation: { try $0.setWALAutoCheckpoint(pages: 50) })
    let events = EventLog()
    let token: DatabaseObserverToken = database.addEventObserver { events.record($0) }
    try await provoke(database)
    token.cancel()
    try await database.close()
    print("Events:")
    for line in events.log.lines { print("  \(line)") }
    try await changeManyRows()
    print("  reads: \(events.count(of: .read)), writes: \(events.count(of: .write))")
}

/// Lets happen what an operator should know of.
private func provoke(_ database: Database) async throws {
    try await database.migrate(history)
    try await database.write { connection in
        for number in 0..<500 { try connection.insert(into: "orders", ["item": "item \(number)"]) }
    }
    let pages = try await database.writeWithoutTransaction { try $0.walAutoCheckpoint }
    print("A commit runs a checkpoint from \(pages) pages on")
    // Copies what can be copied, then waits for readers, so that the next write begins a new log.
    let modes: [Connection.CheckpointMode] = [.passive, .restart]
    for mode in modes {
        let result: Connection.CheckpointResult = try await database.checkpoint(mode)
        print(
            "\(mode): \(result.checkpointedFrames == result.logFrames ? "all" : "some") pages of the log are in the file"
        )
    }

    _ = try? await database.write { try $0.insert(into: "orders", ["item": "item 7"]) }
    for try await _ in database.backup(to: "events-copy.db") {}

    // A program that holds the lock, and one that reads an old state for a long time.
    let other = try Connection("events.db")
    try other.execute("BEGIN IMMEDIATE")
    _ = try? await database.write { try $0.run("DELETE FROM orders") }
    try other.execute("COMMIT")
    let snapshot = try await database.snapshot()
    try await database.write { try $0.run("UPDATE orders SET item = item || hex(zeroblob(1000))") }
    _ = try await snapshot.read { try $0.count("orders") }
    try snapshot.close()
}

/// Writes until the statistics are updated, which a write leaves to a later one if it would take long.
private func changeManyRows() async throws {
    let database = try Database("statistics.db")
    let events = EventLog()
    database.addEventObserver { events.record($0) }
    try await database.write {
        try $0.execute("CREATE TABLE visits(day INTEGER); CREATE INDEX visits_day ON visits(day)")
    }
    var update: String?
    while update == nil {
        try await database.write { connection in
            for number in 0..<1_000 { try connection.insert(into: "visits", ["day": number / 100]) }
        }
        update = events.log.lines.first { $0.hasPrefix("plans") }
    }
    print("  \(update ?? "")")
    try await database.close()
}
