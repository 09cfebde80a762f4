/// Random conditions of the table `t` over the tables `m`, `n`, `o p` and itself.
struct RandomCondition {
    enum Forms {
        /// Joins, `IN`, `EXISTS`, `AND` and `OR`.
        case positive
        /// Also the truth of a subquery as a value.
        case truthAsValue
        /// Also negations, aggregates, outer joins, recursion and other forms.
        case any
    }

    private let forms: Forms
    private var numbers: Numbers
    private var aliases = 0
    /// Terms for the sources of the innermost query.
    private var reads: [String] = []
    private var unused = ["m", "n", "\"o p\"", "t"]

    init(random: Numbers, forms: Forms) {
        numbers = random
        self.forms = forms
    }

    /// Returns a condition, and advances the numbers.
    func text(_ random: inout Numbers) -> String {
        var copy = self
        let text = copy.truth(3, ["t.id", "t.a", "t.b", "t.c", "id", "c"])
        random = copy.numbers
        return text
    }

    private static let columns = [
        "m": ["id", "a", "b"], "n": ["x", "y", "z"], "\"o p\"": ["\"select\"", "\"a b\""], "t": ["id", "a", "b", "c"],
    ]

    private mutating func below(_ limit: Int) -> Int { numbers.below(limit) }

    private mutating func value(_ scope: [String]) -> String {
        let literals = ["0", "1", "'a'", "'1'", ":user", "2", "x'31'"]
        if below(4) == 0 || scope.isEmpty { return literals[below(literals.count)] }
        return scope[below(scope.count)]
    }

    private mutating func comparison(_ scope: [String]) -> String {
        let sign = ["=", "=", "=", "<>", "<", ">=", "==", "!="][below(8)]
        return "\(value(scope)) \(sign) \(value(scope))"
    }

    private mutating func truth(_ depth: Int, _ scope: [String]) -> String {
        if depth == 0 {
            if below(4) > 0 { return comparison(scope) }
            return "\(value(scope)) IN (\(value(scope)), \(value(scope)))"
        }
        if forms == .truthAsValue, below(3) == 0 { return truthAsValue(depth, scope) }
        if forms == .any, below(3) == 0 { return other(depth, scope) }
        switch below(10) {
        case 0...2: return "\(value(scope)) IN (\(select(1, depth, scope)))"
        case 3, 4: return "EXISTS (\(select(1, depth, scope)))"
        case 5, 6: return "\(truth(depth - 1, scope)) AND \(truth(depth - 1, scope))"
        // The last term keeps SQLite from an optimization for which the hub's table functions have no plan.
        case 7: return "\(truth(depth - 1, scope)) OR \(truth(depth - 1, scope)) OR 0 = 1"
        case 8: return "(\(truth(depth - 1, scope)))"
        default: return "(\(value(scope)), \(value(scope))) IN (\(select(2, depth, scope)))"
        }
    }

    private mutating func truthAsValue(_ depth: Int, _ scope: [String]) -> String {
        switch below(5) {
        case 0: "((\(truth(depth - 1, scope)))) IN (0)"
        case 1: "0 IN (\(truth(depth - 1, scope)))"
        case 2: "0 IN (1 AND \(truth(depth - 1, scope)))"
        case 3: "0 IN (SELECT 1 AND \(truth(depth - 1, scope)))"
        default: "EXISTS (SELECT 1 FROM (SELECT 1 AND \(truth(depth - 1, scope)) AND 1 AS q) WHERE q = 0)"
        }
    }

