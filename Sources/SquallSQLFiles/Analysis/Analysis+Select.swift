import Squall

extension Analysis {
    /// A column of a result.
    struct Result: Hashable {
        /// The name, where the SQL says it: an alias, or the name of a column.
        let name: Identifier?
        let value: Inference
        /// The place in the SQL, in bytes of UTF-8; `nil` for a value of VALUES.
        var range: Range<Int>?

        var column: Source.Column {
            Source.Column(name: name, type: value.type, isNullable: value.isNullable)
        }
    }

    /// Infers the columns of a SELECT.
    ///
    /// - Parameter expectations: What is known of the columns, where their values are written to a table.
    func infer(_ select: Select, in parent: Scope?, expecting expectations: [Expectation] = []) -> [Result] {
        let outer = commonTables
        defer { commonTables = outer }
        add(select.with, in: parent)
        var results: [Result] = []
        for (index, arm) in select.arms.enumerated() {
            let order = select.arms.count == 1 ? select.order : []
            let columns = infer(arm, in: parent, order: order, expecting: expectations)
            results = index == 0 ? columns : Self.combined(results, columns, by: select.operators[index - 1])
        }
        for limit in select.limit { _ = infer(limit, in: Scope(parent: parent), expecting: .int) }
        hasOneRow = hasOneRow && select.arms.count == 1 && select.limit.isEmpty
        return results
    }

    private static func united(_ left: [Result], _ right: [Result]) -> [Result] {
        zip(left, right).map { Result(name: $0.name, value: $0.value.united(with: $1.value), range: $0.range) }
    }

    /// The results of a compound. The rows of EXCEPT and INTERSECT are rows of the left arm.
    private static func combined(_ left: [Result], _ right: [Result], by operation: Select.Operator) -> [Result] {
        guard operation != .union else { return united(left, right) }
        return zip(left, right).map { left, right in
            let isNullable = left.value.isNullable && (operation == .except || right.value.isNullable)
            return Result(name: left.name, value: left.value.derived(isNullable: isNullable), range: left.range)
        }
    }

    /// Makes common tables visible.
    func add(_ tables: [CommonTableExpression], in parent: Scope?) {
        // A common table can read one that stands after it. Until that is known, it has no columns.
        for table in tables { commonTables[table.name] = [] }
        for _ in tables {
            let before = tables.map { commonTables[$0.name] }
            for table in tables {
                guard case .select(let select) = table.statement else { continue }
                commonTables[table.name] = columns(of: table, select, in: parent)
            }
            if before == tables.map({ commonTables[$0.name] }) { break }
        }
    }

    /// Infers the columns of a common table. One that reads itself is inferred until nothing changes.
    private func columns(of table: CommonTableExpression, _ select: Select, in parent: Scope?) -> [Source.Column] {
        func named(_ results: [Result]) -> [Source.Column] {
            results.enumerated().map { index, result in
                var column = result.column
                if table.columns.indices.contains(index) {
                    column = .init(name: table.columns[index], type: column.type, isNullable: column.isNullable)
                }
                return column
            }
        }
        var first = select
        first.arms = [select.arms[0]]
        first.operators = []
        guard select.arms.count > 1 else { return named(infer(select, in: parent)) }
        let outer = commonTables[table.name]
        defer { commonTables[table.name] = outer }
        commonTables[table.name] = []
        var columns = named(infer(first, in: parent))
        for _ in 0..<8 {
            commonTables[table.name] = columns
            let next = named(infer(select, in: parent))
            if next == columns { return columns }
            columns = next
        }
        return columns.map { .init(name: $0.name, type: nil, isNullable: true) }
    }

