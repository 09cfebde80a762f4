import Foundation
import Squall

extension Connection {
    /// Creates a table `t` with about as many pages as it has rows.
    package func fill(rows: Int = 60) throws {
        try execute("CREATE TABLE t(id INTEGER PRIMARY KEY, bytes BLOB)")
        try addRows(rows)
    }

    package func addRows(_ rows: Int = 1) throws {
        try transaction {
            for _ in 0..<rows { try run("INSERT INTO t(bytes) VALUES(randomblob(3500))") }
        }
    }

    package func addSmallRow() throws { try run("INSERT INTO t(bytes) VALUES(x'00')") }

    package func rowCount() throws -> Int { try query("SELECT count(*) FROM t") }

    /// Returns all values of `t` in one.
    package func digest() throws -> Data {
        try query("SELECT CAST(group_concat(hex(bytes)) AS BLOB) FROM t ORDER BY id")
    }

    package func pageCount() throws -> Int { try query("PRAGMA page_count") }
}
