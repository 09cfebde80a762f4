import Squall

extension Connection {
    /// Returns SQLite's descriptions of damage.
    func damage(isQuick: Bool) throws -> [CheckFinding] {
        let check = isQuick ? "quick check" : "integrity"
        do {
            let lines = isQuick ? try quickCheck() : try integrityCheck()
            return lines.map { CheckFinding(check: check, table: nil, message: $0) }
        } catch let error as SQLiteError where error.resultCode == .corrupt {
            return [CheckFinding(check: check, table: nil, message: error.message)]
        }
    }

    /// Returns the rows that refer to rows that do not exist, and the foreign keys that cannot be checked.
    func brokenReferences() throws -> [CheckFinding] {
        var findings: [CheckFinding] = []
        // Table by table, because a foreign key that is declared wrongly ends the check.
        for table in try tableListings() where table.kind == .table {
            let keys = try foreignKeys(of: table.name)
            guard !keys.isEmpty else { continue }
            do {
                for violation in try foreignKeyCheck(table: table.name, in: "main") {
                    let key = keys.first { $0.number == violation.constraintIndex }
                    let row = violation.rowID.map { "row \($0)" } ?? "a row"
                    let columns = key.map { "\(ForeignKey.list($0.columns)) → \($0.target)" } ?? violation.parent
                    findings.append(
                        CheckFinding(
                            check: "foreign key", table: violation.table,
                            message: "\(row) refers to a row that does not exist (\(columns))"))
                }
            } catch let error as SQLiteError where error.resultCode == .error {
                findings.append(CheckFinding(check: "foreign key", table: table.name, message: error.message))
            }
        }
        return findings
    }

    /// Compares full-text indexes with their content.
    func fullTextFindings(of tables: [String]) throws -> [CheckFinding] {
        try tables.compactMap { table in
            let name: SQL = "\(name: table)"
            do {
                // SQLite takes the check for a write. Nothing is changed, and the transaction is rolled back.
                try run("BEGIN IMMEDIATE")
                defer { try? run("ROLLBACK") }
                // With the rank 1, the content of an external table is compared too.
                try run("INSERT INTO main.\(name)(\(name), rank) VALUES('integrity-check', 1)")
                return nil
            } catch let error as SQLiteError where error.resultCode == .corrupt || error.resultCode == .error {
                let isDamaged = error.resultCode == .corrupt
                return CheckFinding(
                    check: "full text", table: table,
                    message: isDamaged ? "the full-text index differs from its content" : error.message,
                    cure: isDamaged ? "INSERT INTO \(table.sqlName)(\(table.sqlName)) VALUES('rebuild')" : nil)
            }
        }
    }
}
