/// The answers of `PRAGMA foreign_key_check` about the tables of a database.
package struct ForeignKeyReport {
    fileprivate var violations: [ForeignKeyViolation] = []
    /// The tables whose foreign keys refer to columns that cannot be referenced, with SQLite's messages.
    fileprivate var mismatches: [(table: String, message: String)] = []

    package init() {}

    /// Adds the answer about a table.
    package mutating func add(_ table: String, _ answer: Result<[ForeignKeyViolation], any Error>) throws {
        do {
            violations += try answer.get()
        } catch let error as SQLiteError where error.resultCode == .error {
            mismatches.append((table, error.message))
        }
    }

    /// Throws for a fault that was not there before.
    ///
    /// - Parameter originalName: Returns the name that a table had before the change.
    func check(against known: ForeignKeyFaults, originalName: (String) -> Identifier) throws {
        for mismatch in mismatches where !known.mismatches.contains(originalName(mismatch.table)) {
            throw SchemaError.inUse(mismatch.message)
        }
        var known = known.violations
        let found = violations.filter { violation in
            let key = ForeignKeyFaults.Violation(
                table: originalName(violation.table), rowID: violation.rowID, parent: originalName(violation.parent))
            guard let count = known[key], count > 0 else { return true }
            known[key] = count - 1
            return false
        }
        guard let first = found.first else { return }
        let list = found.prefix(1000).filter { $0.table == first.table && $0.parent == first.parent }
        throw SchemaError.foreignKeysViolated(list, table: first.table, parent: first.parent)
    }
}

/// The faults of foreign keys that a database had before its schema was changed.
struct ForeignKeyFaults {
    fileprivate struct Violation: Hashable {
        let table: Identifier
        let rowID: Int64?
        let parent: Identifier
    }

    /// The number of rows that refer to missing rows.
    fileprivate var violations: [Violation: Int] = [:]
    /// The tables whose foreign keys refer to columns that cannot be referenced.
    fileprivate var mismatches: Set<Identifier> = []

    init() {}

    init(_ report: ForeignKeyReport) {
        for violation in report.violations {
            let key = Violation(
                table: Identifier(violation.table), rowID: violation.rowID, parent: Identifier(violation.parent))
            violations[key, default: 0] += 1
        }
        mismatches = Set(report.mismatches.map { Identifier($0.table) })
    }
}
