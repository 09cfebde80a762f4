/// An expression of SQL, and the Swift type of its value.
///
/// A column of a query is one (`$0.age`), and what is computed from it (`$0.age + 1`, `$0.name.lowercased()`).
/// Any other SQL becomes one with a type of your saying:
///
///     Expr<Int>("unixepoch()")
///     Expr<Double>("julianday('now') - julianday(\($0.born))")
public struct Expr<Value>: Sendable {
    public let sql: SQL
    /// How the column stores its values, unless as the type does.
    let form: AnyStorageForm?
    /// Whether it needs no parentheses within another.
    let isAtom: Bool
    /// The name of the column that it is.
    let column: String?

    /// SQL as an expression of a type.
    public init(_ sql: SQL) {
        self.sql = sql
        self.form = nil
        self.isAtom = false
        self.column = nil
    }

    /// SQL that needs no parentheses within other SQL.
    init(atom sql: SQL, form: AnyStorageForm? = nil, column: String? = nil) {
        self.sql = sql
        self.form = form
        self.isAtom = true
        self.column = column
    }

    /// The SQL within other SQL.
    var operand: SQL { isAtom ? sql : "(\(sql))" }

    /// A value in the form in which the column has its own.
    func bind(_ value: some Bindable) -> SQL {
        guard let form else { return SQL(binding: { try value.checkedBindingValue() }) }
        return SQL(binding: { try form.encode(value) })
    }

    /// Two operands with a sign between them.
    func combined<Other>(_ sign: SQL, _ other: Expr<Other>) -> SQL {
        var sql = operand + sign + other.operand
        if form?.name != other.form?.name {
            sql.fail(SQLiteError.misuse("columns that are stored in different forms: \(sql.text)"))
        }
        return sql
    }
}

extension Expr<Int> {
    /// `count(*)`
    public static var rowCount: Expr<Int> { Expr(atom: "count(*)") }
}

extension SQL {
    /// A parameter, bound to a value that may be refused.
    fileprivate init(binding value: () throws -> BindingValue) {
        self.init(head: "", tail: [], failure: nil)
        do {
            append(try value())
        } catch {
            append(.null)
            fail(error)
        }
    }
}

extension SQL.StringInterpolation {
    /// Appends an expression.
    public mutating func appendInterpolation<Value>(_ expression: Expr<Value>) {
        appendInterpolation(expression.operand)
    }

    /// Appends a condition, in parentheses where it needs them.
    public mutating func appendInterpolation(_ condition: Condition) {
        appendInterpolation(condition.operand)
    }
}
