/// What was wrong with a file before its schema was changed, and is tolerated afterwards.
struct SchemaFaults {
    /// How many rows refer to one that is not there.
    fileprivate var violations: [Violation: Int] = [:]
    /// Foreign keys to something that cannot be referred to, by their table: SQLite's message.
    fileprivate var mismatches: [String: String] = [:]
    /// What triggers or views are broken.
    fileprivate var broken: String?

    fileprivate struct Violation: Hashable {
        let table: String
        let rowID: Int64?
        let parent: String
    }
}

extension SchemaEditor {
    /// Finds what is wrong already. The foreign keys are looked at only when they were on.
    func faults(withForeignKeys: Bool) throws -> SchemaFaults {
        var faults = SchemaFaults()
        faults.broken = try brokenTriggerOrView()
        guard withForeignKeys else { return faults }
        try forEachViolation { violation in
            let key = SchemaFaults.Violation(
                table: violation.table.lowercased(), rowID: violation.rowID, parent: violation.parent.lowercased()
            )
            faults.violations[key, default: 0] += 1
        } mismatch: { table, message in
            faults.mismatches[table.lowercased()] = message
        }
        return faults
    }

    /// Throws when something is wrong that was not before.
    func check(against faults: SchemaFaults, withForeignKeys: Bool) throws {
        if hasRemoved, let broken = try brokenTriggerOrView(), broken != faults.broken {
            throw SchemaError.inUse(broken)
        }
        guard withForeignKeys else { return }
        var known = faults.violations
        var found: [ForeignKeyViolation] = []
        try forEachViolation { violation in
            let key = SchemaFaults.Violation(
                table: originalName(ofTable: violation.table), rowID: violation.rowID,
                parent: originalName(ofTable: violation.parent)
            )
            if let count = known[key], count > 0 {
                known[key] = count - 1
            } else if found.count < 1000 {
                found.append(violation)
            }
        } mismatch: { table, message in
            guard faults.mismatches[originalName(ofTable: table)] == nil else { return }
            throw SchemaError.inUse(message)
        }
        guard let first = found.first else { return }
        let list = found.filter { $0.table == first.table && $0.parent == first.parent }
        throw SchemaError.foreignKeysViolated(list, table: first.table, parent: first.parent)
    }

    private func forEachViolation(
        _ body: (ForeignKeyViolation) -> Void, mismatch: (_ table: String, _ message: String) throws -> Void
    ) throws {
        let tables: [String] = try connection.query(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%REFERENCES%' ORDER BY rowid"
        )
        for table in tables {
            do {
                try connection.foreignKeyCheck(table: table).forEach(body)
            } catch let error as SQLiteError where error.resultCode == .error {
                try mismatch(table, error.message)
            }
        }
    }

    /// What SQLite says about the triggers and views when a table is renamed, which makes it look at all of them: CREATE
    /// TRIGGER and CREATE VIEW, and dropping what they use, it accepts silently.
    private func brokenTriggerOrView() throws -> String? {
        let exists: Bool = try connection.query(
            """
            SELECT EXISTS(SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')) \
            OR EXISTS(SELECT 1 FROM sqlite_temp_master WHERE type IN ('trigger', 'view'))
            """
        )
        guard exists else { return nil }
        let scratch = try freeName("squall_scratch")
        let renamed = try freeName("squall_scratch_renamed")
        let isLegacy: Bool = try connection.query("PRAGMA legacy_alter_table")
        defer { if isLegacy { connection.runPragma("legacy_alter_table = ON") } }
        if isLegacy { try connection.run("PRAGMA legacy_alter_table = OFF") }
        try connection.execute("SAVEPOINT squall_scratch; CREATE TABLE \(name: scratch)(a)")
        defer { _ = try? connection.execute("ROLLBACK TO squall_scratch; RELEASE squall_scratch") }
        do {
            try connection.execute("ALTER TABLE \(name: scratch) RENAME TO \(name: renamed)")
            return nil
        } catch let error as SQLiteError where error.resultCode == .error {
            return error.message
        }
    }
}
