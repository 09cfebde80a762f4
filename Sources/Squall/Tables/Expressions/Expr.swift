/// An expression of SQL, and the Swift type of its value.
///
/// A column of a query is an expression (`$0.age`), and so is a value computed from it (`$0.age + 1`, `$0.name.lowercased()`).
/// A property of a property has its column too (`$0.address.city`). Other SQL becomes an expression of the type that you name:
///
///     Expr<Int>("unixepoch()")
///     Expr<Double>("julianday('now') - julianday(\($0.born))")
@dynamicMemberLookup
public struct Expr<Value>: Sendable {
    let parts: ExprParts

    public var sql: SQL { parts.sql }
    /// The form in which the column stores its values, where it has one.
    var form: AnyStorageForm? { parts.form }
    var kind: ExprKind { parts.kind }

    init(_ parts: ExprParts) {
        self.parts = parts
    }

    private init(_ sql: SQL, _ kind: ExprKind, form: AnyStorageForm? = nil) {
        self.init(ExprParts(sql, kind, form: form))
    }

    /// SQL as an expression of a type.
    public init(_ sql: SQL) {
        self.init(sql, .raw)
    }

    /// SQL that needs no parentheses within other SQL.
    package init(atom sql: SQL, form: AnyStorageForm? = nil) {
        self.init(sql, .atom, form: form)
    }

    /// A call whose value is REAL or NULL.
    package init(real sql: SQL) {
        self.init(sql, .real)
    }

    /// Operands with operators between them.
    init(operation sql: SQL) {
        self.init(sql, .operation)
    }

    /// A value in the JSON of a column, which can be assigned.
    init(_ sql: SQL, _ member: JSONMember) {
        self.init(sql, .member(member))
    }

    /// A property without a column, whose own properties may have columns.
    init(_ sql: SQL, _ property: ExprProperty) {
        self.init(sql, .property(property))
    }

    /// The SQL of an expression of another type.
    init<Other>(copy other: Expr<Other>) {
        self.init(other.parts)
    }

    /// A column of the result of a query, which may be SQL of the program.
    init(column sql: SQL, _ column: ColumnForm) {
        self.init(sql, column.stored == .unknown ? .unknown : .atom, form: column.form)
    }

    /// The SQL as an operand, in parentheses where it needs them.
    package var operand: SQL {
        switch kind {
        case .column, .atom, .real, .member, .property, .unknown: sql
        case .operation, .chain, .raw: "(\(sql))"
        }
    }

    /// Returns SQL that computes with the values. It throws for a column in a ``StorageForm``.
    func formless(_ sql: SQL) -> SQL { form == nil ? sql : failing(sql) }

    /// Whether it is a column that SQLite does not store NULL in.
    var isNeverNull: Bool {
        if case .column(_, let isNeverNull) = kind { isNeverNull } else { false }
    }

    func failing(_ sql: SQL) -> SQL {
        var sql = sql
        let problem = ExpressionProblem.computedForm(sql: self.sql.text, form: form?.name ?? "\(Value.self)")
        sql.fail(SQLiteError(problem, hint: form == nil ? Self.hintForOrder : nil))
        return sql
    }

    private static func columnBase<Parameter: StatementParameter>(_ type: Parameter.Type) -> Any.Type {
        Parameter.ColumnBase.self
    }

    /// Advice about a type that SQLite does not order: numbers that are negative in SQL, or text of numbers.
    private static var hintForOrder: String {
        let type = (Value.self as? any StatementParameter.Type).map { columnBase($0) } as? any ColumnReadable.Type
        return type?.storageClass == .integer
            ? "numbers above Int64.max are stored as negative ones: declare it as an `Int64`, or use SQL"
            : "`cast(to: Double.self)` makes it a binary number"
    }

    /// The form in which the values are stored.
    var storedForm: StoredForm {
        switch kind {
        case .raw, .unknown: .unknown
        case .column, .atom, .real, .operation, .chain, .member, .property: form.map { .named($0.name) } ?? .plain
        }
    }

    /// Returns a value as a parameter, in the form of the column.
    func bind(_ value: some Bindable) -> SQL {
        var sql: SQL = ""
        appendParameter(value, to: &sql)
        return sql
    }

    /// Appends a value as a parameter, in the form of the column.
    private func appendParameter(_ value: some Bindable, to sql: inout SQL) {
        do {
            sql.append(try form?.encode(value) ?? value.checkedBindingValue())
        } catch {
            sql.append(.null)
            sql.fail(error)
        }
    }

