import Squall

extension StatementSyntax {
    /// The names of common tables, and the aliases of subqueries: what a plan names like a table and is none.
    var derivedTables: [Identifier] {
        switch self {
        case .select(let select): select.derivedTables
        case .insert(let insert): insert.with.flatMap(\.derivedTables) + (insert.source?.derivedTables ?? [])
        case .update(let update): update.with.flatMap(\.derivedTables) + (update.from?.derivedTables ?? [])
        case .delete(let delete): delete.with.flatMap(\.derivedTables)
        case .other: []
        }
    }
}

extension CommonTableExpression {
    fileprivate var derivedTables: [Identifier] { [name] + statement.derivedTables }
}

extension Select {
    fileprivate var derivedTables: [Identifier] {
        with.flatMap(\.derivedTables)
            + arms.flatMap { arm -> [Identifier] in
                guard case .select(let core) = arm else { return [] }
                return core.from?.derivedTables ?? []
            }
    }
}

extension TableExpression {
    fileprivate var derivedTables: [Identifier] {
        switch self {
        case .table: []
        case .function(let name, _, let alias): [alias ?? name]
        case .subquery(let select, let alias): (alias.map { [$0] } ?? []) + select.derivedTables
        case .join(let left, _, let right, _): left.derivedTables + right.derivedTables
        }
    }
}
