import Squall

extension Connection {
    /// Examines whether the statistics count the rows of the indexed tables.
    func statisticsDiagnoses(_ tables: [TableListing]) throws -> [Diagnosis] {
        let indexed = try tables.filter { table in
            guard table.kind == .table, try !indexListings(of: table.name).isEmpty else { return false }
            // A table that cannot be read without its program, or is damaged, counts as one with rows.
            guard let row: Int? = try? query("SELECT 1 FROM main.\(name: table.name) LIMIT 1") else { return true }
            return row != nil
        }
        guard !indexed.isEmpty else { return [] }
        let names: [String] = try hasStatistics() ? query("SELECT tbl FROM main.sqlite_stat1") : []
        let known = Set(names.map { Identifier($0) })
        let unknown = indexed.filter { !known.contains(Identifier($0.name)) }.map(\.name.sqlName)
        guard !unknown.isEmpty else {
            return [Diagnosis(grade: .ok, subject: "statistics", message: "all tables with an index are analyzed")]
        }
        let list = unknown.prefix(5).joined(separator: ", ") + (unknown.count > 5 ? ", …" : "")
        let message =
            unknown.count == indexed.count
            ? "ANALYZE was never run: SQLite guesses which index is best"
            : "tables that were never analyzed: \(list)"
        return [
            Diagnosis(
                grade: .note, subject: "statistics", message: message,
                cure: "`optimize` or `autoOptimize` in the program, or ANALYZE")
        ]
    }
}
