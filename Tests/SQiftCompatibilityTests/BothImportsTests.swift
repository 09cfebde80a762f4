import Foundation
import SQiftCompatibility
import Squall
import Testing

/// A file with both imports: a name that moved to SQiftCompatibility is not ambiguous in it.
struct BothImportsTests {
    private let database: Database

    init() throws {
        database = try Database(storageLocation: .inMemory)
    }

    @Test func verbsOfADatabase() throws {
        try database.executeWrite { connection in
            try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)")
            try connection.transaction { try connection.run("INSERT INTO cars VALUES(?, ?)", 1, "Audi") }
        }
        let name: String? = try database.executeRead { try $0.query("SELECT name FROM cars WHERE id = ?", 1) }
        #expect(name == "Audi")
    }

    @Test func settersOfHooks() throws {
        let connection = try Connection(storageLocation: .inMemory)
        try connection.execute("CREATE TABLE cars(name TEXT)")
        var calls: [String] = []
        connection.updateHook { type, databaseName, tableName, rowID in
            calls.append("\(type) \(databaseName ?? "") \(tableName ?? "") \(rowID)")
        }
        connection.commitHook {
            calls.append("commit")
            return false
        }
        connection.rollbackHook { calls.append("rollback") }
        connection.trace { calls.append($0) }
        connection.traceEvent(mask: Connection.TraceEvent.profileMask) { event in
            if case .profile(let statement, _) = event { calls.append("end of \(statement)") }
        }
        try connection.authorizer { action, _, _, _, _ in action == .dropTable ? .deny : .ok }
        try connection.run("INSERT INTO cars VALUES(?)", "Audi")
        let sql = "INSERT INTO cars VALUES('Audi')"
        #expect(calls == [sql, "insert main cars 1", "commit", "end of \(sql)"])
        connection.updateHook(nil)
        connection.commitHook(nil)
        connection.rollbackHook(nil)
        connection.trace(nil)
        connection.traceEvent(closure: nil)
        #expect(throws: SQLiteError.self) { try connection.execute("DROP TABLE cars") }
        try connection.authorizer(nil)
        try connection.execute("DROP TABLE cars")
    }

    @Test func namesOfConnectionsAndRows() throws {
        let connection = try Connection(storageLocation: .inMemory)
        #expect(connection.createCollation(named: "c") { $0.compare($1) } == nil)
        try connection.forEach("SELECT ? AS a, ? AS b", 7, NSNull()) { row in
            #expect(row.value(at: 0) == 7)
            #expect(row.value(at: 1) as Int? == nil)
            #expect(row.value(forColumnName: "a") == 7)
        }
        let counts: [String: Int] = try connection.query("SELECT 'a' UNION ALL SELECT 'b'") { known, row in
            (try row.get(0) as String, known.count)
        }
        #expect(counts == ["a": 0, "b": 1])
        #expect(try connection.prepare("SELECT ? IS NULL").query() == true)
        let width: CGFloat = try connection.query("SELECT 1.5")
        #expect(width == 1.5)
    }

    @Test func strings() throws {
        let page: any Page = BothImports(connection: try Connection(storageLocation: .inMemory))
        #expect(try page.result == ["it's", "1", "1", "1", "1", "SCAN cars"])
    }
}

extension BothImportsTests {
    /// Compiled, and not called: it would end on another thread.
    private func backUp(_ connection: Connection, to other: Connection) throws -> Progress {
        try connection.backup(to: other) { (_: Connection.BackupResult) in }
    }
}

private protocol Page {
    var result: [String] { get throws }
}

private struct BothImports: Page {
    let connection: Connection

    @available(*, deprecated)
    var result: [String] {
        get throws {
            var lines: [String] = []
            let create = "CREATE TABLE cars(name TEXT)"
            let insert = "INSERT INTO cars VALUES(?)"
            let select = "SELECT name FROM cars WHERE name = " + "it's".sqift.addingSQLEscapes()
            let count = "SELECT count(*) FROM cars"
            try connection.execute(create)
            try connection.run(insert, "it's")
            try connection.forEach(select) { lines.append($0[0]) }
            lines.append("\(try connection.query(count) as Int)")
            lines.append("\(try connection.prepare(count).query() as Int)")
            lines.append("\(try Statement(connection: connection, sql: count).query() as Int)")
            let migrator = Migrator(connection: connection, desiredSchemaVersion: 1)
            lines.append("\(try migrator.runMigrationsIfNecessary { _ -> String in "CREATE TABLE bikes(a)" })")
            return lines + (try connection.explainQueryPlan("SELECT * FROM " + "cars").nodes.map(\.detail))
        }
    }
}
