import SquallSQLite
import GRDB
import Squall

extension Growth {
    /// Look-ups by key in a table that grows, each in a read transaction.
    static let rows: @Sendable (Fixtures, Int) throws -> GrowthPanel = { fixtures, rounds in
        var panel = GrowthPanel("rows", "Rows of a table", quantity: "rows", operation: "look-up by key")
        let path = fixtures.freshFile(for: "growth-rows", .c)
        defer { _ = fixtures.freshFile(for: "growth-rows", .c) }
        var size = 0
        for next in [1000, 10_000, 100_000, 1_000_000, 10_000_000] {
            try addCars(path, from: size + 1, to: next)
            size = next
            let databases = try Databases(path)
            let c = try CReader(path)
            let keys = keys(20_000, upTo: size)
            try panel.measure(
                size, operations: keys.count, rounds: rounds,
                [
                    .c: { try time { for key in keys { _ = try c.price(key) } } },
                    .squall: { try time { for key in keys { _ = try databases.squall.price(key) } } },
                    .grdb: { try time { for key in keys { _ = try databases.grdb.price(key) } } },
                ])
        }
        return panel
    }

    private static func addCars(_ path: String, from first: Int, to last: Int) throws {
        let database = try CDatabase(path, synchronous: "OFF")
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS cars(id INTEGER PRIMARY KEY, price INTEGER NOT NULL);
            WITH RECURSIVE numbers(n) AS (SELECT \(first) UNION ALL SELECT n + 1 FROM numbers WHERE n < \(last))
            INSERT INTO cars SELECT n, n * 7919 % 100000 FROM numbers;
            PRAGMA wal_checkpoint(TRUNCATE)
            """)
    }
}
