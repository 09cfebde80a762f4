/// An assignment to a column in an update: `$0.hits.set(to: $0.hits + 1)`.
public struct Assignment: Sendable {
    /// A value at a path of the JSON of a column.
    private struct AssignedMember: Sendable {
        let path: String
        let value: SQL
    }

    private enum AssignedValue: Sendable {
        case whole(SQL)
        /// Values at paths of a JSON column; the first value is the SQL of the column.
        case members(of: SQL, [AssignedMember])
    }

    /// The name of the column.
    let column: String
    private var value: AssignedValue

    init(_ column: String, _ value: SQL) {
        self.column = column
        self.value = .whole(value)
    }

    init(_ member: JSONMember, _ value: SQL) {
        column = member.column
        self.value = .members(of: member.columnSQL, [AssignedMember(path: member.path, value: value)])
    }

    fileprivate var sql: SQL {
        switch value {
        case .whole(let value): "\(name: column) = " + value
        case .members(let json, let members):
            "\(name: column) = json_set(\(json), "
                + members.map { "\($0.path), \($0.value)" as SQL }.joined(separator: ", ") + ")"
        }
    }

    /// Adds the paths of another assignment to the column.
    fileprivate mutating func merge(_ other: Assignment) throws {
        guard case .members(let json, let members) = value, case .members(json, let others) = other.value,
            members.allSatisfy({ member in others.allSatisfy { $0.path != member.path } })
        else { throw SQLiteError(ExpressionProblem.assignedTwice(column: column)) }
        value = .members(of: json, members + others)
    }
}

extension [Assignment] {
    /// Returns the assignments, separated by commas. Values at different paths of one column are set by one `json_set`.
    ///
    /// - Throws: ``SQLiteError`` if a column, or a path of it, is assigned twice. SQLite would ignore one of the two.
    func checkedSQL() throws -> SQL {
        var columns: [Assignment] = []
        for assignment in self {
            if let index = columns.firstIndex(where: { Identifier($0.column) == Identifier(assignment.column) }) {
                try columns[index].merge(assignment)
            } else {
                columns.append(assignment)
            }
        }
        return columns.map(\.sql).joined(separator: ", ")
    }
}

extension ListBuilder where Element == Assignment {
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "write `$0.column.set(to: value)` for each column, one on each line")
    @_disfavoredOverload
    public static func buildExpression<Other>(_ other: Other) -> [Assignment] { [] }
}

extension Expr where Value: StatementParameter {
    /// Assigns a value: `"name" = ?`; `NULL` for `nil`.
    ///
    /// A `Double` in JSON is written with all its digits: `json_set(a, ?, json(?))`. One that is infinite or NaN makes the update
    /// throw.
    public func set(to value: Value) -> Assignment { assignment(of: value) }

    /// Assigns an expression: `"age" = "users"."age" + ?`. A column that is stored in another form makes the update throw.
    ///
    /// In JSON, SQLite writes a REAL that it has computed with 15 digits, so that the last ones are lost. SQLite reports an
    /// error for an infinite number.
    public func set<Other: StatementParameter>(to expression: Expr<Other>) -> Assignment
    where Other.ColumnBase == Value.ColumnBase {
        var value = expression.sql
        value.check(storedForm, fits: expression.storedForm)
        return assignment(value)
    }
}

extension Expr {
    /// `"updated" = datetime()`, in an update
    public func set(sql: SQL) -> Assignment { assignment(sql) }

    /// Assigns SQL to the column, or to the value in its JSON.
    func assignment(_ value: SQL) -> Assignment { assignment(value, inJSON: Self.json(value)) }

    /// Assigns a value to the column, or to the value in its JSON.
    func assignment(of value: Value) -> Assignment { assignment(bind(anyOf: value), inJSON: json(of: value)) }

    private func assignment(_ value: SQL, inJSON json: @autoclosure () -> SQL) -> Assignment {
        switch kind {
        case .column(let name, _): return Assignment(name, value)
        case .member(let member): return Assignment(member, json())
        default:
            var failed = value
            failed.fail(sql.failure ?? SQLiteError(ExpressionProblem.notAColumn(sql: sql.text)))
            return Assignment(sql.text, failed)
        }
    }

    /// A value as JSON. The text of a `Double` has all its digits, which SQLite would round to 15.
    private func json(of value: Value) -> SQL {
        guard let number = value as? Double else { return Self.json(bind(anyOf: value)) }
        var sql: SQL = "json(\("\(number)"))"
        if !number.isFinite { sql.fail(SQLiteError(.unstorable(type: "Double", reason: .notInJSON), code: .mismatch)) }
        return sql
    }

    /// SQL as JSON. SQLite has no Boolean type, so that the 1 and 0 of a `Bool` become `true` and `false`. An infinite number is refused:
    /// `json_quote` writes it as `Inf`, or in newer versions as `9.0e+999`, which is JSON that Swift cannot read.
    private static func json(_ value: SQL) -> SQL {
        switch Value.self {
        case is Bool.Type, is Bool?.Type: "json(CASE \(value) WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)"
        case is Double.Type, is Double?.Type: "json(replace(json_quote(\(value)), 'e+999', 'Inf'))"
        default: value
        }
    }
}
