/// The order of a query that is read in pages: its terms, and the primary keys of its tables.
struct PageOrder: Sendable {
    let terms: [OrderTerm]
    let orderings: [Ordering]
    /// The reason why the query has no pages.
    let failure: SQLiteError?

    init(of clauses: QueryClauses, _ columns: [SQL]) {
        var orderings = clauses.orderings
        var failure: SQLiteError?
        if let raw = orderings.first(where: { $0.term == nil }) {
            failure = SQLiteError(PageProblem.notPageable(sql: raw.sql.text))
        }
        let tables = clauses.isPlain ? clauses.keyTerms : nil
        if tables == nil {
            failure = SQLiteError(
                PageProblem.notPageable(sql: clauses.sql(selecting: columns.joined(separator: ", ")).text))
        }
        for (table, keys) in tables ?? [] {
            if keys.isEmpty { failure = failure ?? SQLiteError(TableProblem.noPrimaryKey, of: .table(table)) }
            for key in keys where !orderings.contains(where: { $0.term?.expression == key.expression }) {
                orderings.append(Ordering(key))
            }
        }
        self.orderings = orderings
        self.failure = failure
        terms = orderings.compactMap(\.term)
    }

    private var sql: SQL { orderings.map(\.sql).joined(separator: ", ") }

    /// A number that differs for another order. It is the same in every process, because a cursor can be sent to a client.
    var fingerprint: UInt64 {
        // FNV-1a.
        sql.debugDescription.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Returns the condition that a row is after a place.
    func condition(after cursor: PageCursor) -> Condition {
        guard failure == nil, cursor.order == fingerprint, cursor.values.count == terms.count else {
            var sql: SQL = "FALSE"
            sql.fail(SQLiteError(PageProblem.cursorOfOtherOrder(sql: self.sql.text)))
            return Condition(sql, .comparison)
        }
        let places: [(term: OrderTerm, value: BindingValue)] = zip(terms, cursor.values).map { ($0, $1) }
        return isOneComparison(cursor.values) ? comparison(places) : nested(places[...])
    }

    /// Whether all terms have one direction and no NULL, so that SQLite can compare all values at once, by an index.
    private func isOneComparison(_ values: [BindingValue]) -> Bool {
        !values.contains(.null) && terms.allSatisfy { !$0.isNullable && $0.isDescending == terms.first?.isDescending }
    }

    /// `("a", "b") > (?, ?)`
    private func comparison(_ places: [(term: OrderTerm, value: BindingValue)]) -> Condition {
        let row = places.map(\.term.expression).joined(separator: ", ")
        let values = places.map { "\($0.value)" as SQL }.joined(separator: ", ")
        let sign = places.first?.term.sign ?? ">"
        return Condition(
            places.count == 1 ? row + sign + values : "(" + row + ")" + sign + "(" + values + ")", .comparison
        )
    }

    /// `"a" >= ? AND ("a" > ? OR …)`. The first comparison lets SQLite search an index.
    private func nested(_ places: ArraySlice<(term: OrderTerm, value: BindingValue)>) -> Condition {
        guard let (term, value) = places.first else { return Condition("FALSE", .comparison) }
        let expression = term.expression
        let isLast = places.count == 1
        if value == .null {
            let isNull = Condition(expression + " IS NULL", .comparison)
            let isValue = Condition(expression + " IS NOT NULL", .comparison)
            if isLast { return term.hasNullsFirst ? isValue : Condition("FALSE", .comparison) }
            return term.hasNullsFirst ? isValue || nested(places.dropFirst()) : isNull && nested(places.dropFirst())
        }
        var result = Condition(expression + term.sign + "\(value)", .comparison)
        if !isLast {
            let bound = Condition(expression + term.boundSign + "\(value)", .comparison)
            result = bound && (result || nested(places.dropFirst()))
        }
        let isNull = Condition(expression + " IS NULL", .comparison)
        return term.isNullable && !term.hasNullsFirst ? isNull || result : result
    }
}

extension OrderTerm {
    fileprivate var sign: SQL { isDescending ? " < " : " > " }
    fileprivate var boundSign: SQL { isDescending ? " <= " : " >= " }
}
