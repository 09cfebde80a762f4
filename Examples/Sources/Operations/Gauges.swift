import Dispatch
import Squall

/// Returns the present state of a database in one line, as an operator reads it.
private func state(_ now: Database.Statistics) -> String {
    let writer = now.isWriterOpen ? (now.isWriterBusy ? "busy" : "idle") : "closed"
    let line = "\(now.waitingReads) reads and \(now.waitingWrites) writes wait"
    return "\(now.busyReaders) of \(now.maximumReaders) readers, writer \(writer), \(line), \(now.snapshots) snapshots"
}

/// Returns the work of a database since it was opened.
private func work(_ all: Database.Statistics) -> String {
    let prepared = all.cacheMisses * 100 / max(1, all.cacheHits + all.cacheMisses)
    let health = all.lostTransactions == 0 ? "nothing was lost" : "\(all.lostTransactions) transactions were lost"
    return "\(all.returnedRows) rows, \(prepared < 50 ? "most" : "few") statements came from the cache, \(health)"
}

extension Database.Blocking {
    /// Returns the number of orders.
    func orderCount() throws -> Int { try read { try $0.count("orders") } }
}

extension ReadSnapshot.Blocking {
    /// Returns the number of orders at the time of the snapshot.
    func orderCount() throws -> Int { try read { try $0.count("orders") } }
}

func watchServer() async throws {
    let database = try Database("server.db", maximumReaders: 2)
    try await database.write {
        try $0.execute("CREATE TABLE orders(id INTEGER PRIMARY KEY); INSERT INTO orders VALUES(1), (2)")
    }
    print("A server:")
    print("  \(state(database.statistics))")
    try await database.read { _ in print("  \(state(database.statistics))") }

    let snapshot = try await database.snapshot()
    try await blockWriter(of: database)
    for _ in 0..<20 { _ = try await database.read { try $0.query("SELECT id FROM orders") as [Int] } }
    try compare(database, with: snapshot)

    // The system is about to stop the program: no lock may remain.
    try await database.suspend()
    print("  \(state(database.statistics))")
    try await database.resume()
    print("  \(work(database.statistics))")
    try await database.close()
}

/// Lets a write wait for another one.
private func blockWriter(of database: Database) async throws {
    let end = DispatchSemaphore(value: 0)
    let first = Task { try await database.write { _ in end.wait() } }
    while !database.statistics.isWriterBusy { await Task.yield() }
    let second = Task { try await database.write { try $0.insert(into: "orders", ["id": 3]) } }
    while database.statistics.waitingWrites == 0 { await Task.yield() }
    print("  \(state(database.statistics))")
    end.signal()
    try await first.value
    print("  the write that waited has written order \(try await second.value)")
}

/// Compares from code that blocks its thread, such as that of a command.
private func compare(_ database: Database, with snapshot: ReadSnapshot) throws {
    let (now, before) = (try database.blocking.orderCount(), try snapshot.blocking.orderCount())
    print("  \(now) orders, \(before) in the snapshot")
    try snapshot.close()
}