    private mutating func other(_ depth: Int, _ scope: [String]) -> String {
        let next = depth - 1
        return switch below(18) {
        case 0: "NOT \(truth(next, scope))"
        case 1: "NOT EXISTS (\(select(1, depth, scope)))"
        case 2: "\(value(scope)) NOT IN (\(select(1, depth, scope)))"
        case 3: "(\(count(depth, scope))) \(["=", "<", ">"][below(3)]) \(below(3))"
        case 4: "(\(truth(next, scope))) IS NULL"
        case 5: "CASE WHEN \(truth(next, scope)) THEN \(truth(next, scope)) ELSE \(truth(next, scope)) END"
        case 6: "\(value(scope)) LIKE \(value(scope))"
        case 7: "(\(count(depth, scope))) = \(value(scope))"
        case 8: "\(value(scope)) BETWEEN \(value(scope)) AND \(value(scope))"
        case 9: "coalesce((\(truth(next, scope))), 1)"
        case 10: "(\(truth(next, scope))) = (\(truth(next, scope)))"
        case 11: "(\(value(scope)), \(value(scope))) < (\(value(scope)), \(value(scope)))"
        case 12: "\(value(scope)) IS NOT \(value(scope))"
        case 13: "\(value(scope)) IN (\(select(1, depth, scope)) EXCEPT \(select(1, depth, scope)))"
        case 14: "\(value(scope)) IN (\(select(1, depth, scope)) INTERSECT \(select(1, depth, scope)))"
        case 15:
            """
            EXISTS (SELECT 1 FROM m AS l LEFT JOIN n AS r ON l.b = r.x
            WHERE r.y IS NULL AND l.a = \(value(scope)))
            """
        case 16:
            """
            \(value(scope)) IN (WITH RECURSIVE up(k) AS (SELECT 'a' UNION SELECT t2.c FROM t AS t2, up
            WHERE t2.id = up.k) SELECT k FROM up)
            """
        default: "\(value(scope)) COLLATE NOCASE = \(value(scope)) OR \(truth(next, scope)) OR 0 = 1"
        }
    }

    private mutating func count(_ depth: Int, _ scope: [String]) -> String {
        let outside = reads
        defer { reads = outside }
        let (table, names) = source()
        let term = reads.removeLast()
        let what = ["count(*)", "max(\(names[0]))", "min(\(names[1]))", "total(\(names[1]))"][below(4)]
        return "SELECT \(what) FROM \(table) WHERE \(term) AND \(truth(depth - 1, scope + names))"
    }

    /// Returns a table with an alias, and its columns.
    private mutating func source() -> (String, [String]) {
        let all = ["m", "n", "\"o p\"", "t"]
        var table = all[below(4)]
        if !unused.isEmpty, below(5) > 0 { table = unused.remove(at: below(unused.count)) }
        unused.removeAll { $0 == table }
        aliases += 1
        let alias = "s\(aliases)"
        let names = (Self.columns[table] ?? []).map { "\(alias).\($0)" }
        // Always true. So the condition reads a column of each table.
        reads.append("(\(names[0]) = \(names[0]) OR 1 = 1)")
        return ("\(table) AS \(alias)", names)
    }

    private mutating func select(_ count: Int, _ depth: Int, _ outer: [String]) -> String {
        let outside = reads
        reads = []
        defer { reads = outside }
        var (from, names) = source()
        if below(4) == 0, depth > 1 {
            let inner = select(2, depth - 1, [])
            aliases += 1
            from = "(\(inner)) AS s\(aliases)"
            // The columns have the names of expressions, and are not named.
            names = []
            reads = []
        }
        if below(3) == 0 {
            let (other, more) = source()
            names += more
            from += [" JOIN ", ", ", " CROSS JOIN ", " INNER JOIN "][below(4)] + other
            if below(2) == 0, !from.contains(", ") { from += " ON \(truth(depth - 1, outer + names))" }
        }
        let values = (0..<count).map { _ in value(below(4) == 0 ? outer + names : names) }.joined(separator: ", ")
        var sql = "SELECT \(below(4) == 0 ? "DISTINCT " : "")\(values) FROM \(from)"
        var terms = reads
        if below(4) > 0 { terms.append("(\(truth(depth - 1, below(3) == 0 ? names : outer + names)))") }
        if !terms.isEmpty { sql += " WHERE " + terms.joined(separator: " AND ") }
        if below(6) == 0 { sql += " UNION \(below(2) == 0 ? "ALL " : "")\(select(count, max(1, depth - 1), outer))" }
        return sql
    }
}
