// Columns that contain JSON: in a property stored as `.json`, or in any column with JSON text or SQLite's binary JSON.

/// A type whose values are in JSON as in SQLite: `String`, `Bool`, `Double`, and the integers that an INTEGER holds.
///
/// Only Squall's types conform to this protocol. `Float`, `UInt` and `UInt64` do not: JSON has other digits than the bound value of a
/// `Float`, and integers above `Int64.max` are bound as negative numbers. Use `Double` and `Int64` instead.
public protocol JSONScalar: Bindable, FunctionArgument {}

extension String: JSONScalar {}
extension Bool: JSONScalar {}
extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension Double: JSONScalar {}

/// A value in the JSON of a column, by its path.
final class JSONMember: Sendable {
    /// The name of the column without its table.
    let column: String
    let columnSQL: SQL
    let path: String

    init(column: String, columnSQL: SQL, path: String) {
        self.column = column
        self.columnSQL = columnSQL
        self.path = path
    }
}

extension Expr {
    /// `json_extract(a, ?)`: a value in JSON by its path; NULL where it is missing, or is `null`
    ///
    ///     User.where { $0.settings["$.theme", as: String.self] == "dark" }
    ///     try connection.update(User.self) {
    ///         $0.settings["$.theme", as: String.self].set(to: "dark")
    ///     } where: {
    ///         …
    ///     }
    ///
    /// SQLite returns `true` and `false` as 1 and 0, and an object or an array as its JSON text. Setting it is
    /// `a = json_set(a, ?, ?)`; a column that is NULL stays NULL. An update can set several paths of a column.
    public subscript<Member: JSONScalar>(path: String, as type: Member.Type) -> Expr<Member?> {
        let extract: SQL = "json_extract(\(sql), \(path))"
        guard case .column(let name, _) = kind else { return Expr<Member?>(atom: extract) }
        return Expr<Member?>(extract, JSONMember(column: name, columnSQL: sql, path: path))
    }

    /// `json_array_length(a)`, or `json_array_length(a, ?)` of the array at a path; NULL where there is none
    public func jsonArrayLength(_ path: String? = nil) -> Expr<Int?> {
        Expr<Int?>(atom: "json_array_length(\(sql)\(Self.argument(path)))")
    }

    /// `json_type(a)`, or `json_type(a, ?)` of the value at a path: `text`, `integer`, `object`, …; NULL where there is none
    public func jsonType(_ path: String? = nil) -> Expr<String?> {
        Expr<String?>(atom: "json_type(\(sql)\(Self.argument(path)))")
    }

    private static func argument(_ path: String?) -> SQL { path.map { ", \($0)" } ?? "" }

    fileprivate func containsJSON(_ element: some JSONScalar) -> Condition {
        var sql: SQL = "EXISTS (SELECT 1 FROM json_each(\(sql)) WHERE value = \(element))"
        // `Data` and `[UInt8]` are stored as a blob.
        if element is UInt8, storedForm == .plain {
            sql.fail(SQLiteError(ExpressionProblem.notJSON(sql: self.sql.text)))
        }
        return Condition(sql, .comparison)
    }
}

extension Expr where Value: Sequence, Value.Element: JSONScalar {
    /// `EXISTS (SELECT 1 FROM json_each(a) WHERE value = ?)`: the JSON array contains the value. A column of bytes makes the query throw.
    public func contains(_ element: Value.Element) -> Condition { containsJSON(element) }
}

extension Expr {
    /// `EXISTS (SELECT 1 FROM json_each(a) WHERE value = ?)`: the JSON array contains the value. A column of bytes makes the query throw.
    public func contains<Elements: Sequence>(_ element: Elements.Element) -> Condition
    where Value == Elements?, Elements.Element: JSONScalar { containsJSON(element) }
}

// A column with a form can have any type. Its values can be set and compared for equality, in the stored form.

extension Expr {
    /// `"settings" = ?`, in an update, in the form of the column; `"settings" = NULL` for `nil`
    @_disfavoredOverload
    public func set(to value: Value) -> Assignment { assignment(of: value) }

    /// `a = ?`, in the form of the column. It is `a IS NULL` for `nil`.
    ///
    /// JSON is compared as text: what Squall has written whole is found. Where members were set one by one, or another program has written
    /// the JSON, compare its members: `$0.settings["$.theme", as: String.self] == "dark"`.
    @_disfavoredOverload
    @inlinable
    public static func == (left: Expr, right: Value) -> Condition {
        // The compiler chooses this form also for values of the standard types. Once inlined, it needs no cast for them.
        if let right = right as? any Bindable { return left.comparison(" = ", right) }
        return left.comparison(isNull: true, " = ", anyOf: right)
    }

    /// `a <> ?`, in the form of the column: JSON is compared as text. It is `a IS NOT NULL` for `nil`.
    @_disfavoredOverload
    @inlinable
    public static func != (left: Expr, right: Value) -> Condition {
        if let right = right as? any Bindable { return left.comparison(" <> ", right) }
        return left.comparison(isNull: false, " <> ", anyOf: right)
    }

    @usableFromInline
    func comparison(isNull: Bool, _ sign: String, anyOf value: Value) -> Condition {
        if (value as? any OptionalValue)?.isNil == true { return isNull ? self.isNull : isNotNull }
        return Condition(operand + SQL(raw: sign) + bind(anyOf: value), .comparison)
    }
}
