import Foundation
import Squall
import Testing

/// Collations of bytes, which use SQLite's memory and an unmanaged reference to their connection. They prove something when they
/// are built for release under the address sanitizer, like ``LifetimeTests``.
struct CollationLifetimeTests {
    private static let rounds = 50

    private static func compare(_ lhs: Span<UInt8>, _ rhs: Span<UInt8>) -> ComparisonResult {
        for index in 0..<min(lhs.count, rhs.count) where lhs[index] != rhs[index] {
            return lhs[index] < rhs[index] ? .orderedAscending : .orderedDescending
        }
        return lhs.count == rhs.count ? .orderedSame : lhs.count < rhs.count ? .orderedAscending : .orderedDescending
    }

    @inline(never)
    private static func connection() throws -> Connection {
        let connection = try Connection(":memory:")
        try connection.addCollation("bytes") { (lhs: Span<UInt8>, rhs: Span<UInt8>) in compare(lhs, rhs) }
        try connection.execute("CREATE TABLE t(name TEXT COLLATE bytes)")
        let insert = try connection.prepare("INSERT INTO t VALUES(?)")
        for number in (0..<20).reversed() { try insert.bind("a name that is kept in memory \(number + 10)").run() }
        return connection
    }

    @inline(never)
    private static func cursor() throws -> RowCursor<String> {
        try connection().rows("SELECT name FROM t ORDER BY name", as: String.self)
    }

    @Test func aCursorSortsAfterTheLastUseOfItsConnection() throws {
        for _ in 0..<Self.rounds {
            var rows = try Self.cursor()
            var last = ""
            while let name = try rows.next() { last = name }
            #expect(last == "a name that is kept in memory 29")
        }
    }

    @Test func aStatementSortsAfterTheLastUseOfItsConnection() throws {
        for _ in 0..<Self.rounds {
            let statement = try Self.connection().prepare("SELECT name FROM t ORDER BY name DESC")
            let names: [String] = try statement.query()
            #expect(names.first == "a name that is kept in memory 29")
            #expect(names.count == 20)
        }
    }

    @Test func theCollationIsReleasedWithTheConnection() throws {
        for _ in 0..<Self.rounds {
            let sql: SQL = "SELECT count(*) FROM t WHERE name > 'a name that is kept in memory 19'"
            let count: Int = try Self.connection().query(sql)
            #expect(count == 10)
        }
    }
}
