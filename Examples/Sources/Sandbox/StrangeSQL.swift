import Squall

/// A connection of a stranger, who may send any SQL.
final class Guest {
    let connection: Connection
    private let permissions = Permissions()
    /// The authorizer is asked as long as nothing cancels it.
    private let authorizer: ObserverToken

    init(configuration: Configuration = .recommended) throws {
        var configuration = configuration
        // Statements of strangers are not repeated: keeping them would only take memory.
        configuration.statementCacheCapacity = 0
        let mode: Connection.Mode = .readOnly
        connection = try Connection("shop.db", mode: mode, configuration: configuration)
        let decide: Connection.Authorizer = { [permissions] action, object, detail, database, _ in
            permissions.decide(action, object, detail, database)
        }
        authorizer = connection.addAuthorizer(decide)
    }

    /// Runs a statement, and prints its rows, or the reasons for which it was refused.
    func send(_ text: String) {
        let title = text.count > 70 ? text.prefix(70) + " …" : text[...]
        do {
            let rows: [Row] = try connection.query(SQL(raw: text))
            let lines = rows.map { row in row.values.map { $0.map { "\($0)" } ?? "NULL" }.joined(separator: ", ") }
            print("  \(title)\(lines.isEmpty ? "" : " -> \(lines.joined(separator: "; "))")")
        } catch let error as SQLiteError {
            let reasons = permissions.takeRefusals()
            print("  \(title): \(reasons.first ?? error.message)")
        } catch {
            print("  \(title): \(error)")
        }
    }

    /// Ends the supervision of what the guest sends.
    func trust() { authorizer.cancel() }
}

func sendStrangeSQL() throws {
    let guest = try Guest()
    print("Reading, and notes in temporary tables:")
    guest.send("SELECT name, password FROM customers WHERE id = 1")
    guest.send("CREATE TEMP TABLE notes(id INTEGER PRIMARY KEY, text)")
    guest.send("CREATE TEMP TABLE log(text)")
    guest.send("CREATE INDEX temp.notes_text ON notes(text)")
    guest.send("CREATE TEMP TRIGGER logs AFTER INSERT ON notes BEGIN INSERT INTO log VALUES(new.text); END")
    guest.send("CREATE TEMP VIEW loud AS SELECT upper(text) FROM log")
    guest.send("INSERT INTO notes(text) SELECT 'hello ' || name FROM customers WHERE id < 3")
    guest.send("SELECT * FROM loud")
    guest.send("ALTER TABLE notes RENAME TO remarks")
    guest.send("DROP VIEW loud")
    guest.send("PRAGMA table_info(log)")
    let cache: StatementCacheStatistics = guest.connection.statementCache
    print("  \(cache.count) of at most \(cache.capacity) statements were kept, \(cache.evictions) were evicted")

    print("Refused:")
    guest.send("UPDATE customers SET name = 'Eve'")
    guest.send("CREATE TABLE mine(a)")
    guest.send("CREATE VIEW names AS SELECT name FROM customers")
    guest.send("CREATE TRIGGER spy AFTER DELETE ON customers BEGIN SELECT 1; END")
    guest.send("CREATE VIRTUAL TABLE words USING fts5(text)")
    guest.send("DROP TABLE customers")
    guest.send("ALTER TABLE customers ADD COLUMN age")
    guest.send("ATTACH 'other.db' AS other")
    guest.send("DETACH temp")
    guest.send("PRAGMA journal_mode = DELETE")
    guest.send("ANALYZE")
    guest.send("REINDEX customers_name")

    guest.trust()
    print("Trusted, the guest can read everything:")
    guest.send("SELECT name, password FROM customers WHERE id = 1")
}
