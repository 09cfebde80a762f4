import Squall

extension Configuration {
    /// For a file that is made by one program at a time, and is made again if that fails. It may take old data as they are.
    static let loading: Configuration = {
        var configuration = Configuration.sqlite
        configuration.journalMode = .off
        configuration.synchronous = .off
        configuration.transactionType = .exclusive
        configuration.checkConstraints = false
        configuration.doubleQuotedStrings = true
        configuration.recursiveTriggers = false
        configuration.defensive = false
        return configuration
    }()

    /// For a server that must not lose a transaction that it has confirmed, even if the power fails.
    static let serving: Configuration = {
        var configuration = Configuration.recommended
        configuration.journalMode = .wal
        configuration.synchronous = .extra
        configuration.checkConstraints = true
        configuration.doubleQuotedStrings = false
        configuration.recursiveTriggers = true
        configuration.defensive = true
        configuration.cellSizeCheck = true
        configuration.memoryMapSize = 1_000_000
        configuration.timeLimit = .seconds(30)
        configuration.limits[.triggerDepth] = 20
        return configuration
    }()
}

func loadAndServe() throws {
    let path = "app.db"
    let loader = try Connection(path, mode: .createNew, configuration: .loading)
    try loader.execute(
        """
        CREATE TABLE stock(item TEXT PRIMARY KEY, amount INTEGER NOT NULL CHECK (amount >= 0));
        CREATE TABLE countdown(n INTEGER);
        CREATE TRIGGER next AFTER INSERT ON countdown WHEN new.n > 0 BEGIN INSERT INTO countdown VALUES(new.n - 1); END;
        """)
    try report(on: loader, "Loading")
    print("  \(loss(with: Configuration.loading.synchronous))")
    print("  \(loader.totalChanges) rows were written")
    loader.close()

    let server = try Connection(path, configuration: .serving)
    try report(on: server, "Serving")
    print("  \(loss(with: Configuration.serving.synchronous))")
    var impatient = Configuration.serving
    impatient.timeLimit = .milliseconds(20)
    let guest = try Connection(path, mode: .readOnly, configuration: impatient)
    print("  an endless query: \(attempt(endless, on: guest))")
    server.close()
}

private func report(on connection: Connection, _ title: String) throws {
    let journal: String = try connection.query("PRAGMA journal_mode")
    let mode = Configuration.JournalMode(rawValue: journal.uppercased())
    let flushes: Int = try connection.query("PRAGMA synchronous")
    print("\(title): \(mode == .off ? "no journal" : "a journal"), synchronous \(flushes)")
    print("  a broken rule: \(attempt("INSERT INTO stock VALUES(\(title), -1)", on: connection))")
    print("  a name in wrong quotes: \(attempt("SELECT \"hello\"", on: connection))")
    print(
        "  a change of the catalog: \(attempt("UPDATE sqlite_schema SET sql = '' WHERE 0", on: connection, "PRAGMA writable_schema = ON"))"
    )
    try connection.run("DELETE FROM countdown")
    try connection.run("INSERT INTO countdown VALUES(3)")
    print("  a trigger that fires itself: \(try connection.count("countdown")) rows")
    print("  the same without end: \(attempt("INSERT INTO countdown VALUES(1000)", on: connection))")
    let checks: Int = try connection.query("PRAGMA cell_size_check")
    let mapped: Int = try connection.query("PRAGMA mmap_size")
    print("  pages are \(checks == 1 ? "checked" : "trusted"), \(mapped) bytes of the file are mapped into memory")
}

/// Returns the loss that a power failure can cause.
private func loss(with flushes: Configuration.Synchronous?) -> String {
    switch flushes {
    case .off: "a power failure costs the file"
    case .normal: "a power failure can cost the last transactions"
    case .full, .extra, nil: "a power failure costs nothing"
    }
}

private let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

private func attempt(_ sql: SQL, on connection: Connection, _ preparation: SQL = "") -> String {
    do {
        try connection.execute(preparation)
        try connection.execute(sql)
        return "accepted"
    } catch let error as SQLiteError {
        return "\(error.message)"
    } catch {
        return "\(error)"
    }
}
