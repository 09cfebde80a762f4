/// What was wrong with a file before its schema was changed, and is tolerated afterwards.
struct SchemaFaults {
    /// How many rows refer to one that is not there.
    fileprivate var violations: [Violation: Int] = [:]
    /// Foreign keys to something that cannot be referred to, by their table: SQLite's message.
    fileprivate var mismatches: [String: String] = [:]
    /// What is wrong with triggers and views, in SQLite's words.
    fileprivate var broken: Set<String> = []

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
        faults.broken = try brokenTriggersAndViews()
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
        if hasRemoved, let broken = try brokenTriggersAndViews().subtracting(faults.broken).min() {
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

    /// CREATE TRIGGER and CREATE VIEW, and dropping what they use, SQLite accepts silently.
    private func brokenTriggersAndViews() throws -> Set<String> {
        let triggers: [(table: String, sql: String, name: String)] = try connection.query(
            """
            SELECT tbl_name, sql, name FROM sqlite_master WHERE type = 'trigger' \
            UNION ALL SELECT tbl_name, sql, name FROM sqlite_temp_master WHERE type = 'trigger'
            """
        ) { (try $0.get(0), try $0.get(1), try $0.get(2)) }
        let hasViews: Bool = try connection.query(
            """
            SELECT EXISTS(SELECT 1 FROM sqlite_master WHERE type = 'view') \
            OR EXISTS(SELECT 1 FROM sqlite_temp_master WHERE type = 'view')
            """
        )
        guard hasViews || !triggers.isEmpty else { return [] }
        var result = Set(try [messageOfRename()].compactMap(\.self))
        for trigger in triggers {
            let columns = try connection.columnNames(of: trigger.table)
            let known = Set(columns.map { $0.lowercased() })
            for name in TableParser.updateColumns(ofTrigger: trigger.sql) where !known.contains(name.lowercased()) {
                result.insert("error in trigger \(trigger.name): no such column: \(name)")
            }
        }
        guard result.isEmpty else { return result }
        // SQLite does not look at the columns that a trigger sets before it compiles the trigger.
        for table in Set(triggers.map(\.table)) {
            if let message = try messageOfCompiling(triggersOf: table) {
                result.insert("error in a trigger of \(table): \(message)")
            }
        }
        return result
    }

    /// What SQLite says about triggers and views when a table is renamed, which makes it look at all of them.
    private func messageOfRename() throws -> String? {
        let scratch = try freeName("squall_scratch")
        let renamed = try freeName("squall_scratch_renamed")
        let isLegacy: Bool = try connection.query("PRAGMA legacy_alter_table")
        defer { if isLegacy { connection.cleanUp("PRAGMA legacy_alter_table = ON") } }
        if isLegacy { try connection.run("PRAGMA legacy_alter_table = OFF") }
        try connection.execute("SAVEPOINT squall_scratch; CREATE TABLE \(name: scratch)(a)")
        defer { connection.cleanUp("ROLLBACK TO squall_scratch; RELEASE squall_scratch") }
        do {
            try connection.execute("ALTER TABLE \(name: scratch) RENAME TO \(name: renamed)")
            return nil
        } catch let error as SQLiteError where error.resultCode == .error {
            return error.message
        }
    }

    private func messageOfCompiling(triggersOf table: String) throws -> String? {
        let columns = try connection.columnNames(of: table)
        let assignments = columns.map { "\(name: $0) = \(name: $0)" as SQL }.joined(separator: ", ")
        do {
            _ = try connection.prepare("INSERT INTO \(name: table) DEFAULT VALUES")
            _ = try connection.prepare("DELETE FROM \(name: table)")
            if !columns.isEmpty { _ = try connection.prepare("UPDATE \(name: table) SET \(assignments)") }
            return nil
        } catch let error as SQLiteError where error.resultCode == .error {
            return error.message
        }
    }
}

extension Connection {
    /// The columns of a table or a view that can be set.
    fileprivate func columnNames(of table: String) throws -> [String] {
        try query("SELECT name FROM pragma_table_xinfo(\(table)) WHERE hidden = 0")
    }
}

extension TableParser {
    /// The columns of `CREATE TRIGGER … UPDATE OF a, b ON t …`. One that is not there makes the trigger never run.
    fileprivate static func updateColumns(ofTrigger sql: String) -> [String] {
        let tokens = SQLTokenizer.tokens(of: sql)
        let head = tokens.prefix { !$0.is("ON") }
        guard let of = head.firstIndex(where: { $0.is("OF") }), of > 0, head[of - 1].is("UPDATE") else { return [] }
        return head[(of + 1)...].filter { !$0.is(",") }.map(\.text)
    }
}
