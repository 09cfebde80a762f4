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

    mutating func add(_ violation: ForeignKeyViolation) {
        let key = Violation(
            table: Identifier(violation.table), rowID: violation.rowID, parent: Identifier(violation.parent))
        violations[key, default: 0] += 1
    }

    mutating func addMismatch(of table: String) {
        mismatches.insert(Identifier(table))
    }
}

/// The faults of foreign keys after a change that were not there before it.
struct NewForeignKeyFaults {
    private var known: ForeignKeyFaults
    /// Returns the name that a table had before the change.
    private let originalName: (String) -> Identifier
    private var found: [ForeignKeyViolation] = []

    init(against known: ForeignKeyFaults, originalName: @escaping (String) -> Identifier) {
        self.known = known
        self.originalName = originalName
    }

    mutating func add(_ violation: ForeignKeyViolation) {
        let key = ForeignKeyFaults.Violation(
            table: originalName(violation.table), rowID: violation.rowID, parent: originalName(violation.parent))
        if let count = known.violations[key], count > 0 {
            known.violations[key] = count - 1
        } else if found.count < 1000 {
            found.append(violation)
        }
    }

    /// Throws for a mismatch that was not there before.
    func checkMismatch(of table: String, _ message: String) throws {
        guard !known.mismatches.contains(originalName(table)) else { return }
        throw SchemaError.inUse(message)
    }

    /// Throws if a row was added.
    func check() throws {
        guard let first = found.first else { return }
        let list = found.filter { $0.table == first.table && $0.parent == first.parent }
        throw SchemaError.foreignKeysViolated(list, table: first.table, parent: first.parent)
    }
}
