/// The operator between the steps of a recursive query.
public enum RecursiveUnion: Sendable {
    /// `UNION ALL`: keeps all rows. A recursion through a cycle does not end, unless the query has a limit.
    case all
    /// `UNION`: leaves out rows that are in the result already, so that a cycle ends.
    case distinct

    fileprivate var word: CompoundOperator {
        switch self {
        case .all: .unionAll
        case .distinct: .union
        }
    }
}

extension Selection {
    /// Returns a common table expression that begins with the rows of this query and adds, again and again, the rows that a query
    /// finds from those it has found last.
    ///
    ///     let numbers = SQL.row(1).recursive("numbers") { numbers in
    ///         numbers.where { $0 < 10 }.select { $0 + 1 }
    ///     }
    ///     try connection.all(numbers.query)
    ///     // WITH RECURSIVE "numbers"("c1") AS (
    ///     //     SELECT 1 UNION ALL
    ///     //     SELECT "numbers"."c1" + 1 FROM "numbers" WHERE "numbers"."c1" < 10)
    ///     // SELECT "numbers"."c1" FROM "numbers"
    ///
    /// An order of the step is the order in which rows are taken; its limit ends the recursion. A step of several queries has the
    /// operator of the recursion between them: `unionAll`, or `union` for `.distinct`. Any other makes the query throw.
    ///
    /// - Parameters:
    ///   - name: The name of the common table expression.
    ///   - union: Whether rows that were found before are left out, which ends a cycle.
    ///   - step: Returns the query for the next rows from the common table expression, which it must use once.
    public func recursive<Step: Selection>(
        _ name: String, union: RecursiveUnion = .all, step: (CommonTable<Rows>) -> Step
    ) -> CommonTable<Rows> where Step.Output == Output {
        let (rows, first) = (rows, select)
        let next = step(CommonTable(name: name, rows: rows, definition: nil)).select
        var body = first.asFirstPart + union.word.sql + (next.parts?.body ?? next.sql)
        body.check(first.forms, fit: next.forms)
        for word in next.parts?.operators ?? [] where word != union.word {
            body.fail(SQLiteError(QueryProblem.recursionOperator(step: word.rawValue, recursion: union.word.rawValue)))
        }
        // The definitions that the step uses are before the whole query: SQLite takes no WITH between two parts.
        let commonTables = next.parts?.commonTables ?? []
        if commonTables.contains(where: { Identifier($0.name) == Identifier(name) }) {
            body.fail(SQLiteError(QueryProblem.repeatedTableName(name)))
        }
        let sql = CommonTableDefinition.sql(commonTables, body)
        let definition = CommonTableDefinition(
            name, columns: rows, count: first.forms.count, sql, isRecursive: true)
        return CommonTable(name: name, rows: rows, definition: definition)
    }
}

extension TableRecord {
    /// Begins a query on a common table expression that begins with the rows of one query and adds, again and again, the rows that
    /// another finds from those it has found last.
    ///
    ///     Category.recursive { Category.where { $0.parent == nil } } step: { tree in
    ///         Category.join(tree) { $0.parent == $1.id }
    ///             .select { category, _ in category.record }
    ///     }
    ///     // WITH RECURSIVE "categories_tree"("id", "parent", "name") AS (
    ///     //     SELECT … FROM "categories" WHERE "categories"."parent" IS NULL UNION ALL
    ///     //     SELECT … FROM "categories"
    ///     //     JOIN "categories_tree" ON "categories"."parent" = "categories_tree"."id")
    ///     // SELECT … FROM "categories_tree"
    ///
    /// - Parameters:
    ///   - name: The name of the common table expression. The default is the name of the table, with `_tree`.
    ///   - union: Whether rows that were found before are left out, which ends a cycle.
    ///   - start: Returns the query for the first rows.
    ///   - step: Returns the query for the next rows from the common table expression, which it must use once.
    public static func recursive<Start: Selection, Step: Selection>(
        _ name: String? = nil, union: RecursiveUnion = .all, _ start: () -> Start,
        step: (CommonTable<Start.Rows>) -> Step
    ) -> Query<Start.Rows> where Step.Output == Start.Output {
        start().recursive(name ?? table.core.name + "_tree", union: union, step: step).query
    }
}
