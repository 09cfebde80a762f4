import Squall

/// Transactions and savepoints of a connection, with a cache so small that pages are written before the commit.
struct TransactionScenario: Scenario {
    let journalMode: Configuration.JournalMode

    var name: String { "transactions in \(journalMode.rawValue) mode" }

    func prepare(_ connection: Connection) throws {
        try connection.execute(
            """
            PRAGMA journal_mode = \(raw: journalMode.rawValue);
            CREATE TABLE accounts(id INTEGER PRIMARY KEY, balance INTEGER);
            CREATE TABLE log(id INTEGER PRIMARY KEY, text TEXT);
            CREATE INDEX log_text ON log(text);
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 40)
            INSERT INTO accounts SELECT i, 100 FROM c;
            """
        )
    }

    func open(_ folder: String) async throws -> Connection {
        let connection = try Connection("\(folder)/main.db", configuration: .laboratory(journalMode))
        try connection.execute("PRAGMA cache_size = 5")
        return connection
    }

    var steps: [Step<Connection>] {
        [
            Step { connection in
                try connection.transaction(transactionType: .immediate) {
                    try connection.run("UPDATE accounts SET balance = balance - 1 WHERE id % 2 = 0")
                    try connection.run("UPDATE accounts SET balance = balance + 1 WHERE id % 2 = 1")
                    for id in 1...30 {
                        let text = String(repeating: "entry \(id) ", count: 40)
                        try connection.run("INSERT INTO log(id, text) VALUES(?, ?)", id, text)
                    }
                }
            },
            Step { connection in
                let sum: Int = try connection.query("SELECT sum(balance) FROM accounts")
                try expect(sum, 4000)
                let lengths: [Int] = try connection.query("SELECT length(text) FROM log ORDER BY text LIMIT 2")
                try expect(lengths, [320, 360])
            },
            Step { connection in try outerAndInner(connection) },
            Step { connection in
                struct Stop: Error {}
                do {
                    try connection.savepoint {
                        try connection.run("DELETE FROM log")
                        throw Stop()
                    }
                } catch is Stop {}
            },
        ]
    }

    /// A transaction with one savepoint that is kept, and one that is rolled back.
    private func outerAndInner(_ connection: Connection) throws {
        struct Stop: Error {}
        try connection.transaction {
            try connection.savepoint(named: "kept") {
                try connection.run("UPDATE log SET text = upper(text) WHERE id < 10")
            }
            do {
                try connection.savepoint(named: "undone") {
                    try connection.run("UPDATE accounts SET balance = 0")
                    throw Stop()
                }
            } catch is Stop {}
        }
    }
}
