import SquallSQLite
import GRDB
import Squall

extension Growth {
    /// Reads all columns of rows that have more and more of them, up to SQLite's limit.
    static let columns: @Sendable (Fixtures, Int) throws -> GrowthPanel = { fixtures, rounds in
        var panel = GrowthPanel(
            "columns", "Columns of a row", quantity: "columns", operation: "column read", note: "dashed: by name")
        for size in [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000] {
            let rows = 100_000 / size
            let names = (0..<size).map { "column\($0)" }
            let path = try fixtures.file(
                "growth-columns-\(size)",
                script: """
                    CREATE TABLE wide(\(names.map { "\($0) INTEGER" }.joined(separator: ", ")));
                    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(rows))
                    INSERT INTO wide SELECT \((0..<size).map { "n + \($0)" }.joined(separator: ", ")) FROM numbers
                    """)
            let c = try CDatabase(path).prepare("SELECT * FROM wide")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            var sum = 0
            try panel.measure(
                size, operations: rows * size, rounds: rounds,
                [
                    .c: {
                        try time {
                            try c.forEachRow {
                                for column in 0..<Int32(size) { sum &+= c.integer(column) }
                            }
                        }
                    },
                    .squall: {
                        try time {
                            try squall.forEach("SELECT * FROM wide") { row in
                                for column in 0..<size { sum &+= try row.get(column) as Int }
                            }
                        }
                    },
                    .squall("by name"): {
                        try time {
                            try squall.forEach("SELECT * FROM wide") { row in
                                for name in names { sum &+= try row.get(name) as Int }
                            }
                        }
                    },
                    .grdb: {
                        try time {
                            try grdb.inDatabase { database in
                                let cursor = try GRDB.Row.fetchCursor(database, sql: "SELECT * FROM wide")
                                while let row = try cursor.next() {
                                    for column in 0..<size { sum &+= row[column] as Int }
                                }
                            }
                        }
                    },
                ])
            sqlite3_finalize(c.handle)
        }
        return panel
    }
}
