import Squall
import SquallTestSupport
import Testing

/// Changes of indexes and columns in a function that a statement calls which writes.
struct SchemaChangeTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            "CREATE TABLE t(a INTEGER, b TEXT); CREATE TABLE other(a); INSERT INTO t VALUES(1, 'x'), (2, 'y'), (3, 'z')"
        )
    }

    /// Adds a function that runs SQL once, and returns what it has thrown.
    private func addFunction(running sql: SQL, _ failed: @escaping (SQLiteError) -> Void) throws {
        var isFirst = true
        // Unowned: the connection owns the function.
        try connection.addFunction("changes_schema") { [unowned connection] (number: Int) in
            defer { isFirst = false }
            do {
                if isFirst { try connection.execute(sql) }
            } catch let error as SQLiteError {
                failed(error)
            }
            return number + 1
        }
    }

    @Test(
        arguments: [
            "CREATE INDEX t_a ON t(a)", "/* for b */ CREATE UNIQUE INDEX t_b ON t(b)", "ALTER TABLE t DROP COLUMN b",
            "ALTER TABLE t ADD COLUMN c", "REINDEX",
        ] as [SQL])
    func theyAreRefused(sql: SQL) throws {
        var codes: [ResultCode] = []
        try addFunction(running: sql) { codes.append($0.resultCode) }
        // SQLite itself runs the statement. The new index then has the rows as they were before the update.
        try connection.execute("CREATE INDEX t_b_a ON t(b, a)")
        try connection.run("UPDATE t SET a = changes_schema(a)")
        #expect(codes == [.locked])
        #expect(try connection.query("SELECT sum(a) FROM t") == 9)
        #expect(try connection.integrityCheck() == [])
        let texts: [String] = try connection.query("SELECT b FROM t")
        #expect(texts == ["x", "y", "z"])
    }

    @Test func otherStatementsCanRun() throws {
        var errors: [SQLiteError] = []
        try addFunction(running: "CREATE TABLE new(a); INSERT INTO other VALUES(1); CREATE VIEW v AS SELECT a FROM t") {
            errors.append($0)
        }
        try connection.run("UPDATE t SET a = changes_schema(a)")
        #expect(errors.isEmpty)
        #expect(try connection.query("SELECT count(*) FROM other") == 1)
    }

    @Test func aFunctionOfAQueryCanAddAnIndex() throws {
        var errors: [SQLiteError] = []
        try addFunction(running: "CREATE INDEX t_a ON t(a)") { errors.append($0) }
        let numbers: [Int] = try connection.query("SELECT changes_schema(a) FROM t")
        #expect(errors.isEmpty)
        #expect(numbers == [2, 3, 4])
        #expect(try connection.integrityCheck() == [])
    }

    /// Only the statements of the virtual table write to tables, after the function has returned.
    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func aFunctionOfAStatementThatWritesAVirtualTableCanAddAnIndex()
        throws
    {
        try connection.execute("CREATE VIRTUAL TABLE search USING fts5(text)")
        var errors: [SQLiteError] = []
        try addFunction(running: "CREATE INDEX t_a ON t(a)") { errors.append($0) }
        try connection.run("INSERT INTO search(text) VALUES(changes_schema(1))")
        #expect(errors.isEmpty)
        #expect(try connection.query("SELECT text FROM search") == 2)
        #expect(try connection.integrityCheck() == [])
    }

    @Test func aVirtualTableCanMakeItsTablesWhenItIsCreated() throws {
        struct Backed: VirtualTable {
            // Used by this test only, on its thread.
            nonisolated(unsafe) static weak var connection: Connection?
            init(_ arguments: TableArguments) throws {
                try Self.connection?.execute("CREATE TABLE backing(a); CREATE INDEX backing_a ON backing(a)")
            }
            var columns: [VirtualColumn<Int>] { [VirtualColumn("a") { $0 }] }
            func rows(_ scan: borrowing Scan) -> [Int] { [1] }
        }
        Backed.connection = connection
        try connection.register(Backed.self, named: "backed")
        try connection.execute("CREATE VIRTUAL TABLE v USING backed")
        #expect(try connection.query("SELECT a FROM v") == 1)
        #expect(try connection.integrityCheck() == [])
    }
}
