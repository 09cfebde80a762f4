/// A property without a column, whose own properties may have columns: `$0.address` in `$0.address.city`.
///
/// Sendable, because nothing reads a value through its key path, which is only compared.
final class ExprProperty: @unchecked Sendable {
    private let keyPath: AnyKeyPath
    private let find: (AnyKeyPath, Any.Type?) -> ExprParts?
    private let missing: (AnyKeyPath) -> SQLiteError

    init<Record>(_ core: TableCore<Record>, _ keyPath: PartialKeyPath<Record>, _ place: ColumnPlace) {
        self.keyPath = keyPath
        find = { keyPath, type in
            guard let keyPath = keyPath as? PartialKeyPath<Record> else { return nil }
            let offset = MemoryLayout<Record>.offset(of: keyPath)
            let index = type.map { core.columnIndex(keyPath, offset, type: $0) } ?? core.columnIndex(keyPath)
            return index.map { core.expressionColumn($0, place) }
        }
        missing = { keyPath in
            guard let keyPath = keyPath as? PartialKeyPath<Record> else {
                return SQLiteError(TableProblem.unknownProperty("\(keyPath)"), of: .table(core.name))
            }
            return core.missingColumnError(keyPath)
        }
    }

    private init(_ outer: ExprProperty, _ keyPath: AnyKeyPath) {
        self.keyPath = keyPath
        find = outer.find
        missing = outer.missing
    }

    /// The error of a query that uses the property itself.
    var error: SQLiteError { missing(keyPath) }

    /// Returns the column of a property of this one, or that property, if it has no column.
    fileprivate func nested<Value>(_ inner: AnyKeyPath, type: Any.Type) -> Expr<Value> {
        guard let full = keyPath.appending(path: inner) else {
            // The outer property is optional, so that the column is declared with `?`, and its key path has another type.
            var sql: SQL = "NULL"
            sql.fail(SQLiteError(ExpressionProblem.optionalProperty(outer: "\(keyPath)", inner: "\(inner)")))
            return Expr(atom: sql)
        }
        guard let column = find(full, type) else { return Expr(ExprProperty(self, full)) }
        return Expr(column)
    }
}

extension Expr {
    /// A property without a column. A query that uses it throws.
    init(_ property: ExprProperty) {
        var sql: SQL = "NULL"
        sql.fail(property.error)
        self.init(sql, property)
    }

    /// The column of a nested property: `$0.address.city`, of `Column("city", \User.address.city)`.
    ///
    /// A query throws if the property has no column. Where the outer property is optional, the column is `$0[\.address?.city]`.
    public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Expr<Member> {
        nested(keyPath, type: Member.self)
    }

    /// The column of a nested property in a table that was added by a left join: `$1.address.city`.
    public subscript<Wrapped, Member>(dynamicMember keyPath: KeyPath<Wrapped, Member>) -> Expr<Member?>
    where Value == Wrapped? { nested(keyPath, type: Member.self) }

    /// The column of a nested property that is optional itself, in a table that was added by a left join.
    public subscript<Wrapped, Member>(dynamicMember keyPath: KeyPath<Wrapped, Member?>) -> Expr<Member?>
    where Value == Wrapped? { nested(keyPath, type: Member?.self) }

    private func nested<Member>(_ keyPath: AnyKeyPath, type: Any.Type) -> Expr<Member> {
        if case .property(let property) = kind { return property.nested(keyPath, type: type) }
        var sql: SQL = "NULL"
        sql.fail(SQLiteError(ExpressionProblem.nestedInColumn(sql: self.sql.text, property: "\(keyPath)")))
        return Expr<Member>(atom: sql)
    }
}
