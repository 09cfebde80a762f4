/// The effect of an update of the columns of a record that have changed.
public enum UpdateOutcome: Hashable, Sendable {
    /// The changed columns of the row were written.
    case updated
    /// No column has changed. Nothing was run, so that the row may be missing.
    case unchanged
    /// A row with the key does not exist.
    case missing
}

extension Connection {
    /// Updates the columns of a row in which a record differs from an older version of it: `UPDATE "users" SET "age" = ? WHERE …`.
    ///
    ///     var user = old
    ///     user.age += 1
    ///     try connection.update(user, changedFrom: old)
    ///
    /// Columns are compared as they are stored. If none has changed, nothing is run.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - old: The record as it was read.
    /// - Returns: Whether the row was updated, had no changes, or is missing; of a view always missing: SQLite does not count what its
    ///   INSTEAD OF triggers change.
    /// - Throws: ``SQLiteError``, also for a table without a primary key, for a record whose key is `nil`, and for a key that
    ///   differs from the old one.
    @discardableResult
    public func update<Record: TableRecord>(_ record: Record, changedFrom old: Record) throws -> UpdateOutcome {
        try table(Record.table).update(record, changedFrom: old)
    }
}

extension Connection.TableAccess {
    /// Updates the columns of a row in which a record differs from an older version of it: `UPDATE "points" SET "label" = ? WHERE …`.
    ///
    /// Columns are compared as they are stored. If none has changed, nothing is run.
    ///
    /// - Returns: Whether the row was updated, had no changes, or is missing; of a view always missing: SQLite does not count what its
    ///   INSTEAD OF triggers change.
    /// - Throws: ``SQLiteError``, also for a table without a primary key, for a record whose key is `nil`, and for a key that
    ///   differs from the old one.
    @discardableResult
    public func update(_ record: Record, changedFrom old: Record) throws -> UpdateOutcome {
        try core.requireKey()
        try core.requireKeyValue(of: record)
        for key in core.keys where try key.differs(record, old) {
            throw SQLiteError(TableProblem.changedKey(column: key.name), of: .table(core.definition.name))
        }
        let changed = try core.columns.filter { column in
            try column.definition.generated == nil && !core.keys.contains { $0.name == column.name }
                && column.differs(record, old)
        }
        guard !changed.isEmpty else { return .unchanged }
        let assignments = changed.map { "\(name: $0.name) = ?" as SQL }.joined(separator: ", ")
        let sql: SQL = "UPDATE \(name: core.definition.name) SET \(assignments) WHERE \(core.keyCondition)"
        try connection.run(sql, with: record, changed.map(\.write), core.keyBinders)
        return connection.changes > 0 ? .updated : .missing
    }
}

extension TableColumn {
    /// Returns whether two records store different values in the column.
    fileprivate func differs(_ record: Record, _ other: Record) throws -> Bool {
        try !stored(record).isIdentical(to: stored(other))
    }

    private func stored(_ record: Record) throws -> BindingValue {
        if let isNil, withUnsafePointer(to: record, isNil) { return .null }
        let value = record[keyPath: keyPath] as Any
        if let form { return try form.encode(value) }
        return try (value as? any Bindable)?.checkedBindingValue() ?? .null
    }
}
