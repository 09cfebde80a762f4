/// An expression of SQL, and the Swift type of its value.
///
/// A column of a query is an expression (`$0.age`), and so is a value computed from it (`$0.age + 1`, `$0.name.lowercased()`).
/// Other SQL becomes an expression of the type that you name:
///
///     Expr<Int>("unixepoch()")
///     Expr<Double>("julianday('now') - julianday(\($0.born))")
@dynamicMemberLookup
public struct Expr<Value>: Sendable {
    public let sql: SQL
    /// The form in which the column stores its values, where it has one.
    let form: AnyStorageForm?
    let kind: ExprKind

    /// SQL as an expression of a type.
    public init(_ sql: SQL) {
        self.sql = sql
        self.form = nil
        self.kind = .raw
    }

    /// SQL that needs no parentheses within other SQL.
    init(atom sql: SQL, form: AnyStorageForm? = nil, column: String? = nil) {
        self.sql = sql
        self.form = form
        self.kind = column.map(ExprKind.column) ?? .atom
    }

    /// Operands with operators between them.
    init(operation sql: SQL) {
        self.sql = sql
        self.form = nil
        self.kind = .operation
    }

    /// A column of the result of a query, which may be SQL of the program.
    init(column sql: SQL, _ column: ColumnForm) {
        self.sql = sql
        self.form = column.form
        self.kind = column.stored == .unknown ? .unknown : .atom
    }

    /// Explains how to name a nested property: an expression does not have the properties of its value.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "an expression of SQL has no such member; a nested property with a column is `$0[\\.outer.inner]`"
    )
    public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Expr<Member> { Expr<Member>(sql) }

    /// The SQL as an operand, in parentheses where it needs them.
    var operand: SQL {
        switch kind {
        case .column, .atom, .unknown: sql
        case .operation, .raw: "(\(sql))"
        }
    }

    /// The form in which the values are stored.
    var storedForm: StoredForm {
        switch kind {
        case .raw, .unknown: .unknown
        case .column, .atom, .operation: form.map { .named($0.name) } ?? .plain
        }
    }

    /// Returns a value as a parameter, in the form of the column.
    func bind(_ value: some Bindable) -> SQL {
        guard let form else { return SQL(binding: { try value.checkedBindingValue() }) }
        return SQL(binding: { try form.encode(value) })
    }

    /// Returns two operands with an operator between them.
    func combined<Other>(_ sign: SQL, _ other: Expr<Other>) -> SQL {
        var sql = operand + sign + other.operand
        sql.check(storedForm, fits: other.storedForm)
        return sql
    }
}

/// The parts that an expression is made of.
enum ExprKind: Sendable {
    /// A column, by its name.
    case column(String)
    /// A call or a literal, which needs no parentheses.
    case atom
    /// Operands with operators between them.
    case operation
    /// SQL of the program.
    case raw
    /// A value that SQL of the program has computed in an inner query. It needs no parentheses.
    case unknown
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
