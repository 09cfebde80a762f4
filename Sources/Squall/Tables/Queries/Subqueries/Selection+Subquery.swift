// Queries inside expressions of other queries.
//
// A query that begins in a closure of another query can use the columns of both: a correlated subquery. Its table has another name
// if the outer query has it already: "users" AS "users_2".

extension Selection {
    /// `EXISTS (SELECT …)`: whether the query has a row.
    ///
    ///     User.where { user in Order.where { $0.customer == user.id }.exists }
    ///     // … WHERE EXISTS (SELECT 1 FROM "orders" WHERE "orders"."customer" = "users"."id")
    public var exists: Condition { Condition("EXISTS (\(select.sql))", .comparison) }

    /// `(SELECT count(*) FROM …)`: the number of the query's rows.
    ///
    ///     User.select { user in (user.name, Order.where { $0.customer == user.id }.count) }
    ///     // SELECT "users"."name",
    ///     //     (SELECT count(*) FROM "orders" WHERE "orders"."customer" = "users"."id")
    ///     // FROM "users"
    public var count: Expr<Int> { Expr(atom: "(SELECT count(*) FROM (\(select.sql)))") }
}

extension Query {
    /// `EXISTS (SELECT 1 FROM …)`: whether the query has a row.
    public var exists: Condition { clauses.exists ?? Condition("EXISTS (\(select.sql))", .comparison) }

    /// `(SELECT count(*) FROM …)`: the number of the query's rows.
    public var count: Expr<Int> { clauses.count ?? Expr(atom: "(SELECT count(*) FROM (\(select.sql)))") }
}

extension QueryClauses {
    fileprivate var exists: Condition? {
        isPlain ? Condition("EXISTS (\(sql(selecting: "1", isOrdered: false)))", .comparison) : nil
    }

    fileprivate var count: Expr<Int>? {
        isPlain ? Expr(atom: "(\(sql(selecting: "count(*)", isOrdered: false)))") : nil
    }
}

extension Selection where Output: ColumnStorable {
    /// `(SELECT …)`: the value of the query's first row; NULL for no row.
    ///
    ///     User.select { user in
    ///         (user.name, Order.where { $0.user == user.id }.select { $0.price.max() }.value)
    ///     }
    ///     // SELECT "users"."name", (SELECT max("orders"."price") FROM "orders" WHERE …)
    ///     // FROM "users"
    public var value: Expr<Output.ColumnBase?> {
        let select = select
        let form = select.forms.first ?? ColumnForm(form: nil, stored: .plain)
        return Expr<Output.ColumnBase?>(column: "(\(select.sql))", form)
    }
}

extension Expr where Value: StatementParameter {
    /// `a IN (SELECT …)`
    public func `in`<Other: StatementParameter>(_ query: some Selection<Other>) -> Condition
    where Other.ColumnBase == Value.ColumnBase {
        let select = query.select
        var sql: SQL = "\(operand) IN (\(select.sql))"
        if let form = select.forms.first { sql.check(storedForm, fits: form.stored) }
        return Condition(sql, .comparison)
    }
}

extension TableCore {
    /// Runs a closure of a verb on this table alone. Queries that begin in it are subqueries.
    func inScope<Result>(_ body: (Columns<Record>) -> Result) -> Result {
        inScope(of: Columns(core: self, alias: nil), body)
    }

    /// Runs a closure that takes columns of this table in another place.
    package func inScope<Result>(of columns: Columns<Record>, _ body: (Columns<Record>) -> Result) -> Result {
        QueryScope.run(names: [name]) { body(columns) }
    }
}
