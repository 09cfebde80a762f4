extension Connection {
    /// What brings the file to these tables. Only reads.
    ///
    /// - Throws: ``SQLiteError``.
    public func plan(toMatch tables: [TableDefinition]) throws -> SchemaPlan {
        // One snapshot: the definitions and the counts belong together.
        if isInTransaction { return try SchemaPlanner(self).plan(toMatch: tables) }
        return try transaction { try SchemaPlanner(self).plan(toMatch: tables) }
    }
}

private struct SchemaPlanner {
    private let connection: Connection
    private var changes: [TableChange] = []
    private var losses: [SchemaLoss] = []
    private var outcomes: [String: SyncOutcome] = [:]
    private var obstacles: [String: [String]] = [:]

    init(_ connection: Connection) {
        self.connection = connection
    }

    func plan(toMatch tables: [TableDefinition]) throws -> SchemaPlan {
        var planner = self
        for table in tables { try planner.add(table) }
        return SchemaPlan(
            changes: planner.changes, losses: planner.losses, outcomes: planner.outcomes, connection: connection,
            tables: tables, obstacles: planner.obstacles
        )
    }

    private mutating func add(_ table: TableDefinition) throws {
        try table.check()
        guard let old = try connection.tableInfo(table.name) else {
            changes.append(.createTable(table))
            outcomes[table.name] = .newTableCreated
            return
        }
        let own = old.changes(to: table)
        changes += own
        let reasons = try own.compactMap { try obstacle($0, old: old, new: table) }
        if !reasons.isEmpty {
            obstacles[old.name.lowercased()] = reasons
            let count = try connection.count(old.name)
            losses.append(.rows(table: old.name, count: count, because: reasons[0]))
        }
        for case .dropColumn(let column, _) in own where column.generated == nil {
            let values = try connection.count(old.name, where: "\(name: old.name).\(name: column.name) IS NOT NULL")
            if values > 0 { losses.append(.column(table: old.name, column: column.name, values: values)) }
        }
        outcomes[table.name] = reasons.isEmpty ? Self.outcome(own) : .droppedAndRecreated
    }

    private static func outcome(_ changes: [TableChange]) -> SyncOutcome {
        let hasAdded = changes.contains { if case .addColumn = $0 { true } else { false } }
        let hasDropped = changes.contains { if case .dropColumn = $0 { true } else { false } }
        switch (hasAdded, hasDropped) {
        case (true, true): return .newColumnsAddedAndOldColumnsRemoved
        case (true, false): return .newColumnsAdded
        case (false, true): return .oldColumnsRemoved
        case (false, false): return changes.isEmpty ? .alreadyInSync : .tableChanged
        }
    }

    /// Why a change cannot be made with the rows that are there.
    private func obstacle(_ change: TableChange, old: TableDefinition, new: TableDefinition) throws -> String? {
        switch change {
        case .addColumn(let column, let table):
            let isKey = new.rowIDColumn?.lowercased() == column.name.lowercased()
            guard column.needsValue, !isKey, try connection.query("SELECT EXISTS(SELECT 1 FROM \(name: table))")
            else { return nil }
            return Obstacle.notNull(column.name, of: table)
        case .changeColumn(let before, let after, let table):
            guard after.notNull != nil, before.notNull == nil, after.generated == nil,
                old.rowIDColumn?.lowercased() != before.name.lowercased()
            else { return nil }
            let count = try connection.count(table, where: "\(name: table).\(name: before.name) IS NULL")
            guard count > 0 else { return nil }
            return """
                \(count) rows of "\(table)" have NULL in "\(before.name)", which is to be NOT NULL: fill them first \
                (UPDATE, or ChangeColumn(…, fillingWith:) in a Version), or declare the column optional
                """
        default: return nil
        }
    }
}
