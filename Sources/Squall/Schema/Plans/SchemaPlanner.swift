/// Makes a plan by comparing a file with declared tables.
struct SchemaPlanner {
    private let connection: Connection
    private var changes: [TableChange] = []
    private var losses: [SchemaLoss] = []
    private var outcomes: [String: SyncOutcome] = [:]
    private var obstacles: [Identifier: [String]] = [:]

    init(_ connection: Connection) {
        self.connection = connection
    }

    func plan(toMatch tables: [TableDefinition]) throws -> SchemaPlan {
        var planner = self
        for table in tables { try planner.add(table) }
        try planner.checkParents(of: tables)
        return SchemaPlan(
            changes: planner.changes, losses: planner.losses, outcomes: planner.outcomes, connection: connection,
            tables: tables, obstacles: planner.obstacles
        )
    }

    private mutating func add(_ table: TableDefinition) throws {
        try table.check()
        try checkName(of: table)
        guard let (old, own) = try SchemaComparison(connection).changes(toMatch: table) else {
            changes.append(.createTable(table))
            outcomes[table.name] = .newTableCreated
            return
        }
        changes += own
        let rows = RowCheck(connection, from: old, to: table)
        let reasons = try own.compactMap { try obstacle($0, old: old, new: table) } + rows.obstacles(to: own)
        losses += try rows.conversions(in: own)
        if !reasons.isEmpty {
            obstacles[Identifier(old.name)] = reasons
            let count = try self.count(in: old.name)
            losses.append(.rows(table: old.name, count: count, because: reasons[0]))
        }
        for case .dropColumn(let column, _) in own where column.generated == nil {
            let values = try count(in: old.name, where: "\(name: old.name).\(name: column.name) IS NOT NULL")
            if values > 0 { losses.append(.column(table: old.name, column: column.name, values: values)) }
        }
        outcomes[table.name] = reasons.isEmpty ? Self.outcome(own) : .droppedAndRecreated
    }

    private func count(in table: String, where condition: SQL = "1") throws -> Int {
        try connection.query("SELECT count(*) FROM main.\(name: table) WHERE \(condition)")
    }

    private func checkName(of table: TableDefinition) throws {
        let found = try connection.catalog().entry(.table, .view, named: table.name)
        if found?.kind == .view { throw SchemaError.alreadyExists("a view \"\(table.name)\"") }
        guard found?.isVirtual == true else { return }
        throw SchemaError.invalid([
            "\"\(table.name)\" is a virtual table, which a declared table cannot be compared with"
        ])
    }

    /// Throws for a foreign key to a missing table. SQLite accepts such a key, and then refuses every row.
    private func checkParents(of tables: [TableDefinition]) throws {
        let changed = Set(changes.map { Identifier($0.table) })
        let declared = Set(tables.map { Identifier($0.name) })
        let known = declared.union(try connection.tableNames().map { Identifier($0) })
        let reasons = tables.filter { changed.contains(Identifier($0.name)) }.flatMap { $0.references(outside: known) }
        guard reasons.isEmpty else { throw SchemaError.invalid(reasons) }
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

    /// Returns the reason why the existing rows prevent a change.
    private func obstacle(_ change: TableChange, old: TableDefinition, new: TableDefinition) throws -> String? {
        switch change {
        case .addColumn(let column, let table):
            let isKey = new.rowIDColumn?.isSameName(as: column.name) == true
            guard column.needsValue, !isKey, try connection.query("SELECT EXISTS(SELECT 1 FROM main.\(name: table))")
            else { return nil }
            return Obstacle.notNull(column.name, of: table)
        case .changeColumn(let before, let after, let table):
            guard after.notNull != nil, before.notNull == nil, after.generated == nil,
                old.rowIDColumn?.isSameName(as: before.name) != true
            else { return nil }
            let count = try self.count(in: table, where: "\(name: table).\(name: before.name) IS NULL")
            guard count > 0 else { return nil }
            return """
                \(count.counted("row")) of "\(table)" \(count == 1 ? "has" : "have") NULL in "\(before.name)", which is to be NOT NULL: fill them first \
                (UPDATE, or ChangeColumn(…, fillingWith:) in a Version), or declare the column optional
                """
        default: return nil
        }
    }
}
