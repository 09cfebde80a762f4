import Squall

/// Collects advice on statements from what they cost.
final class Advisor {
    private(set) var advice: [String] = []

    func observe(_ profile: Connection.StatementProfile) {
        var advice: [String] = []
        if profile.automaticIndexRows > 0 { advice.append("an index is built for each run") }
        if profile.sorts > 0 { advice.append("\(profile.rows) rows are sorted") }
        if profile.fullScanSteps > 500 { advice.append("a table is read from start to end") }
        if profile.virtualMachineSteps > 100_000 { advice.append("it takes many steps") }
        if !advice.isEmpty { self.advice.append("\(profile.sql): \(advice.joined(separator: ", "))") }
    }

    /// Returns advice on a statement that was run several times.
    func advice(on status: StatementStatus) -> String {
        let perRun = status.virtualMachineSteps / max(1, status.runs)
        var advice = ["\(status.runs) runs", perRun > 10_000 ? "costly" : "cheap"]
        if status.reprepares > 0 { advice.append("compiled again because the schema has changed") }
        if status.sorts == status.runs { advice.append("sorts in each run") }
        if status.automaticIndexRows > 0 { advice.append("lacks an index") }
        // A Bloom filter is worth its memory if it saves most of the look-ups.
        if status.filterHits > status.filterMisses { advice.append("most rows of the other table are never looked up") }
        if status.memoryUsed > 100_000 { advice.append("large") }
        return advice.joined(separator: ", ")
    }

    /// Returns advice on the settings of a connection.
    func advice(on status: ConnectionStatus) -> String {
        var advice: [String] = []
        if status.cacheSpills > 0 {
            advice.append("a transaction wrote more than fits into the cache (PRAGMA cache_size)")
        }
        if status.cacheMisses > status.cacheHits { advice.append("most pages are read from the disk") }
        if status.cacheWrites > 100 { advice.append("commits write many pages") }
        if status.hasDeferredForeignKeys { advice.append("the transaction cannot commit yet") }
        let lookaside = status.lookasideHits + status.lookasideSizeMisses + status.lookasideFullMisses
        if status.lookasideFullMisses * 2 > lookaside, status.lookasideUsed == status.lookasideHighwater {
            advice.append("there are too few slots of lookaside memory")
        }
        if status.cacheUsedShared < status.cacheUsed { advice.append("the cache is shared") }
        if status.statementsUsed + status.schemaUsed > 1_000_000 { advice.append("statements and schema are large") }
        return advice.isEmpty ? "nothing to change" : advice.joined(separator: ", ")
    }
}

func giveAdvice() throws {
    let connection = try Connection("advice.db")
    try connection.execute(
        """
        CREATE TABLE makers(number INTEGER, country TEXT);
        CREATE TABLE owners(id INTEGER PRIMARY KEY, partner INTEGER REFERENCES owners DEFERRABLE INITIALLY DEFERRED);
        CREATE TABLE cars(name TEXT, maker INTEGER);
        WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO cars SELECT 'car ' || i, i FROM n;
        INSERT INTO makers SELECT maker, 'Sweden' FROM cars WHERE maker % 100 = 0;
        ANALYZE;
        """)
    let advisor = Advisor()
    let slow = Log()
    let tokens: [ObserverToken] = [
        connection.addProfileObserver { advisor.observe($0) },
        connection.addSlowStatementObserver(from: .zero, includingValues: true) { (statement: SlowStatement) in
            slow.write(statement.expandedSQL ?? statement.sql)
        },
    ]
    print("Advice:")
    let sql: SQL = "SELECT country FROM cars CROSS JOIN makers ON makers.number = cars.maker ORDER BY country"
    let statement = try connection.prepare(sql)
    try statement.forEach { _ in }
    let _: String = try connection.query("SELECT name FROM cars WHERE name = \("car 7")")
    for token in tokens { token.cancel() }
    for advice in advisor.advice { print("  \(advice)") }
    print("  slow: \(slow.lines.last ?? "none")")

    try statement.forEach { _ in }
    print("  without an index: \(advisor.advice(on: statement.resetStatus()))")
    try connection.execute("CREATE INDEX makers_number ON makers(number, country)")
    for _ in 0..<3 { try statement.forEach { _ in } }
    print("  with an index: \(advisor.advice(on: statement.status))")

    try connection.run("PRAGMA cache_size = 10")
    connection.resetStatus()
    try connection.transaction {
        for number in 0..<200 { try connection.run("INSERT INTO makers VALUES(\(number), zeroblob(2000))") }
    }
    print("  a small cache: \(advisor.advice(on: connection.status))")
    try connection.run("PRAGMA cache_size = -20000")
    connection.resetStatus()
    for _ in 0..<3 { _ = try connection.count("makers") }
    print("  a large cache: \(advisor.advice(on: connection.status))")
    try connection.transaction {
        try connection.run("INSERT INTO owners VALUES(1, 2)")
        print("  one of two partners: \(advisor.advice(on: connection.status))")
        try connection.run("INSERT INTO owners VALUES(2, 1)")
    }
}
