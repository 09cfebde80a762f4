import Squall
import SquallTestSupport
import Testing

/// A table in memory that SQL writes, with transactions and savepoints.
private final class Store: WritableTableSource {
    typealias Item = (id: Int64, name: String?, size: Int)

    private(set) var items: [Int64: Item] = [:]
    private(set) var calls: [String] = []
    /// The content at each level of the transaction.
    private var levels: [(level: Int, items: [Int64: Item])] = []
    var failsToSync = false

    let columns = [
        VirtualColumn<Item>("name", \.name),
        VirtualColumn("size", \.size),
    ]

    func rows(_ scan: borrowing Scan) -> [Item] { items.values.sorted { $0.id < $1.id } }

    func rowID(of row: Item) -> Int64? { row.id }

    func insert(_ row: borrowing WrittenRow) throws -> Int64 {
        let size = try checkedSize(row)
        let id = row.rowID ?? (items.keys.max() ?? 0) + 1
        if items[id] != nil {
            guard row.conflict == .replace else { throw SQLiteError(code: 2579, message: "rowid \(id) is there") }
        }
        items[id] = (id, try row.get("name"), size)
        return id
    }

    func update(_ rowID: Int64, _ row: borrowing WrittenRow) throws {
        guard items[rowID] != nil, let new = row.rowID else { throw SQLiteError(code: 1, message: "no row") }
        let size = try checkedSize(row)
        let name: String? = try row.get(0)
        calls.append("update")
        if new != rowID, items[new] != nil { throw SQLiteError(code: 2579, message: "rowid \(new) is there") }
        items[rowID] = nil
        items[new] = (new, name, size)
    }

    func delete(_ rowID: Int64) throws {
        items[rowID] = nil
    }

    private func checkedSize(_ row: borrowing WrittenRow) throws -> Int {
        let size: Int = try row.get("size")
        if size < 0 { throw SQLiteError(code: 275, message: "size must not be negative") }
        return size
    }

    func begin() {
        calls.append("begin")
        levels = [(0, items)]
    }

    func sync() throws {
        calls.append("sync")
        if failsToSync { throw ScanError.three }
    }

    func commit() {
        calls.append("commit")
        levels = []
    }

    func rollBack() {
        calls.append("rollBack")
        rollBack(to: 0)
        levels = []
    }

    func savepoint(_ level: Int) {
        release(level)
        levels.append((level, items))
    }

    func release(_ level: Int) { levels.removeAll { $0.level >= level } }

    func rollBack(to level: Int) {
        levels.removeAll { $0.level > level }
        if let kept = levels.last { items = kept.items }
    }
}

/// A table to which rows are only added. It implements neither transactions nor savepoints.
private final class Journal: WritableTableSource {
    private var lines: [String] = []

    let columns = [VirtualColumn<String>("line") { $0 }, .parameter("topic", isRequired: false)]

    func rows(_ scan: borrowing Scan) throws -> [String] { lines }

    func insert(_ row: borrowing WrittenRow) throws -> Int64 {
        let line: String = try row.get("line")
        if line.isEmpty { let _: String? = try row.get(row.count) }
        if line == "?" { let _: String? = try row.get("nothing") }
        lines.append(line)
        return Int64(lines.count)
    }

    func update(_ rowID: Int64, _ row: borrowing WrittenRow) throws { throw ScanError.three }
    func delete(_ rowID: Int64) throws { throw ScanError.three }
}

struct WritableTableTests {
    let connection: Connection
    private let store = Store()

    init() throws {
        connection = try Connection(":memory:")
        let store = store
        try connection.register(named: "items") { _ in store }
    }

    private func expectContent(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let content: String? = try connection.query("SELECT group_concat(rowid || name || size) FROM items")
        #expect((content ?? "") == expected, sourceLocation: sourceLocation)
    }

