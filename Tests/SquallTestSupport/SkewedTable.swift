import Squall

/// A table `t` with an index whose column is the same in all rows, and one whose column is unique. Without statistics, SQLite chooses the
/// index that was made last: the bad one.
package struct SkewedTable {
    package static let search: SQL = "SELECT id FROM t WHERE kind = 1 AND code = 2"
    package static let badPlan = ["SEARCH t USING INDEX t_kind (kind=?)"]
    package static let goodPlan = ["SEARCH t USING INDEX t_code (code=?)"]
    package static let analysis = #"ANALYZE "main"."t""#

    package static func create(on connection: Connection, rows: Int) throws {
        try connection.execute(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, kind INTEGER, code INTEGER);
            CREATE INDEX t_code ON t(code);
            CREATE INDEX t_kind ON t(kind);
            """)
        try insert(rows: rows, on: connection)
    }

    /// Inserts rows by one statement.
    package static func insert(rows: Int, on connection: Connection) throws {
        if rows == 0 { return }
        try connection.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            INSERT INTO t(kind, code) SELECT 1, i FROM n
            """)
    }

    /// The plan of the search, with the statistics that the connection has after its next statement.
    package static func plan(on connection: Connection) throws -> [String] {
        // EXPLAIN does not read the schema again.
        try connection.run("SELECT id FROM t WHERE id = 0")
        return try connection.explainQueryPlan(search).nodes.map(\.detail)
    }

    /// The names of the tables that have statistics.
    package static func tables(on connection: Connection, database: String = "main") throws -> [String] {
        let known: Int = try connection.query(
            "SELECT count(*) FROM \(name: database).sqlite_master WHERE name = 'sqlite_stat1'")
        if known == 0 { return [] }
        return try connection.query("SELECT DISTINCT tbl FROM \(name: database).sqlite_stat1 ORDER BY tbl")
    }
}
