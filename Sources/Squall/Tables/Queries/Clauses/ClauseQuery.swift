/// A query to which clauses can be added. The clauses with closures are those of ``ClauseQuery1``; the closures of a join take the
/// columns of each table.
// In one protocol for any number, the parameter of the closures would be a tuple. If a closure omits a parameter, the compiler then
// takes 32 s to report it; with a function type for each number, 50 ms (Swift 6.3.1, 2026-11-22). With a parameter pack, it refuses a chain
// of two joins, and takes 5 s for a `where` of four tables that is right (2026-11-29).
public protocol ClauseQuery<Sources>: Selection {
    /// The ``Columns`` of the table, or a tuple of the columns of several tables.
    @_documentation(visibility: internal)
    associatedtype Sources: Sendable

    @_documentation(visibility: internal)
    var sources: Sources { get }
    @_documentation(visibility: internal)
    var clauses: QueryClauses { get set }
}

extension ClauseQuery {
    @_documentation(visibility: internal)
    @inlinable
    public var select: Select<Rows.Output> { clauses.select(rows.selectedReader) }

    /// Sets the limit: `LIMIT ? OFFSET ?`. A negative number makes the query throw.
    @inlinable
    public consuming func limit(_ limit: Int, offset: Int? = nil) -> Self {
        var query = self
        query.clauses.limit = limit
        query.clauses.offset = offset
        return query
    }

    /// Leaves out duplicate rows: `SELECT DISTINCT …`
    public func distinct() -> Self {
        var query = self
        query.clauses.isDistinct = true
        return query
    }
}

// MARK: - For any number of tables

extension ClauseQuery {
    @inlinable
    consuming func addingCondition(_ condition: (Sources) -> Condition) -> Self {
        changed(condition) { $0.addCondition($1) }
    }

    @inlinable
    consuming func addingOrder(_ terms: (Sources) -> [Ordering]) -> Self {
        changed(terms) { $0.addOrder($1) }
    }

    func addingGroup<Value>(_ term: (Sources) -> Expr<Value>) -> Self {
        changed(term) { $0.groups.append($1.operand) }
    }

    func addingGroups<each Value>(_ terms: (Sources) -> (repeat Expr<each Value>)) -> Self {
        var query = self
        let terms = query.clauses.inScope { terms(sources) }
        repeat query.clauses.groups.append((each terms).operand)
        return query
    }

    func addingHaving(_ condition: (Sources) -> Condition) -> Self {
        changed(condition) { $0.addHaving($1) }
    }

    // Not generic in a program: a clause takes a fifth of the instructions (callgrind, 2026-11-23).
    @inlinable
    consuming func changed<Clause>(
        _ clause: (Sources) -> Clause, _ change: (inout QueryClauses, Clause) -> Void
    ) -> Self {
        let sources = sources
        var query = self
        let clause = query.clauses.inScope { clause(sources) }
        change(&query.clauses, clause)
        return query
    }

    func selecting<Column: Selectable>(_ column: (Sources) -> Column) -> (QueryClauses, ResultColumns<Column>) {
        var clauses = clauses
        let column = clauses.inScope { column(sources) }
        return (clauses, ResultColumns(column))
    }

    // Not overloads of the functions for one column: a pack would also match one.
    func selectingAll<each Column: Selectable>(
        _ columns: (Sources) -> (repeat each Column)
    ) -> (QueryClauses, ResultColumns<repeat each Column>) {
        var clauses = clauses
        let columns = clauses.inScope { columns(sources) }
        return (clauses, ResultColumns(repeat each columns))
    }

    func selecting<Output, Column: Selectable>(
        into make: @escaping @Sendable (Column.Output) throws -> Output, _ column: (Sources) -> Column
    ) -> Select<Output> {
        var clauses = clauses
        let reader = clauses.inScope { column(sources) }.selectedReader
        return clauses.select(
            SourceReader(columnSQL: reader.columnSQL, forms: reader.forms, markedTables: reader.markedTables) {
                row, first in
                try make(try reader.read(row, first))
            })
    }

    func selectingAll<Output, each Column: Selectable>(
        into make: @escaping @Sendable (repeat (each Column).Output) throws -> Output,
        _ columns: (Sources) -> (repeat each Column)
    ) -> Select<Output> {
        let (clauses, rows) = selectingAll(columns)
        let reader = rows.selectedReader
        return clauses.select(
            SourceReader(columnSQL: reader.columnSQL, forms: reader.forms, markedTables: reader.markedTables) {
                row, first in
                let values = try reader.read(row, first)
                return try make(repeat each values)
            })
    }
}
