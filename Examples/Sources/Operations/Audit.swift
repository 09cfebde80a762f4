import Squall

/// Writes down each changed row, also those that triggers and foreign keys change.
struct Audit {
    let log = Log()

    func observe(_ change: Connection.PreUpdate) {
        // Temporary tables are the business of their connection.
        guard change.databaseName == "main" else { return }
        let row =
            switch change.type {
            case .insert: "row \(change.newRowID) is new"
            case .delete: "row \(change.oldRowID) is deleted"
            case .update where change.oldRowID != change.newRowID: "row \(change.oldRowID) becomes \(change.newRowID)"
            case .update: "row \(change.oldRowID): \(difference(change))"
            }
        log.write("\(change.tableName) \(row)\(change.depth > 0 ? ", by a trigger" : "")")
    }

    private func difference(_ change: Connection.PreUpdate) -> String {
        let pairs = zip(change.oldValues, change.newValues).filter { $0 != $1 }
        return pairs.map { "\($0) -> \($1)" }.joined(separator: ", ")
    }
}

/// Counts the changes of rows by their kind.
struct Tally {
    private(set) var writes = 0
    private(set) var losses = 0

    mutating func count(_ type: Connection.UpdateHookType) {
        switch type {
        case .insert, .update: writes += 1
        case .delete: losses += 1
        }
    }
}

func auditChanges() throws {
    let connection = try Connection("audit.db")
    try connection.execute(
        """
        CREATE TABLE orders(id INTEGER PRIMARY KEY, item TEXT, amount INTEGER);
        CREATE TABLE totals(id INTEGER PRIMARY KEY, amount INTEGER);
        INSERT INTO totals VALUES(1, 0);
        CREATE TRIGGER add_up AFTER INSERT ON orders BEGIN UPDATE totals SET amount = amount + new.amount; END;
        """)
    let audit = Audit()
    var tally = Tally()
    let trace = Log()
    try connection.addPreUpdateObserver { audit.observe($0) }
    let count: Connection.UpdateHook = { type, _, _, _ in tally.count(type) }
    connection.addUpdateObserver(count)
    let mask = Connection.TraceEvent.profileMask | Connection.TraceEvent.connectionClosedMask
    connection.addTraceObserver(mask: mask) { (event: Connection.TraceEvent) in
        switch event {
        case .profile(let statement, let seconds):
            trace.write("\(statement) took \(seconds < 60 ? "less" : "more") than a minute")
        case .connectionClosed: trace.write("the connection was closed")
        case .statement, .row: break
        }
    }

    try connection.run("INSERT INTO orders VALUES(\(1), \("tea"), \(5))")
    try connection.run("UPDATE orders SET amount = 6, id = 8")
    try connection.run("UPDATE orders SET amount = 7")
    try connection.run("DELETE FROM orders")
    try connection.run("CREATE TEMP TABLE notes AS SELECT 'nothing to see' AS text")
    try connection.run("DELETE FROM notes")
    connection.close()
    print("Audit:")
    for line in audit.log.lines { print("  \(line)") }
    print("  \(tally.writes) rows written, \(tally.losses) lost")
    if let last = trace.lines.last, let first = trace.lines.first { print("  \(first), \(last)") }
}
