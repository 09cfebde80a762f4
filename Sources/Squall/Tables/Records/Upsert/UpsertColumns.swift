/// The columns of a table in an upsert: those of the row that is there, and in ``excluded`` those of the row that was to be inserted.
///
///     try connection.upsert(page, onConflict: \.path) {
///         $0.hits.set(to: $0.hits + $0.excluded.hits)
///     }
@dynamicMemberLookup
public struct UpsertColumns<Record>: Sendable {
    let core: TableCore<Record>
    /// The columns of the row that is there.
    private var columns: Columns<Record> { Columns(core: core, alias: nil) }

    /// The columns of the row that was to be inserted: `"excluded"."name"`.
    public var excluded: Columns<Record> { Columns(core: core, alias: "excluded") }

    /// The column of a nested property: `$0[\.address.city]`.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value>) -> Expr<Value> { columns[keyPath] }

    @_documentation(visibility: internal)
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Expr<Value> { columns[keyPath] }
}
