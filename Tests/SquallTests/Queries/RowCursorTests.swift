import Foundation
import Squall
import SquallTestSupport
import Testing

/// Cursors: rows one at a time, in a loop that can stop.
struct RowCursorTests {
    let connection: Connection

    struct Car: ExpressibleByRow {
        let id: Int
        init(row: Row) throws { id = try row.get("id") }
    }

    struct Named: Decodable {
        let id: Int
        let name: String
    }

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)")
        try connection.execute("INSERT INTO cars VALUES(1, 'Audi', 52642), (2, 'Saab', NULL), (3, 'Škoda', 9000)")
    }

    @Test func aLoopReadsTuplesAndStops() throws {
        var rows = try connection.rows("SELECT id, name FROM cars ORDER BY id", as: (Int, String).self)
        var seen: [String] = []
        while let (id, name) = try rows.next() {
            seen.append("\(id) \(name)")
            if id == 2 { break }
        }
        #expect(seen == ["1 Audi", "2 Saab"])
        #expect(try rows.next()?.1 == "Škoda")
        #expect(try rows.next() == nil)
        #expect(try rows.next() == nil)
        // It has returned its statement at the end.
        try connection.execute("DROP TABLE cars")
    }

    @Test func aCursorThatStopsReturnsItsStatementAtTheEndOfItsScope() throws {
        do {
            var rows = try connection.rows("SELECT id, name FROM cars", as: (Int, String).self)
            _ = try rows.next()
            #expect(throws: SQLiteError.self) { try connection.execute("DROP TABLE cars") }
        }
        let hits = connection.statementCache.hits
        do {
            var rows = try connection.rows("SELECT id, name FROM cars", as: (Int, String).self)
            #expect(try rows.next()?.0 == 1)
        }
        #expect(connection.statementCache.hits == hits + 1)
        try connection.execute("DROP TABLE cars")
    }

    @Test func everyTypeOfARowHasACursor() throws {
        var ids = try connection.rows("SELECT id FROM cars", as: Int.self)
        #expect(try ids.next() == 1)
        var prices = try connection.rows("SELECT price FROM cars ORDER BY id", as: Int.self)
        #expect(try [prices.next(), prices.next(), prices.next()] == [52642, 9000, nil])
        var optional = try connection.rows("SELECT price FROM cars ORDER BY id", as: Int?.self)
        var list: [Int?] = []
        while let price = try optional.next() { list.append(price) }
        #expect(list == [52642, nil, 9000])
        var cars = try connection.rows("SELECT * FROM cars", as: Car.self)
        #expect(try cars.next()?.id == 1)
        var named = try connection.rows("SELECT * FROM cars", as: Named.self)
        #expect(try named.next()?.name == "Audi")
        var rows = try connection.rows("SELECT * FROM cars")
        var kept: [Row] = []
        while let row = try rows.next() { kept.append(row) }
        #expect(kept.map(\.valuesText) == ["[1, 'Audi', 52642]", "[2, 'Saab', NULL]", "[3, 'Škoda', 9000]"])
    }

    @Test func valuesAreGivenInEveryForm() throws {
        let name = "Saab"
        var interpolated = try connection.rows("SELECT id, 1 FROM cars WHERE name = \(name)", as: (Int, Int).self)
        #expect(try interpolated.next()?.0 == 2)
        var inOrder = try connection.rows(
            "SELECT id, 1 FROM cars WHERE name = ? AND ? IS NULL", name, nil, as: (Int, Int).self)
        #expect(try inOrder.next()?.0 == 2)
        var listed = try connection.rows("SELECT id, 1 FROM cars WHERE name = ?", [name], as: (Int, Int).self)
        #expect(try listed.next()?.0 == 2)
        var byName = try connection.rows("SELECT id FROM cars WHERE name = :n", ["n": name], as: Int.self)
        #expect(try byName.next() == 2)
        var decoded = try connection.rows("SELECT * FROM cars WHERE name = :n", ["n": name], as: Named.self)
        #expect(try decoded.next()?.id == 2)
        var plain = try connection.rows("SELECT id FROM cars WHERE name = ?", name)
        #expect(try plain.next()?.get(0) == 2)
        var list = try connection.rows("SELECT id FROM cars WHERE name = ?", ["Saab"])
        #expect(try list.next()?.get(0) == 2)
        #expect(throws: SQLiteError.self) { _ = try connection.rows("SELECT id FROM cars WHERE name = ?") }
        #expect(throws: SQLiteError.self) { _ = try connection.rows("SELECT nothing FROM cars") }
        #expect(try errorKind { _ = try connection.rows("SELECT \(1)", 2) } == .mixedParameters)
        // Neither of them has kept its statement.
        try connection.execute("ALTER TABLE cars ADD COLUMN doors")
    }

    /// The memory of a value that was bound without a copy is only valid during the call.
    @Test func largeValuesOutliveTheCall() throws {
        let size = 100_000
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        memory.initializeMemory(as: UInt8.self, repeating: 7)
        let data = Data(bytesNoCopy: try #require(memory.baseAddress), count: size, deallocator: .none)
        var rows = try connection.rows("SELECT ? UNION ALL SELECT x'00'", data, as: Data.self)
        memory.initializeMemory(as: UInt8.self, repeating: 9)
        #expect(try rows.next()?.allSatisfy { $0 == 7 } == true)
        memory.deallocate()
    }

    @Test func theSameQueryInsideItsLoopAndASecondCursor() throws {
        let sql: SQL = "SELECT id, name FROM cars ORDER BY id"
        var outer = try connection.rows(sql, as: (Int, String).self)
        var pairs: [String] = []
        while let (id, _) = try outer.next() {
            var inner = try connection.rows(sql, as: (Int, String).self)
            while let (other, _) = try inner.next() { pairs.append("\(id)\(other)") }
            #expect(try connection.query(sql, as: (Int, String).self).count == 3)
        }
        #expect(pairs == ["11", "12", "13", "21", "22", "23", "31", "32", "33"])
    }

    @Test func aConnectionThatIsClosedInTheLoopEndsIt() throws {
        var rows = try connection.rows("SELECT id, name FROM cars", as: (Int, String).self)
        _ = try rows.next()
        var kept = try connection.rows("SELECT * FROM cars")
        let row = try #require(try kept.next())
        connection.close()
        do {
            _ = try rows.next()
            Issue.record("a row of a closed connection")
        } catch let error as SQLiteError {
            #expect(error.kind == .closed(.connection))
        }
        #expect(try rows.next() == nil)
        #expect(row.valuesText == "[1, 'Audi', 52642]")
        #expect(throws: SQLiteError.self) { _ = try connection.rows("SELECT 1") }
    }

    @Test func aRollbackInTheLoopEndsIt() throws {
        var errors: [SQLiteError.Kind] = []
        try? connection.transaction {
            try connection.run("UPDATE cars SET price = 1")
            var rows = try connection.rows("SELECT id, name FROM cars", as: (Int, String).self)
            _ = try rows.next()
            try? connection.savepoint(named: "s") {
                try connection.run("DELETE FROM cars")
                throw CancellationError()
            }
            #expect(try rows.next()?.0 == 2)
            try? connection.run("ROLLBACK")
            do { _ = try rows.next() } catch let error as SQLiteError { errors.append(error.kind) }
            #expect(try rows.next() == nil)
        }
        #expect(try connection.query("SELECT count(*) FROM cars") == 3)
        #expect(errors.count <= 1)
        var kept = try connection.rows("SELECT id FROM cars", as: Int.self)
        _ = try kept.next()
        try? connection.transaction {
            try connection.run("UPDATE cars SET price = 1")
            throw CancellationError()
        }
        // SQLite lets a statement that began before continue, or aborts it; either is well defined.
        do {
            let next = try kept.next()
            #expect(next == 2)
        } catch let error as SQLiteError {
            #expect(error.extendedResultCode == .transactionLost || error.resultCode == .abort)
        }
    }

    private func drain<T>(_ rows: consuming RowCursor<T>) throws -> Int {
        var count = 0
        while try rows.next() != nil { count += 1 }
        return count
    }

    private func first<T>(_ rows: consuming RowCursor<T>) throws -> T? { try rows.next() }

    @Test func aFunctionThatConsumesACursorEndsIt() throws {
        #expect(try drain(connection.rows("SELECT id, name FROM cars", as: (Int, String).self)) == 3)
        let rows = try connection.rows("SELECT id FROM cars", as: Int.self)
        #expect(try first(rows) == 1)
        try connection.execute("DROP TABLE cars")
    }

    @Test func aCursorThatOutlivesTheClosureOfADatabaseThrows() throws {
        let directory = try TemporaryDirectory()
        for database in [try Database(directory.file("a.db")), try Database()] {
            try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(x); INSERT INTO t VALUES(1), (2), (3)") }
            var begun: RowCursor<Int>?
            var fresh: RowCursor<(Int, Int)>?
            try database.blocking.read { connection in
                begun = try connection.rows("SELECT x FROM t", as: Int.self)
                #expect(try begun?.next() == 1)
                fresh = try connection.rows("SELECT x, x FROM t", as: (Int, Int).self)
            }
            func next() throws { _ = try begun?.next() }
            func nextOfFresh() throws { _ = try fresh?.next() }
            #expect(try errorKind(next) == .connectionReturned)
            #expect(try errorKind(next) == .connectionReturned)
            #expect(try errorKind(nextOfFresh) == .connectionReturned)
            // The connection is used again meanwhile, and its statement is in its cache again.
            for _ in 0..<3 { #expect(try database.blocking.read { try $0.query("SELECT x FROM t") } == [1, 2, 3]) }
            try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM t") }
            begun = nil
            fresh = nil
            #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM t") } == 0)
        }
    }

    @Test func aCursorKeepsItsConnection() throws {
        var rows: RowCursor<Int>?
        do {
            let connection = try Connection()
            try connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES(1), (2)")
            rows = try connection.rows("SELECT x FROM t", as: Int.self)
        }
        #expect(try rows?.next() == 1)
        #expect(try rows?.next() == 2)
        #expect(try rows?.next() == nil)
    }

    @Test func aRowThatDoesNotFitIsSkippedByTheNextCall() throws {
        var rows = try connection.rows("SELECT id, price FROM cars ORDER BY id", as: (Int, Int).self)
        #expect(try rows.next()?.1 == 52642)
        do {
            _ = try rows.next()
            Issue.record("NULL is not an Int")
        } catch let error as ConversionError {
            #expect(error.columnName == "price")
        }
        #expect(try rows.next()?.1 == 9000)
    }

    @Test func aWriteRunsWithTheFirstRow() throws {
        var rows = try connection.rows("DELETE FROM cars WHERE id < 3 RETURNING id, name", as: (Int, String).self)
        #expect(try connection.query("SELECT count(*) FROM cars") == 3)
        #expect(try rows.next()?.1 == "Audi")
        #expect(try connection.query("SELECT count(*) FROM cars") == 1)
        #expect(try rows.next()?.1 == "Saab")
        #expect(try rows.next() == nil)
    }
}
