/// A column, or several, of the result of a query, with the type of the value that it becomes: an ``Expr``, a ``Condition``, which
/// becomes a `Bool`, or the ``Columns`` of a record.
///
///     User.leftJoin(Post.self) { $0.id == $1.author }.group { user, _ in user.id }
///         .select { ($0.record, $1.id.count()) }
///     // SELECT "users"."id", "users"."name", …, count("posts"."id") FROM "users" …
///     // as (User, Int)
public protocol Selectable<Output>: Sendable {
    /// The value that a row has for these columns.
    associatedtype Output
    /// The columns of an outer join that may have no matching row.
    @_documentation(visibility: internal)
    associatedtype IfMissing: Sendable

    @_documentation(visibility: internal)
    var selectedReader: SourceReader<Output> { get }
    @_documentation(visibility: internal)
    var sourceIfMissing: IfMissing { get }
    /// The names of the columns in a common table expression; `nil` for numbered names.
    @_documentation(visibility: internal)
    var selectedNames: [String]? { get }

    /// Returns the columns at another place, and moves the place behind them.
    @_documentation(visibility: internal)
    func selectedPlaced(at place: inout SourcePlace) -> Self
}

/// The place of columns that a query has selected: in a common table expression, or in the list of the query.
@_documentation(visibility: internal)
public struct SourcePlace: Sendable {
    /// The name of the common table expression; `nil` for the list of a query, whose columns are numbers.
    let table: String?
    /// Whether the columns have the names of a record's columns.
    var hasNames = false
    /// Whether the common table expression is used in its own definition, where SQLite refuses it in a subquery.
    var isRecursion = false
    /// The index of the next column.
    var index = 0

    /// The name of the table if it can be a subquery with the column ``RowMarker/name``.
    var markableTable: String? { isRecursion ? nil : table }

    /// Returns the name of a column without a name: `"ranked"."c1"`, or `1`.
    func reference(to index: Int) -> SQL {
        table.map { "\(name: $0).\(name: Self.columnName(index))" } ?? SQL(raw: "\(index + 1)")
    }

    /// Returns the name of a column that has a name where the columns have names.
    func reference(to index: Int, named name: String) -> SQL {
        if hasNames, let table { return "\(name: table).\(name: name)" }
        return reference(to: index)
    }

    static func columnName(_ index: Int) -> String { "c\(index + 1)" }
}

/// The form of a selected column, and whether it is SQL of the program.
@_documentation(visibility: internal)
public struct ColumnForm: Sendable {
    let form: AnyStorageForm?
    let stored: StoredForm
}

extension Expr {
    var columnForm: ColumnForm { ColumnForm(form: form, stored: storedForm) }
}

extension Expr: Selectable where Value: ColumnStorable {
    @_documentation(visibility: internal)
    public var selectedReader: SourceReader<Value> {
        let reading: SourceReader<Value>.Reading =
            if let form { .closure { try $0.value(at: $1, form: form) } } else { .layout(TupleLayout(Value.self)) }
        return SourceReader(columnSQL: [sql], forms: [columnForm], reading: reading)
    }

    @_documentation(visibility: internal)
    public var sourceIfMissing: Expr<Value.ColumnBase?> { Expr<Value.ColumnBase?>(column: sql, columnForm) }

    @_documentation(visibility: internal)
    public var selectedNames: [String]? { nil }

    @_documentation(visibility: internal)
    public func selectedPlaced(at place: inout SourcePlace) -> Expr {
        defer { place.index += 1 }
        return Expr(column: place.reference(to: place.index), columnForm)
    }
}

extension Condition: Selectable {
    /// `(a > ?) IS TRUE`: whether a row meets the condition, as in WHERE, which it does not for NULL.
    @_documentation(visibility: internal)
    public var selectedReader: SourceReader<Bool> { Expr<Bool>(operation: "(\(sql)) IS TRUE").selectedReader }

    @_documentation(visibility: internal)
    public var sourceIfMissing: Expr<Bool?> { Expr<Bool?>(atom: "(\(sql))") }

    @_documentation(visibility: internal)
    public var selectedNames: [String]? { nil }

    @_documentation(visibility: internal)
    public func selectedPlaced(at place: inout SourcePlace) -> Condition {
        defer { place.index += 1 }
        return Condition(place.reference(to: place.index), .comparison)
    }
}

/// The columns that tell a row of NULLs from a missing row of an outer join.
enum RowMarker {
    /// The column that is 1 in the rows of a table, and NULL where an outer join has no matching row.
    static let name = "squall_row"
    /// The marker of a record among the columns of a common table expression: NULL in its rows without a record.
    static let recordName = "squall_record"
}

extension Row {
    /// Reads the value of a selected expression.
    func value<Value: ColumnStorable>(at index: Int, form: AnyStorageForm?) throws -> Value {
        // Cannot fail: a row has as many columns as the query selects. The expected type only completes the error.
        guard let value = sqliteValue(at: index) else { throw failure(at: index, expected: Int.self) }
        do throws(ArgumentError) {
            guard let form, !value.isNull else { return try Value.fromArgument(value) }
            if let result = try form.decode(value) as? Value { return result }
            // Never past the form: what it stores may be a `Value` too.
            throw ArgumentError(
                reason: ConversionError(.unacceptable, expected: "\(Value.self)", sql: nil), address: 0)
        } catch {
            throw conversionError(error, at: index)
        }
    }
}
