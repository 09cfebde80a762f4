/// The columns of a table in a query, by the properties of its record: `$0.age`, and `$0[\.address.city]` for a property of a
/// property.
///
/// A property that is in no column makes the query throw.
@dynamicMemberLookup
public struct Columns<Record>: QuerySource {
    let core: TableCore<Record>
    /// What the query calls the table, if not by its name.
    let alias: String?

    /// The column of a nested property: `$0[\.address.city]`.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value>) -> Expr<Value> { self[dynamicMember: keyPath] }

    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Expr<Value> {
        guard let column = core.column(keyPath, type: Value.self) else { return core.missing(keyPath) }
        return Expr(atom: core.reference(to: column, alias), form: column.form, column: column.name)
    }
}

/// The columns of a table that a left join may find no row of: all are optional.
@dynamicMemberLookup
public struct OptionalColumns<Record>: QuerySource {
    let core: TableCore<Record>
    let alias: String?

    /// The column of a nested property: `$1[\.address.city]`.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value>) -> Expr<Value?> { self[dynamicMember: keyPath] }

    /// The column of a nested property that is optional itself.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value?>) -> Expr<Value?> { self[dynamicMember: keyPath] }

    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Expr<Value?> {
        guard let column = core.column(keyPath, type: Value.self) else { return core.missing(keyPath) }
        return Expr(atom: core.reference(to: column, alias), form: column.form, column: column.name)
    }

    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value?>) -> Expr<Value?> {
        guard let column = core.column(keyPath, type: Value?.self) else { return core.missing(keyPath) }
        return Expr(atom: core.reference(to: column, alias), form: column.form, column: column.name)
    }
}

extension TableCore {
    func reference(to column: TableColumn<Record>, _ alias: String?) -> SQL {
        alias.map { "\(name: $0).\(name: column.name)" } ?? column.reference
    }

    /// Makes a record of the columns from `first` on.
    func record(from row: Row, first: Int) throws -> Record {
        var cursor = RecordCursor(row, layout: layout, first: first)
        // The cursor keeps neither.
        defer { withExtendedLifetime(row.storage) { withExtendedLifetime(self) {} } }
        return try make(&cursor)
    }

    func missing<Value>(_ keyPath: PartialKeyPath<Record>) -> Expr<Value> {
        var sql: SQL = "NULL"
        sql.fail(noColumn(keyPath))
        return Expr(atom: sql)
    }
}

/// A table of a query: ``Columns`` or ``OptionalColumns``.
public protocol QuerySource: Sendable {
    /// What the query returns of the table where no columns are selected: a record, or an optional one.
    associatedtype Output

    /// The SQL of all columns.
    var selection: [SQL] { get }

    /// What is wrong with the table.
    var failure: (any Error)? { get }

    /// Makes a record of the columns from `first` on.
    func output(from row: Row, first: Int) throws -> Output
}

extension Columns {
    public var selection: [SQL] { core.columns.map { core.reference(to: $0, alias) } }

    public var failure: (any Error)? { core.failure }

    public func output(from row: Row, first: Int) throws -> Record {
        try core.record(from: row, first: first)
    }
}

extension OptionalColumns {
    public var selection: [SQL] { core.columns.map { core.reference(to: $0, alias) } }

    public var failure: (any Error)? { core.failure }

    /// `nil` where all columns are NULL.
    public func output(from row: Row, first: Int) throws -> Record? {
        let isMissing = core.columns.indices.allSatisfy { row.sqliteValue(at: first + $0)?.isNull ?? true }
        if isMissing { return nil }
        return try core.record(from: row, first: first)
    }
}
