import Foundation
import Squall
import Testing

/// Cursors whose connection is last used before them, or inside their loop. They prove something when they are built for release
/// under the address sanitizer, like ``LifetimeTests``.
struct CursorLifetimeTests {
    private static let rounds = 50

    @inline(never)
    private static func cursor() throws -> RowCursor<(Int, String, Data)> {
        try numbers().rows("SELECT x, name, body FROM t WHERE x > ?", 3, as: (Int, String, Data).self)
    }

    @Test func aCursorOutlivesItsConnection() throws {
        for _ in 0..<Self.rounds {
            var rows = try Self.cursor()
            var sum = 0
            while let (x, name, body) = try rows.next() {
                sum += x + name.utf8.count + body.count
                if x == 9 { break }
            }
            #expect(sum == 39 + 6 * 6 + 6 * 40)
        }
    }

    @Test func aCursorThatIsDroppedBeforeItsFirstRow() throws {
        for _ in 0..<Self.rounds { _ = try Self.cursor() }
    }

    @Test func tuplesOfAConnectionThatIsLastUsedByThem() throws {
        for _ in 0..<Self.rounds {
            let rows = try numbers().query("SELECT x, name, body FROM t", as: (Int, String, Data?).self)
            #expect(rows.map(\.1).last == "name 20")
            #expect(try numbers().first("SELECT name, body FROM t", as: (String, Data).self)?.1.count == 40)
        }
    }

    /// The elements are read into the memory of the tuple by their offsets.
    @Test func tuplesOfElementsThatAreNotAligned() throws {
        let connection = try numbers()
        let sql: SQL = "SELECT 1, x, NULL, name, 1, NULL, body, 300, x / 2.0, name, 7 FROM t"
        for _ in 0..<Self.rounds {
            let rows = try connection.query(
                sql,
                as: (Bool, Int, Bool?, String, UInt8, Int16?, Data, Int32, Double?, String?, Int8?).self)
            let row = try #require(rows.last)
            #expect(row.0 && row.1 == 20 && row.2 == nil && row.3 == "name 20" && row.4 == 1 && row.5 == nil)
            #expect(row.6.count == 40 && row.7 == 300 && row.8 == 10 && row.9 == "name 20" && row.10 == 7)
        }
    }

    /// The elements before the one that does not fit are destroyed, and no others.
    @Test func aTupleWhoseLastElementDoesNotFit() throws {
        let connection = try numbers()
        let sql: SQL = "SELECT name || ' and some more text', body, NULL, body, x FROM t"
        for _ in 0..<Self.rounds {
            #expect(throws: ConversionError.self) {
                _ = try connection.query(sql, as: (String, Data?, String?, [UInt8], Data).self)
            }
            #expect(throws: ConversionError.self) {
                _ = try connection.first(sql, as: (String, Data, String, [UInt8], Int).self)
            }
            var rows = try connection.rows(sql, as: (String, Data?, Int?, [UInt8]?, String).self)
            #expect(throws: ConversionError.self) { _ = try rows.next() }
        }
    }

    @Test func aConnectionThatIsClosedInTheLoop() throws {
        for _ in 0..<Self.rounds {
            var kept: [Row] = []
            do {
                let connection = try numbers()
                var rows = try connection.rows("SELECT x, name FROM t")
                while let row = try rows.next() {
                    kept.append(row)
                    if kept.count == 5 { connection.close() }
                }
            } catch {}
            #expect(try kept.map { try $0.get(0) as Int } == [1, 2, 3, 4, 5])
        }
    }

    @Test func aRollbackInTheLoop() throws {
        for _ in 0..<Self.rounds {
            var seen = 0
            do {
                let connection = try numbers()
                var rows = try connection.rows("SELECT x, name FROM t", as: (Int, String).self)
                while let (x, _) = try rows.next() {
                    seen = x
                    if x == 4 {
                        try? connection.transaction {
                            try connection.run("DELETE FROM t")
                            throw CancellationError()
                        }
                    }
                }
            } catch {}
            #expect(seen >= 4)
        }
    }

    @Test func theSameSQLInsideTheLoop() throws {
        for _ in 0..<Self.rounds {
            var pairs = 0
            var outer = try numbers().rows("SELECT x FROM t", as: Int.self)
            while let x = try outer.next() {
                var inner = try numbers().rows("SELECT x FROM t", as: Int.self)
                while let y = try inner.next() { if x == y { pairs += 1 } }
            }
            #expect(pairs == 20)
        }
    }

    @inline(never)
    private func drain<T>(_ rows: consuming RowCursor<T>) throws -> Int {
        var count = 0
        while try rows.next() != nil { count += 1 }
        return count
    }

    @Test func aCursorConsumedByAFunction() throws {
        for _ in 0..<Self.rounds {
            #expect(try drain(Self.cursor()) == 17)
            #expect(try drain(numbers().rows("SELECT * FROM t", as: Named.self)) == 20)
        }
    }

    private struct Named: Decodable {
        let x: Int
        let name: String
    }

    @Test func cursorsThatOutliveTheClosureOfADatabase() throws {
        for _ in 0..<Self.rounds {
            var kept: RowCursor<Int>?
            do {
                let database = try Database()
                try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(x); INSERT INTO t VALUES(1), (2), (3)") }
                try database.blocking.read { connection in
                    kept = try connection.rows("SELECT x FROM t", as: Int.self)
                    _ = try kept?.next()
                }
            }
            #expect(throws: SQLiteError.self) { try kept?.next() }
        }
    }

    @Test func aCursorThatIsAssignedAgainInItsLoop() throws {
        for _ in 0..<Self.rounds {
            let connection = try numbers()
            var rows = try connection.rows("SELECT x FROM t", as: Int.self)
            var seen: [Int] = []
            while let x = try rows.next() {
                seen.append(x)
                if seen.count == 3 { rows = try connection.rows("SELECT x FROM t WHERE x > 18", as: Int.self) }
            }
            #expect(seen == [1, 2, 3, 19, 20])
        }
    }
}