    private func infer(
        _ arm: Select.Arm, in parent: Scope?, order: [Expression], expecting expectations: [Expectation]
    ) -> [Result] {
        func expectation(_ index: Int) -> Expectation {
            expectations.indices.contains(index) ? expectations[index] : Expectation()
        }
        switch arm {
        case .select(let core):
            let scope = scope(of: core, in: parent)
            var results: [Result] = []
            var wasEmptyGroup: Bool
            repeat {
                wasEmptyGroup = scope.canBeEmptyGroup
                results = []
                for item in core.columns { results += infer(item, in: scope, expecting: expectation(results.count)) }
                for term in order { _ = infer(term, in: scope) }
                // An aggregate, also one in a subquery, makes a group of all rows, which changes the columns beside it.
            } while scope.canBeEmptyGroup != wasEmptyGroup
            hasOneRow =
                core.having == nil && core.group.isEmpty
                && (scope.hasAggregate || core.from == nil && core.condition == nil)
            return results
        case .values(let rows):
            hasOneRow = rows.count == 1
            let scope = Scope(parent: parent)
            let all = rows.map { row in
                row.enumerated().map { index, value in
                    let value = infer(value, in: scope, expecting: expectation(index))
                    return Result(name: Identifier("column\(index + 1)"), value: value)
                }
            }
            return all.dropFirst().reduce(all.first ?? []) { Self.united($0, $1) }
        }
    }

    /// Makes the scope of a SELECT: its tables, and what its conditions prove.
    func scope(of core: SelectCore, in parent: Scope?) -> Scope {
        let scope = Scope(parent: parent)
        scope.windows = core.windows
        scope.isGrouped = !core.group.isEmpty
        for case .expression(let expression, let alias?, _) in core.columns { scope.aliases[alias] = expression }
        if let from = core.from { add(from, to: scope) }
        if let condition = core.condition {
            _ = infer(condition, in: scope)
            assume(condition, in: scope)
        }
        for term in core.group { _ = infer(term, in: scope) }
        // Aggregates are found while the columns are inferred.
        scope.canBeEmptyGroup = core.having != nil && core.group.isEmpty
        if let having = core.having {
            _ = infer(having, in: scope)
            assume(having, in: scope)
        }
        return scope
    }

    /// Infers an item of a result: one column, or those of `*`.
    func infer(_ item: ResultItem, in scope: Scope, expecting expectation: Expectation = .init()) -> [Result] {
        switch item {
        case .expression(let expression, let alias, let range):
            var name = alias
            if name == nil, case .column(_, let column, _) = expression { name = column }
            let value = infer(expression, in: scope, expecting: expectation)
            return [Result(name: name, value: value, range: range)]
        case .all(let table, let range):
            let columns = allColumns(of: table, in: scope)
            if openViews.isEmpty { stars[range] = columns.map(\.sql) }
            return columns.map { column in
                Result(name: column.name, value: infer(column.expression, in: scope), range: range)
            }
        }
    }

    /// A column that `*` stands for.
    struct StarColumn {
        let name: Identifier?
        let expression: Expression
        /// The SQL of the column; `nil` where it cannot be named.
        let sql: String?
    }

    /// The columns that `*` or `table.*` stands for.
    func allColumns(of table: Identifier?, in scope: Scope) -> [StarColumn] {
        var seen: Set<Identifier> = []
        var columns: [StarColumn] = []
        for source in scope.sources where table == nil || source.name == table {
            for column in source.columns where !column.isHidden {
                guard let name = column.name else {
                    columns.append(StarColumn(name: nil, expression: .raise, sql: nil))
                    continue
                }
                let isMerged = table == nil && scope.merged.contains(name)
                if isMerged, !seen.insert(name).inserted { continue }
                let qualifier = isMerged || scope.sources.count == 1 ? nil : source.name
                columns.append(
                    StarColumn(
                        name: name, expression: .column(table: qualifier, name, offset: 0),
                        sql: [qualifier, name].compactMap { $0?.quoted }.joined(separator: ".")))
            }
        }
        return columns
    }
}

extension Identifier {
    /// The name as SQL, in quotes.
    var quoted: String {
        let sql: SQL = "\(name: spelling)"
        return sql.text
    }
}
