/// The clauses of a query.
@_documentation(visibility: internal)
public struct QueryClauses: Sendable {
    /// The tables with their joins: `"users" JOIN "posts" ON …`
    var tables: SQL
    /// The names of the tables in the query.
    var names: [String]
    /// The reason why one of the tables cannot be used.
    var failure: (any Error)?
    var isDistinct = false
    var condition: Condition?
    var groups: [SQL] = []
    var having: Condition?
    var orderings: [Ordering] = []
    var limit: Int?
    var offset: Int?

    init<Record>(_ core: TableCore<Record>) {
        tables = "\(name: core.definition.name)"
        names = [core.definition.name]
        failure = core.failure
    }

    mutating func addCondition(_ condition: Condition) {
        self.condition = self.condition.map { $0 && condition } ?? condition
    }

    mutating func addHaving(_ condition: Condition) {
        having = having.map { $0 && condition } ?? condition
    }

    /// Returns another name for a table that is in the query already: `"users" AS "users_2"`.
    func alias<Record>(for core: TableCore<Record>) -> String? {
        let name = core.definition.name
        guard names.contains(name) else { return nil }
        var number = 2
        while names.contains("\(name)_\(number)") { number += 1 }
        return "\(name)_\(number)"
    }

    /// Returns the clauses with one more table: ` JOIN "posts" ON …`
    func joined<Source: JoinableSource>(to source: Source, on condition: Condition) -> QueryClauses {
        let name = source.core.definition.name
        let table: SQL = source.alias.map { "\(name: name) AS \(name: $0)" } ?? "\(name: name)"
        var clauses = self
        clauses.tables += " " + Source.joinWords + " " + table + " ON " + condition.sql
        clauses.names.append(source.alias ?? name)
        clauses.failure = failure ?? source.core.failure
        return clauses
    }

    /// Returns the SQL of the query for a list of expressions.
    func sql(selecting list: [SQL]) -> SQL {
        var sql: SQL = isDistinct ? "SELECT DISTINCT " : "SELECT "
        sql += list.joined(separator: ", ") + " FROM " + tables
        if let condition { sql += " WHERE " + condition.sql }
        if !groups.isEmpty { sql += " GROUP BY " + groups.joined(separator: ", ") }
        if let having { sql += " HAVING " + having.sql }
        if !orderings.isEmpty { sql += " ORDER BY " + orderings.map(\.sql).joined(separator: ", ") }
        sql += SQL.limit(limit, offset: offset)
        if let failure { sql.fail(failure) }
        return sql
    }

    /// Returns the query for the records of its tables.
    func select<Output>(_ reader: SourceReader<Output>) -> Select<Output> {
        Select(sql(selecting: reader.columnSQL)) { try reader.read($0, 0) }
    }

    /// Returns the query for the value of an expression.
    func select<Value: ColumnStorable>(_ expression: Expr<Value>) -> Select<Value> {
        let forms = [expression.form]
        return Select(sql(selecting: [expression.sql]), form: expression.storedForm) { row in
            var reader = ValueReader(row: row, forms: forms)
            return try reader.next(Value.self)
        }
    }

    /// Returns the query for the values of several expressions.
    func select<each Value: ColumnStorable>(_ expressions: repeat Expr<each Value>) -> Select<(repeat each Value)> {
        var list: [SQL] = []
        var forms: [AnyStorageForm?] = []
        repeat list.append((each expressions).sql)
        repeat forms.append((each expressions).form)
        let known = forms
        var select = Select(sql(selecting: list)) { row in
            var reader = ValueReader(row: row, forms: known)
            return (repeat try reader.next((each Value).self))
        }
        repeat select.forms.append((each expressions).storedForm)
        return select
    }
}
