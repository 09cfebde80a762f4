/// An assignment to a column in an update: `$0.hits.set(to: $0.hits + 1)`.
public struct Assignment: Sendable {
    let sql: SQL
    /// The name of the column.
    let column: String

    init(_ column: String, _ value: SQL) {
        sql = "\(name: column) = " + value
        self.column = column
    }
}

extension [Assignment] {
    /// Returns the assignments, separated by commas.
    ///
    /// - Throws: ``SQLiteError`` if a column is assigned twice, of which SQLite would ignore the first.
    func checkedSQL() throws -> SQL {
        for (index, assignment) in enumerated() {
            let isRepeated = self[..<index].contains { Identifier($0.column) == Identifier(assignment.column) }
            if isRepeated { throw SQLiteError.misuse(.assignedTwice(column: assignment.column)) }
        }
        return map(\.sql).joined(separator: ", ")
    }
}

extension Expr where Value: StatementParameter {
    /// `"name" = ?`, in an update; `"name" = NULL` for `nil`
    public func set(to value: Value) -> Assignment { assignment(bind(anyOf: value)) }

    /// `"age" = "users"."age" + ?`, in an update. A column that is stored in another form makes the update throw.
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
    func assignment(_ value: SQL) -> Assignment {
        switch kind {
        case .column(let name): return Assignment(name, value)
        case .member(let member):
            return Assignment(
                member.column, "json_set(\(member.columnSQL), \(member.path), \(Self.json(value)))"
            )
        default:
            var failed = value
            failed.fail(sql.failure ?? SQLiteError.misuse(.notAColumn(sql: sql.text)))
            return Assignment(sql.text, failed)
        }
    }

    /// SQLite has no Boolean type, so that the 1 and 0 of a `Bool` become `true` and `false`.
    private static func json(_ value: SQL) -> SQL {
        guard Value.self == Bool.self || Value.self == Bool?.self else { return value }
        return "json(CASE \(value) WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)"
    }
}