    /// Returns the expression and a value with an operator between them.
    @usableFromInline
    func comparison(_ sign: String, _ value: some Bindable) -> Condition {
        var sql = operand
        // With room for another term.
        sql.reserveCapacity(sql.tail.count + 6)
        sql.append(sign)
        appendParameter(value, to: &sql)
        return Condition(sql, .comparison)
    }

    /// Returns a value as a parameter, in the form of the column, or NULL for `nil`. A type that cannot be bound makes the query throw.
    func bind<Other>(anyOf value: Other) -> SQL {
        if (value as? any OptionalValue)?.isNil == true { return "NULL" }
        if let form { return SQL(binding: { try form.encode(value) }) }
        if let value = value as? any Bindable { return bind(value) }
        return SQL(binding: { throw SQLiteError.misuse(.unbindable(type: "\(Other.self)")) })
    }

    /// Returns two operands with an operator between them.
    func combined<Other>(_ sign: SQL, _ other: Expr<Other>) -> SQL {
        var sql = operand + sign + other.operand
        sql.check(storedForm, fits: other.storedForm)
        return sql
    }
}

extension Expr where Value: StatementParameter {
    /// The SQL as an argument of a function that computes with it. A column in a ``StorageForm`` cannot be one, and a type that
    /// SQLite does not order.
    package var plain: SQL { ordered(formless(sql)) }

    /// The SQL as an operand of a computation. A column in a ``StorageForm`` cannot be one, and a type that SQLite does not order.
    var plainOperand: SQL { ordered(formless(operand)) }

    /// Returns SQL that orders the values. It throws for a type that SQLite does not order, unless a ``StorageForm`` stores it.
    func ordered(_ sql: SQL) -> SQL { form != nil || Value.isOrderedInSQL ? sql : failing(sql) }

    /// Returns the expression and a value with an operator between them that compares their order.
    func orderComparison(_ sign: String, _ value: some Bindable) -> Condition {
        if form != nil || Value.isOrderedInSQL { return comparison(sign, value) }
        var sql = failing(operand)
        sql.append(sign)
        return Condition(sql + bind(value), .comparison)
    }

    /// Returns two operands with an operator between them that compares their order.
    func ordered<Other: StatementParameter>(_ sign: SQL, _ other: Expr<Other>) -> SQL {
        other.ordered(ordered(combined(sign, other)))
    }
}

/// The SQL of an expression, and what Squall knows of it.
///
/// A class, because those of a table's columns are made once: an expression of a column only refers to them.
final class ExprParts: Sendable {
    /// The SQL, but for a chain, whose SQL is made when it is asked for: making it for each operator would copy it as often.
    private let text: SQL
    /// The form in which the column stores its values, where it has one.
    let form: AnyStorageForm?
    let kind: ExprKind

    var sql: SQL { if case .chain(let sign, let operands) = kind { operands.sql(sign) } else { text } }

    init(_ sql: SQL, _ kind: ExprKind, form: AnyStorageForm?) {
        text = sql
        self.form = form
        self.kind = kind
    }

    /// A column of a table. It has no name where it cannot be assigned.
    convenience init(column sql: SQL, form: AnyStorageForm?, name: String?, isNeverNull: Bool) {
        self.init(sql, name.map { .column($0, isNeverNull: isNeverNull) } ?? .atom, form: form)
    }
}

/// The parts that an expression is made of.
enum ExprKind: Sendable {
    /// A column, by its name.
    case column(String, isNeverNull: Bool)
    /// A call or a literal, which needs no parentheses.
    case atom
    /// A call whose value is REAL or NULL.
    case real
    /// Operands with operators between them.
    case operation
    /// Operands with one operator between them.
    case chain(String, OperandChain)
    /// SQL of the program.
    case raw
    /// A value in the JSON of a column.
    case member(JSONMember)
    /// A property without a column.
    case property(ExprProperty)
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
        self.init(head: "")
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

    /// Appends a condition, in parentheses: any operator can be beside it.
    public mutating func appendInterpolation(_ condition: Condition) {
        appendInterpolation("(\(condition.sql))" as SQL)
    }
}

/// How the values of an expression are stored, which decides whether two of them can be compared or assigned.
enum StoredForm: Equatable, Sendable {
    /// As their type is stored.
    case plain
    /// In a ``StorageForm``.
    case named(String)
    /// In the form that SQL of the program gives them.
    case unknown

    fileprivate func fits(_ other: StoredForm) -> Bool {
        self == other || self == .unknown || other == .unknown
    }
}

extension SQL {
    /// Makes the statement throw when two forms differ: comparing or assigning across them would be silently wrong.
    mutating func check(_ form: StoredForm, fits other: StoredForm) {
        if !form.fits(other) { fail(SQLiteError(ExpressionProblem.differentForms(sql: text))) }
    }
}
