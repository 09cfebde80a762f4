/// A join of five tables, or of six, which does not compile.
///
/// Read related records with `including:`, use a subquery, or write SQL; see <doc:TypedQueries>.
// It has the clauses of a join, so that only the join is wrong in a chain that goes on. Without them, the compiler of Swift 6.3.1 took 3 s,
// or 18 s with a sixth table, and reported that the next clause is missing. It takes as long where the columns are a pack (2026-11-29).
@_documentation(visibility: internal)
public struct JoinOfMoreThanFourTables<
    First: Sendable, Second: Sendable, Third: Sendable, Fourth: Sendable, Fifth: Sendable, Sixth: Sendable
>: Selection {
    public typealias Output = Never

    @_documentation(visibility: internal)
    public var select: Select<Never> {
        Select(
            "",
            SourceReader(columnSQL: [], forms: [], reading: .closure { _, _ in throw SQLiteError.unavailableError }),
            .other)
    }
}

// The type of the sixth table of a join of five is `Never`.
extension JoinOfMoreThanFourTables where Sixth == Never {
    @_documentation(visibility: internal)
    public func join<Record: TableRecord>(
        _ type: Record.Type, on condition: (First, Second, Third, Fourth, Fifth, Columns<Record>) -> Condition
    ) -> JoinOfMoreThanFourTables<First, Second, Third, Fourth, Fifth, Columns<Record>> { .init() }

    @_documentation(visibility: internal)
    public func leftJoin<Record: TableRecord>(
        _ type: Record.Type, on condition: (First, Second, Third, Fourth, Fifth, OptionalColumns<Record>) -> Condition
    ) -> JoinOfMoreThanFourTables<First, Second, Third, Fourth, Fifth, OptionalColumns<Record>> { .init() }

    @_documentation(visibility: internal)
    public func `where`(_ condition: (First, Second, Third, Fourth, Fifth) -> Condition) -> Self { self }

    @_documentation(visibility: internal)
    public func order(@ListBuilder<Ordering> _ terms: (First, Second, Third, Fourth, Fifth) -> [Ordering]) -> Self {
        self
    }

    @_documentation(visibility: internal)
    public func group<Value>(_ term: (First, Second, Third, Fourth, Fifth) -> Expr<Value>) -> Self { self }

    @_documentation(visibility: internal)
    public func select<Column>(_ columns: (First, Second, Third, Fourth, Fifth) -> Column) -> Self { self }
}

extension JoinOfMoreThanFourTables {
    @_documentation(visibility: internal)
    public func `where`(_ condition: (First, Second, Third, Fourth, Fifth, Sixth) -> Condition) -> Self { self }

    @_documentation(visibility: internal)
    public func order(@ListBuilder<Ordering> _ terms: (First, Second, Third, Fourth, Fifth, Sixth) -> [Ordering])
        -> Self
    { self }

    @_documentation(visibility: internal)
    public func group<Value>(_ term: (First, Second, Third, Fourth, Fifth, Sixth) -> Expr<Value>) -> Self { self }

    @_documentation(visibility: internal)
    public func select<Column>(_ columns: (First, Second, Third, Fourth, Fifth, Sixth) -> Column) -> Self { self }

    @_documentation(visibility: internal)
    public func limit(_ limit: Int, offset: Int = 0) -> Self { self }
}