    @Test func rowsAreInsertedUpdatedAndDeleted() throws {
        try connection.run("INSERT INTO items(name, size) VALUES(?, ?), ('b', 2), ('c', 3)", "a", 1)
        #expect(connection.lastInsertRowID == 3)
        try expectContent("1a1,2b2,3c3")
        try connection.run("UPDATE items SET size = size * 10 WHERE name <> 'b'")
        try expectContent("1a10,2b2,3c30")
        try connection.run("DELETE FROM items WHERE size = 2")
        try expectContent("1a10,3c30")
        try connection.run("INSERT INTO items(rowid, name, size) VALUES(9, 'i', 4)")
        try connection.run("UPDATE items SET rowid = 8 WHERE rowid = 9")
        try expectContent("1a10,3c30,8i4")
        #expect(store.calls.suffix(4) == ["begin", "update", "sync", "commit"])
    }

    @Test func valuesOfTheWrongTypeAreErrors() throws {
        let error = try sqliteError { try connection.run("INSERT INTO items VALUES('a', 'big')") }
        #expect(error.resultCode == .mismatch)
        #expect(error.message.hasPrefix("items, size: expected Int, found TEXT"))
        #expect(try sqliteError { try connection.run("INSERT INTO items(name) VALUES('a')") }.resultCode == .mismatch)
        try connection.run("INSERT INTO items VALUES(NULL, 1)")
        #expect(try connection.query("SELECT count(*) FROM items WHERE name IS NULL") == 1)
    }

