/// The faults that a file had before its schema was changed. They are tolerated after the change.
struct SchemaFaults {
    fileprivate var foreignKeys = ForeignKeyFaults()
    /// The unusable triggers and views.
    fileprivate var broken: Set<SchemaObject> = []
    /// The search tables whose source is missing.
    fileprivate var orphans: Set<Identifier> = []
}

extension SchemaEditor {
    /// Returns the current faults of the file.
    ///
    /// - Parameter foreignKeys: Its foreign keys; `nil` if they were off, and are not checked.
    func faults(_ foreignKeys: ForeignKeyReport?) throws -> SchemaFaults {
        var faults = SchemaFaults()
        faults.broken = Set(try connection.brokenObjects().keys)
        faults.orphans = try orphanedFullText()
        if let foreignKeys { faults.foreignKeys = ForeignKeyFaults(foreignKeys) }
        return faults
    }

    /// Throws if the file has a fault that it did not have before.
    ///
    /// - Parameter foreignKeys: Its foreign keys as they are now; `nil` to not check them.
    func check(against faults: SchemaFaults, _ foreignKeys: ForeignKeyReport?) throws {
        // 9. The manual creates views again that the change affects. Here, a view or a trigger that no longer works is
        // an error.
        if hasRemoved {
            try checkObjects(except: faults.broken)
            if let orphan = try orphanedFullText().subtracting(faults.orphans).min() {
                throw Self.orphanError(orphan)
            }
            try checkDisconnected()
        }
        // 10. Check the foreign keys. The caller has run `foreign_key_check` before 9, for the report.
        try foreignKeys?.check(against: faults.foreignKeys, originalName: originalName)
    }

    /// Throws for a view or a trigger that is unusable, except for those that were before.
    func checkObjects(except known: Set<SchemaObject>) throws {
        let broken = try connection.brokenObjects().filter { !known.contains($0.key) }
        if let first = broken.min(by: { $0.key < $1.key }) {
            throw SchemaError.inUse("error in \(first.key): \(first.value)")
        }
    }

    /// Returns the foreign keys of the file.
    ///
    /// - Parameter isChecked: Whether they are on. Otherwise, they are not checked.
    func foreignKeys(_ isChecked: Bool = true) throws -> ForeignKeyReport? {
        guard isChecked else { return nil }
        var report = ForeignKeyReport()
        for table in try connection.catalog().tablesWithForeignKeys() {
            try report.add(table, Result { try connection.foreignKeyCheck(table: table, in: "main") })
        }
        return report
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
