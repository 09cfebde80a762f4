import Squall

extension Analysis {
    /// Infers the columns of the result of a statement.
    func infer(_ statement: StatementSyntax) -> [Result] {
        switch statement {
        case .select(let select): infer(select, in: nil)
        case .insert(let insert): infer(insert)
        case .update(let update): infer(update)
        case .delete(let delete): infer(delete)
        case .other: []
        }
    }

    private func infer(_ insert: Insert) -> [Result] {
        add(insert.with, in: nil)
        let target = target(insert.table, insert.alias)
        let expectations = expectations(of: insert, target)
        if insert.columns.isEmpty, insert.source != nil, catalog.tables[insert.table]?.kind == .table {
            // Without a list, values would go into other columns when the table has another order.
            let names = writtenColumns(of: insert.table, []).map { $0?.name.quoted }
            stars[insert.columnsOffset..<insert.columnsOffset] = names
        }
        if let source = insert.source { _ = infer(source, in: nil, expecting: expectations) }
        let scope = Scope(parent: nil)
        let excluded = makeSource("excluded", target.columns, hasRowID: target.hasRowID)
        scope.sources = [target, excluded]
        for upsert in insert.upserts {
            infer(upsert.assignments, of: insert.table, in: scope)
            for condition in upsert.conditions { _ = infer(condition, in: scope) }
        }
        return returned(insert.returning, target)
    }

    private func infer(_ update: Update) -> [Result] {
        add(update.with, in: nil)
        let target = target(update.table, update.alias)
        let scope = Scope(parent: nil)
        scope.sources = [target]
        if let from = update.from { add(from, to: scope) }
        if let condition = update.condition {
            _ = infer(condition, in: scope)
            assume(condition, in: scope)
        }
        infer(update.assignments, of: update.table, in: scope)
        for limit in update.limit { _ = infer(limit, in: scope, expecting: .int) }
        return returned(update.returning, target)
    }

    private func infer(_ delete: Delete) -> [Result] {
        add(delete.with, in: nil)
        let target = target(delete.table, delete.alias)
        let scope = Scope(parent: nil)
        scope.sources = [target]
        if let condition = delete.condition { _ = infer(condition, in: scope) }
        for limit in delete.limit { _ = infer(limit, in: scope, expecting: .int) }
        return returned(delete.returning, target)
    }

    /// The table that a statement writes. What a view returns is what the statement wrote, and its triggers may store anything.
    private func target(_ name: Identifier, _ alias: Identifier?) -> Source {
        let outer = commonTables
        commonTables = [:]
        defer { commonTables = outer }
        let found = columns(ofTable: name)
        var columns = found?.columns ?? []
        if case .view? = catalog.tables[name]?.kind {
            for index in columns.indices { columns[index].isNullable = true }
        }
        return makeSource(alias ?? name, columns, hasRowID: found?.hasRowID ?? false)
    }

    private func returned(_ items: [ResultItem], _ target: Source) -> [Result] {
        let scope = Scope(parent: nil)
        scope.sources = [target]
        return items.flatMap { infer($0, in: scope) }
    }

    /// Returns the types of the values of an INSERT. What the triggers of a view make of NULL is not known.
    private func expectations(of insert: Insert, _ target: Source) -> [Expectation] {
        guard case .view? = catalog.tables[insert.table]?.kind else {
            return writtenColumns(of: insert.table, insert.columns).map { $0.map(Self.expectation) ?? Expectation() }
        }
        let columns = insert.columns.isEmpty ? target.columns : insert.columns.compactMap { target.column($0) }
        return columns.map { Expectation(type: $0.type, allowsNull: true) }
    }

    /// The columns of an INSERT: those that it lists, or all that are not generated. `nil` for one that is not known.
    private func writtenColumns(of table: Identifier, _ names: [Identifier]) -> [CatalogColumn?] {
        guard let table = catalog.tables[table] else { return [] }
        guard names.isEmpty else { return names.map { table.column($0) ?? table.rowID(named: $0) } }
        return table.writtenColumns
    }

    private func infer(_ assignments: [Assignment], of table: Identifier, in scope: Scope) {
        for assignment in assignments {
            let columns = assignment.columns.map { catalog.tables[table]?.column($0) }
            let expectations = columns.map { $0.map(Self.expectation) ?? Expectation() }
            switch assignment.value {
            case .row(let values) where values.count == columns.count:
                for (value, expectation) in zip(values, expectations) {
                    _ = infer(value, in: scope, expecting: expectation)
                }
            case .subquery(let select): _ = infer(select, in: scope, expecting: expectations)
            default: _ = infer(assignment.value, in: scope, expecting: expectations.first ?? Expectation())
            }
        }
    }

    /// Returns the type of a value that is written to a column. SQLite assigns a rowid in place of NULL.
    private static func expectation(_ column: CatalogColumn) -> Expectation {
        let allowsNull = column.isRowID || !column.isNotNull
        return Expectation(type: column.type, allowsNull: allowsNull, refusesNull: !allowsNull)
    }
}
