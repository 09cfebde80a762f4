import Squall

/// Transactions that can be recognised afterwards. Each writer numbers its own from 1.
///
/// A transaction inserts some rows, removes an old one's, counts itself for its writer, and takes the next place in the order
/// of all transactions.
enum Batches {
    static let writerCount = 4
    static let rowCount = 5
    /// The number of batches of a writer whose rows are kept.
    private static let keptCount = 8

    static func create(_ connection: Connection) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS rows(
                writer INTEGER, number INTEGER, row INTEGER, place INTEGER, text TEXT, PRIMARY KEY(writer, number, row));
            CREATE INDEX IF NOT EXISTS rows_text ON rows(text);
            CREATE TABLE IF NOT EXISTS totals(writer INTEGER PRIMARY KEY, number INTEGER NOT NULL);
            CREATE TABLE IF NOT EXISTS place(n INTEGER NOT NULL);
            INSERT INTO place SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM place);
            """
        )
        for writer in 0..<writerCount { try connection.run("INSERT OR IGNORE INTO totals VALUES(?, 0)", writer) }
    }

    /// Writes a batch, in a transaction of the caller.
    static func write(_ number: Int, of writer: Int, _ connection: Connection) throws {
        try connection.run("UPDATE place SET n = n + 1")
        for row in 0..<rowCount {
            try connection.run(
                "INSERT INTO rows SELECT ?, ?, ?, n, ? FROM place", writer, number, row, text(writer, number, row))
        }
        try connection.run("DELETE FROM rows WHERE writer = ? AND number <= ?", writer, number - keptCount)
        try connection.run("UPDATE totals SET number = ? WHERE writer = ?", number, writer)
    }

    /// The last number of each writer.
    static func totals(_ connection: Connection) throws -> [Int] {
        try connection.query("SELECT number FROM totals ORDER BY writer")
    }

    /// Returns what is wrong in one snapshot of a file: batches that are written in part, or out of order.
    static func problems(_ connection: Connection, isComplete: Bool) throws -> [String] {
        var problems: [String] = []
        let totals = try totals(connection)
        guard totals.count == writerCount else { return ["there are \(totals.count) writers"] }
        let place: Int = try connection.query("SELECT n FROM place")
        if place != totals.reduce(0, +) {
            problems.append("\(place) transactions have taken a place, and \(totals.reduce(0, +)) have written")
        }
        let counts = try connection.query(
            "SELECT writer, number, count(*) FROM rows GROUP BY writer, number ORDER BY writer, number",
            as: (Int, Int, Int).self)
        for (writer, total) in totals.enumerated() {
            let found = counts.filter { $0.0 == writer }
            let first = max(1, total - keptCount + 1)
            if found.map(\.1) != (total == 0 ? [] : [Int](first...total)) {
                problems.append("writer \(writer) has written \(total) batches, and \(found.map(\.1)) are there")
            }
            for (_, number, count) in found where count != rowCount {
                problems.append("batch \(number) of writer \(writer) has \(count) rows")
            }
        }
        if isComplete { problems += try textProblems(connection) + connection.integrityCheck() }
        return problems
    }

    private static func textProblems(_ connection: Connection) throws -> [String] {
        let sql: SQL = "SELECT writer, number, row, text FROM rows"
        let rows: [(Int, Int, Int, String)] = try connection.query(sql) { row in
            (try row.get(0), try row.get(1), try row.get(2), try row.get(3))
        }
        return rows.filter { $0.3 != text($0.0, $0.1, $0.2) }
            .map { "row \($0.2) of batch \($0.1) of writer \($0.0) has another text" }
    }

    private static func text(_ writer: Int, _ number: Int, _ row: Int) -> String {
        String(repeating: "\(number) \(row) \(writer) ", count: 20 + (number * 7 + row) % 30)
    }
}