    @Test func aTransactionIsBegunAndEndedOnce() throws {
        try connection.transaction {
            try connection.run("INSERT INTO items VALUES('a', 1)")
            try connection.run("INSERT INTO items VALUES('b', 2)")
        }
        #expect(store.calls == ["begin", "sync", "commit"])
        #expect(throws: ScanError.three) {
            try connection.transaction {
                try connection.run("DELETE FROM items")
                throw ScanError.three
            }
        }
        #expect(store.calls == ["begin", "sync", "commit", "begin", "rollBack"])
        try expectContent("1a1,2b2")
    }

    @Test func aFailedStatementTakesItsChangesBack() throws {
        try connection.run("INSERT INTO items VALUES('a', 1)")
        try connection.transaction {
            try connection.run("INSERT INTO items VALUES('b', 2)")
            let error = try sqliteError { try connection.run("INSERT INTO items VALUES('c', 3), ('d', -1)") }
            #expect(error.message == "size must not be negative")
            #expect(error.extendedCode == 275)
            try expectContent("1a1,2b2")
        }
        try expectContent("1a1,2b2")
    }

    @Test func rollingBackToASavepointKeepsWhatWasBefore() throws {
        try connection.execute(
            """
            BEGIN; INSERT INTO items VALUES('a', 1); SAVEPOINT one; INSERT INTO items VALUES('b', 2); SAVEPOINT two;
            DELETE FROM items WHERE name = 'a'; INSERT INTO items VALUES('c', 3)
            """
        )
        try expectContent("2b2,3c3")
        try connection.execute("ROLLBACK TO two")
        try expectContent("1a1,2b2")
        try connection.execute("INSERT INTO items VALUES('d', 4); RELEASE two; ROLLBACK TO one")
        try expectContent("1a1")
        try connection.execute("INSERT INTO items VALUES('e', 5); RELEASE one; COMMIT")
        try expectContent("1a1,2e5")
        #expect(throws: ScanError.three) {
            try connection.savepoint {
                try connection.run("DELETE FROM items")
                throw ScanError.three
            }
        }
        try expectContent("1a1,2e5")
    }

    @Test func conflictsAreTreatedAsTheStatementSays() throws {
        try connection.run("INSERT INTO items(rowid, name, size) VALUES(1, 'a', 1)")
        let insert = { (verb: String) in
            try connection.run("\(raw: verb) INTO items(rowid, name, size) VALUES(2, 'b', 2), (1, 'x', 9), (3, 'c', 3)")
        }
        let error = try sqliteError { try insert("INSERT") }
        #expect((error.resultCode, error.message) == (.constraint, "rowid 1 is there"))
        try expectContent("1a1")
        try insert("INSERT OR IGNORE")
        try expectContent("1a1,2b2,3c3")
        try connection.run("DELETE FROM items WHERE rowid > 1")
        try insert("REPLACE")
        try expectContent("1x9,2b2,3c3")
        try connection.run("DELETE FROM items WHERE rowid > 1")
        #expect(throws: SQLiteError.self) { try insert("INSERT OR FAIL") }
        try expectContent("1x9,2b2")
        try connection.execute("BEGIN; INSERT INTO items VALUES('z', 26)")
        #expect(throws: SQLiteError.self) { try insert("INSERT OR ROLLBACK") }
        #expect(!connection.isInTransaction)
        try expectContent("1x9,2b2")
    }

    @Test func anUpdateHasTheOldValuesOfColumnsThatItDoesNotSet() throws {
        try connection.run("INSERT INTO items VALUES('a', 1), ('b', 2)")
        try connection.run("UPDATE items SET size = 7 WHERE rowid = 2")
        try expectContent("1a1,2b7")
        try connection.run("UPDATE items SET name = name || '!', size = size + 1")
        try expectContent("1a!2,2b!8")
    }

    @Test func aDatabaseThrowsTheErrorOfASyncToo() throws {
        let directory = try TemporaryDirectory()
        let failing = Shared(Store())
        failing.value.failsToSync = true
        let database = try Database(
            directory.file("a.db"),
            preparation: { connection in
                try connection.register(named: "items") { _ in failing.value }
            })
        #expect(throws: ScanError.three) {
            try database.blocking.write { try $0.run("INSERT INTO items VALUES('a', 1)") }
        }
    }

    @Test func aFailedSyncTakesTheTransactionBack() throws {
        try connection.execute("CREATE TABLE beside(a INTEGER)")
        store.failsToSync = true
        #expect(throws: ScanError.three) {
            try connection.transaction {
                try connection.run("INSERT INTO items VALUES('a', 1)")
                try connection.run("INSERT INTO beside VALUES(1)")
            }
        }
        try expectContent("")
        #expect(try connection.query("SELECT count(*) FROM beside") == 0)
        #expect(!connection.isInTransaction)
    }

    @Test func readersAreNotWritten() throws {
        try connection.register(named: "squares") { _ in Squares() }
        for sql in ["INSERT INTO squares VALUES(1, 1, 1)", "DELETE FROM squares", "UPDATE squares SET n = 1"] {
            #expect(
                try sqliteError { try connection.run("\(raw: sql)") }.message == "table squares may not be modified",
                "\(sql)")
        }
    }

    @Test func statementsCombineItWithOrdinaryTables() throws {
        try connection.execute("CREATE TABLE beside(a TEXT, b INTEGER); INSERT INTO beside VALUES('x', 7), ('y', 8)")
        try connection.run("INSERT INTO items SELECT a, b FROM beside")
        try expectContent("1x7,2y8")
        try connection.run("UPDATE items SET size = (SELECT b + 1 FROM beside WHERE a = name)")
        try expectContent("1x8,2y9")
        try connection.run("DELETE FROM items WHERE name IN (SELECT a FROM beside WHERE b = 7)")
        try expectContent("2y9")
    }

    private func registerJournal() throws {
        let journal = Journal()
        try connection.register(named: "journal") { _ in journal }
    }

    @Test func aTableWithoutSavepointsKeepsItsRows() throws {
        try registerJournal()
        try connection.execute(
            """
            BEGIN; INSERT INTO journal(line) VALUES('a'); SAVEPOINT one; INSERT INTO journal(line) VALUES('b');
            ROLLBACK TO one; COMMIT
            """)
        #expect(try connection.query("SELECT line FROM journal") == ["a", "b"])
    }

    @Test func aColumnThatAWrittenRowDoesNotHaveIsAnError() throws {
        try registerJournal()
        let error = try sqliteError { try connection.run("INSERT INTO journal(line) VALUES('')") }
        #expect((error.resultCode, error.message) == (.range, "journal has no column 1"))
        let other = try sqliteError { try connection.run("INSERT INTO journal(line) VALUES('?')") }
        #expect((other.resultCode, other.message) == (.range, "journal has no column nothing"))
    }

    @Test func aParameterCannotBeWritten() throws {
        try registerJournal()
        let error = try sqliteError { try connection.run("INSERT INTO journal(line, topic) VALUES('a', 'b')") }
        #expect(error.message == "topic is a parameter of journal, which cannot be stored")
        #expect(try connection.query("SELECT count(*) FROM journal") == 0)
    }
}
