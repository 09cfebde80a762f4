extension SchemaPlan {
    /// Applies the plan in one transaction, completely or not at all.
    ///
    /// Tables keep their rows. A table that cannot be changed with its rows is dropped and created again if
    /// ``AllowedLosses/tables`` is allowed; otherwise nothing is changed at all.
    ///
    /// - Parameter allowed: The losses that are accepted. Undeclared columns are dropped only with
    ///   ``AllowedLosses/columns``.
    /// - Returns: The outcome for each table, by its name.
    /// - Throws: ``SchemaError/losses(_:)`` and ``SchemaError/obstacles(_:)`` before anything is changed;
    ///   ``SchemaError/planIsStale`` if the file was changed after the plan was made; ``SchemaError/insideTransaction``;
    ///   ``SQLiteError``.
    @discardableResult
    public func apply(allowing allowed: AllowedLosses = []) throws -> [String: SyncOutcome] {
        guard !connection.isInTransaction else { throw SchemaError.insideTransaction }
        try check(allowed)
        guard !isEmpty else { return outcomes }
        _ = try run(allowed) { _ in }
        return outcomes
    }

    /// Returns the SQL that ``apply(allowing:)`` would run. All of it runs, in a transaction that is rolled back.
    ///
    /// - Parameter allowed: The losses that are accepted, as for ``apply(allowing:)``.
    /// - Returns: The statements in the order in which they run; none for an empty plan.
    /// - Throws: ``SchemaError`` and ``SQLiteError``, as ``apply(allowing:)`` would.
    public func dryRun(allowing allowed: AllowedLosses = []) throws -> [SQL] {
        guard !connection.isInTransaction else { throw SchemaError.insideTransaction }
        try check(allowed)
        var log: [SQL] = []
        do {
            try run(allowed) { editor in
                log = editor.log
                throw Done()
            }
        } catch is Done {}
        return log
    }

    private struct Done: Error {}

    private func check(_ allowed: AllowedLosses) throws {
        if !allowed.contains(.tables), !obstacles.isEmpty {
            throw SchemaError.obstacles(obstacles.sorted { $0.key < $1.key }.flatMap(\.value))
        }
        let refused = losses.filter { loss in
            switch loss {
            case .column(let table, _, _): !allowed.contains(.columns) && obstacles[Identifier(table)] == nil
            case .conversion(let table, _, _, _):
                !allowed.contains(.conversions) && obstacles[Identifier(table)] == nil
            case .rows: !allowed.contains(.tables)
            }
        }
        guard refused.isEmpty else { throw SchemaError.losses(refused) }
    }

    private func run(_ allowed: AllowedLosses, _ finish: (SchemaEditor) throws -> Void) throws {
        let hadForeignKeys = try connection.hasForeignKeys
        // The numbers are the steps of a rebuild: see `SchemaEditor.rebuild(_:)`.
        // 1 and 12. Foreign keys are off, whether or not a table is rebuilt.
        try connection.withoutForeignKeys {
            // 2 and 11. One transaction, IMMEDIATE so that the file cannot change after the comparison.
            try connection.transaction(transactionType: .immediate) {
                let now = try connection.plan(toMatch: tables)
                guard now.changes == changes else { throw SchemaError.planIsStale }
                // Rows may have been added since.
                try now.check(allowed)
                let editor = SchemaEditor(connection)
                let faults = try editor.faults(editor.foreignKeys(hadForeignKeys))
                // 3 to 8. For each table that needs a rebuild.
                for table in tables { try apply(table, now.obstacles, with: editor) }
                // 9 and 10. Once for all tables.
                try editor.check(against: faults, editor.foreignKeys(hadForeignKeys))
                try finish(editor)
            }
        }
    }

    private func apply(_ table: TableDefinition, _ obstacles: [Identifier: [String]], with editor: SchemaEditor) throws
    {
        let own = changes.filter { $0.table.isSameName(as: table.name) }
        guard !own.isEmpty else { return }
        editor.step = table.name
        guard let old = try connection.tableInfo(table.name) else {
            return try editor.perform(.createTable(table))
        }
        let droppedIndexes = own.compactMap { if case .dropIndex(let index) = $0 { index.name } else { nil } }
        for index in droppedIndexes { try editor.perform(.dropIndex(index)) }
        if obstacles[Identifier(old.name)] != nil {
            try editor.recreate(old, as: table)
        } else {
            try editor.alter(old.name, alterations(own, table))
        }
        for case .createIndex(let index) in own { try editor.perform(.createIndex(index)) }
    }

    /// Returns the smallest change: columns that SQLite can add or drop itself, or otherwise one replacement of the table.
    private func alterations(_ changes: [TableChange], _ table: TableDefinition) -> [TableAlteration] {
        let changes = changes.filter(\.isOfTable)
        if changes.isEmpty { return [] }
        var kinds: [TableAlteration] = []
        for change in changes {
            switch change {
            case .addColumn(let column, _): kinds.append(.add(column, filling: nil))
            case .dropColumn(let column, _): kinds.append(.drop(column.name))
            default: return [.replace(table, droppedIndexes: [])]
            }
        }
        let drops = kinds.filter { if case .drop = $0 { true } else { false } }.count
        guard drops == 0 || drops == kinds.count else { return [.replace(table, droppedIndexes: [])] }
        return kinds
    }
}
