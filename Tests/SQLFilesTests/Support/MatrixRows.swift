import Squall
import SquallTestSupport

/// Fills the tables of ``MatrixSchema`` with random rows.
enum MatrixRows {
    static func fill(_ connection: Connection, _ generator: SeededGenerator) throws {
        var generator = generator
        func pick(_ values: [String]) -> String { values[Int(generator.next() % UInt64(values.count))] }
        let integers = ["0", "1", "2", "5", "-3"]
        let texts = ["''", "'a'", "'b'", "'ab'", "'2024-01-01'"]
        let reals = ["0.0", "1.5", "-2.25", "9e999", "-9e999"]
        func optional(_ values: [String]) -> [String] { values + ["NULL", "NULL"] }
        var sql = "DELETE FROM a; DELETE FROM b; DELETE FROM c; DELETE FROM d;"
        for id in 0..<generator.next() % 5 {
            let values = [
                "\(id)", pick(integers), pick(optional(integers)), pick(texts), pick(optional(texts)), pick(reals),
                pick(optional(reals)), pick(["0", "1"]), pick(["0", "1", "NULL"]), "x'00'",
                pick(["1", "'x'", "NULL", "2.5"]),
            ]
            sql += "INSERT INTO a VALUES(\(values.joined(separator: ", ")));"
        }
        for id in 0..<generator.next() % 5 {
            let values = [
                "\(id)", pick(optional(["0", "1", "2"])), pick(integers), pick(optional(integers)), pick(texts),
                pick(optional(texts)),
            ]
            sql += "INSERT INTO b VALUES(\(values.joined(separator: ", ")));"
        }
        for table in ["c", "d"] {
            for code in 0..<generator.next() % 4 {
                sql += "INSERT INTO \(table) VALUES('\(code)', \(pick(integers)), \(pick(optional(integers))));"
            }
        }
        try connection.execute(SQL(raw: sql))
    }
}
