import Squall

/// The result of SQLite's check of a file.
struct IntegrityReport {
    /// SQLite's descriptions of damage.
    var problems: [String] = []
    /// The tables that could not be checked, with what only their program adds to SQLite.
    var unchecked: [(table: String, missing: MissingExtension)] = []
}

extension Connection {
    /// Checks the file. If it needs something that only its program adds to SQLite, its tables are checked one by one, all
    /// but those that need it.
    ///
    /// - Parameter isQuick: Whether indexes are not compared with their tables (`PRAGMA quick_check`).
    func integrityReport(isQuick: Bool, maxErrors: Int = 100) throws -> IntegrityReport {
        do {
            return IntegrityReport(
                problems: isQuick ? try quickCheck(maxErrors: maxErrors) : try integrityCheck(maxErrors: maxErrors))
        } catch let error as SQLiteError where error.missingExtension != nil {
            return try integrityReportOfTables(isQuick ? "quick_check" : "integrity_check")
        }
    }

    private func integrityReportOfTables(_ pragma: String) throws -> IntegrityReport {
        var report = IntegrityReport()
        for table in try ["sqlite_schema"] + tableListings().filter({ $0.kind != .view }).map(\.name) {
            do {
                let lines: [String] = try query("PRAGMA main.\(raw: pragma)(\(name: table))")
                report.problems += lines.filter { $0 != "ok" }
            } catch let error as SQLiteError {
                if let missing = error.missingExtension {
                    report.unchecked.append((table, missing))
                } else if error.resultCode == .corrupt {
                    report.problems.append(error.message)
                } else {
                    throw error
                }
            }
        }
        return report
    }
}
