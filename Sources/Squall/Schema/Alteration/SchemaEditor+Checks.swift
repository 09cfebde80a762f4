/// The faults that a file had before its schema was changed. They are tolerated after the change.
struct SchemaFaults {
    fileprivate var foreignKeys = ForeignKeyFaults()
    /// The unusable triggers and views.
    fileprivate var broken: Set<SchemaObject> = []
    /// The search tables whose source is missing.
    fileprivate var orphans: Set<Identifier> = []
}

extension SchemaEditor {
    /// Returns the current faults of the file. Foreign keys are checked only if they were on.
    func faults(withForeignKeys: Bool) throws -> SchemaFaults {
        var faults = SchemaFaults()
        faults.broken = Set(try connection.brokenObjects().keys)
        faults.orphans = try orphanedSearchTables()
        guard withForeignKeys else { return faults }
        try forEachViolation {
            faults.foreignKeys.add($0)
        } mismatch: { table, _ in
            faults.foreignKeys.addMismatch(of: table)
        }
        return faults
    }

    /// Throws if the file has a fault that it did not have before.
    func check(against faults: SchemaFaults, withForeignKeys: Bool) throws {
        if hasRemoved {
            let broken = try connection.brokenObjects().filter { !faults.broken.contains($0.key) }
            if let first = broken.min(by: { $0.key < $1.key }) {
                throw SchemaError.inUse("error in \(first.key): \(first.value)")
            }
            if let orphan = try orphanedSearchTables().subtracting(faults.orphans).min() {
                throw SchemaError.inUse("the table whose rows the search table \(orphan) searches does not exist")
            }
            try checkDisconnectedSearchTables()
        }
        guard withForeignKeys else { return }
        var found = NewForeignKeyFaults(against: faults.foreignKeys, originalName: originalName)
        try forEachViolation {
            found.add($0)
        } mismatch: { table, message in
            try found.checkMismatch(of: table, message)
        }
        try found.check()
    }

    private func forEachViolation(
        _ body: (ForeignKeyViolation) -> Void, mismatch: (_ table: String, _ message: String) throws -> Void
    ) throws {
        for table in try connection.catalog().tablesWithForeignKeys() {
            do {
                try connection.foreignKeyCheck(table: table, in: "main").forEach(body)
            } catch let error as SQLiteError where error.resultCode == .error {
                try mismatch(table, error.message)
            }
        }
    }

    /// Renames a table or a column. SQLite refuses to rename while any view or trigger of the file is broken, even an
    /// unrelated one. The broken objects are therefore dropped first and then created again unchanged.
    func runPastBrokenObjects(_ rename: SQL) throws {
        let length = log.count
        do {
            try run(rename)
        } catch let error as SQLiteError where error.resultCode == .error && error.message.hasPrefix("error in ") {
            let broken = try connection.definitions(of: connection.brokenObjects().keys)
            guard !broken.isEmpty else { throw error }
            forgetLog(from: length)
            for object in broken where object.kind == .trigger { try run(object.drop) }
            for object in broken where object.kind == .view { try run(object.drop) }
            try run(rename)
            for object in broken { try run(object.create) }
        }
    }
}
