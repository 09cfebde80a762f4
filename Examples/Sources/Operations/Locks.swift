import Squall

/// Shows the ways to meet the locks of other connections.
func waitForLocks() throws {
    let path = "locks.db"
    let writer = try Connection(path, configuration: .sqlite)
    try writer.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
    let other = try Connection(path, configuration: .sqlite)
    print("Locks:")

    // The three types of transactions, without a write-ahead log.
    for type: Connection.TransactionType in [.deferred, .immediate, .exclusive] {
        try writer.transaction(transactionType: type) {
            print("  \(type): others \(read(other)), \(write(other))")
        }
    }

    // The reactions to a lock: fail at once, wait, or decide each time.
    var tries = 0
    let reactions: [(String, Connection.BusyHandler)] = [
        ("at once", .defaultBehavior),
        ("after 10 ms", .timeout(0.01)),
        (
            "after 3 tries",
            .custom {
                tries = Int($0) + 1; return tries < 3
            }
        ),
    ]
    try writer.transaction(transactionType: .immediate) {
        for (title, reaction) in reactions {
            try other.busyHandler(reaction)
            print("  \(title): others \(write(other))")
        }
    }
    print("  the last one tried \(tries) times")

    // Connections with one cache lock tables. The policy says how long to wait for one.
    let shared: StorageLocation = .onDisk("shared.db")
    let first = try Connection(storageLocation: shared, sharedCache: true)
    try first.execute("CREATE TABLE t(a)")
    for policy: TableLockPolicy in [.fastFail, .poll(TableLockPolicy.longestWait / 60_000)] {
        let second = try Connection(storageLocation: shared, tableLockPolicy: policy, sharedCache: true)
        try first.transaction(transactionType: .immediate) {
            try first.run("INSERT INTO t VALUES(1)")
            if policy == .fastFail {
                print("  a shared cache, without waiting: others \(read(second))")
            } else {
                // A wait for a table also ends at a deadline.
                let outcome = try second.withDeadline(.milliseconds(20)) { read(second) }
                print("  a shared cache, waiting: others \(outcome)")
            }
        }
    }
}

private func read(_ connection: Connection) -> String {
    do {
        _ = try connection.count("t")
        return "read"
    } catch let error as SQLiteError where error.resultCode == .interrupt {
        return "wait until the deadline"
    } catch {
        return "cannot read"
    }
}

private func write(_ connection: Connection) -> String {
    do {
        try connection.run("UPDATE t SET a = 1")
        return "write"
    } catch {
        return "cannot write"
    }
}
