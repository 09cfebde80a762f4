import Squall

extension Connection {
    /// Returns SQLite's descriptions of damage.
    func damage(isQuick: Bool) throws -> [CheckFinding] {
        let check = isQuick ? "quick check" : "integrity"
        return try CheckFinding.running(check) {
            let report = try integrityReport(isQuick: isQuick)
            // SQLite joins the problems of all tables.
            let lines = report.problems.flatMap { $0.split(separator: "\n") }.filter {
                !$0.hasPrefix("*** in database ")
            }
            return lines.map { CheckFinding(check: check, table: nil, message: String($0)) }
                + report.unchecked.map { CheckFinding.notChecked(check, $0.table, $0.missing) }
        }
    }

    /// Returns the rows that refer to rows that do not exist, and the foreign keys that cannot be checked.
    func brokenReferences() throws -> [CheckFinding] {
        // Table by table, because a foreign key that is declared wrongly ends the check, and so does damage.
        try tableListings().filter { $0.kind == .table }.flatMap { table in
            let keys = try foreignKeys(of: table.name)
            guard !keys.isEmpty else { return [CheckFinding]() }
            return try CheckFinding.running("foreign key", on: table.name) {
                try foreignKeyCheck(table: table.name, in: "main").map { violation in
                    let key = keys.first { $0.number == violation.constraintIndex }
                    let row = violation.rowID.map { "row \($0)" } ?? "a row"
                    let columns = key.map { "\(ForeignKey.list($0.columns)) → \($0.target)" } ?? violation.parent
                    return CheckFinding(
                        check: "foreign key", table: violation.table,
                        message: "\(row) refers to a row that does not exist (\(columns))")
                }
            }
        }
    }

    /// Returns the virtual tables that cannot be read, besides full-text ones, which ``fullTextFindings(of:)`` checks.
    func unusableVirtualTables() throws -> [CheckFinding] {
        try schemaEntries().filter { $0.module.map { !$0.name.isSameName(as: "fts5") } ?? false }.flatMap { entry in
            try CheckFinding.running("virtual table", on: entry.name) {
                _ = try prepare("SELECT 1 FROM main.\(name: entry.name)")
                return []
            }
        }
    }

    /// Compares full-text indexes with their content.
    func fullTextFindings(of tables: [String]) throws -> [CheckFinding] {
        try tables.flatMap { table in
            let name: SQL = "\(name: table)"
            return try CheckFinding.running("full text", on: table) {
                do {
                    // SQLite takes the check for a write. Nothing is changed, and the transaction is rolled back.
                    try run("BEGIN IMMEDIATE")
                    defer { try? run("ROLLBACK") }
                    // With the rank 1, the content of an external table is compared too.
                    try run("INSERT INTO main.\(name)(\(name), rank) VALUES('integrity-check', 1)")
                    return []
                } catch let error as SQLiteError where error.resultCode == .corrupt {
                    return [
                        CheckFinding(
                            check: "full text", table: table, message: "the full-text index differs from its content",
                            cure: "INSERT INTO \(table.sqlName)(\(table.sqlName)) VALUES('rebuild')")
                    ]
                }
            }
        }
    }
}
