import SquallTestSupport

/// Makes random queries of ``MatrixSchema``.
struct RandomSelect {
    var generator: SeededGenerator
    private var aliases = 0

    init(generator: SeededGenerator) {
        self.generator = generator
    }

    /// A table in scope.
    private struct Table {
        let alias: String
        let columns: [String: [String]]
    }

    private static let tables: [String: [String: [String]]] = [
        "a": [
            "int": ["id", "n", "m", "f", "g", "rowid"], "text": ["t", "u"], "real": ["r", "s"], "any": ["x", "b"],
        ],
        "b": ["int": ["id", "aID", "n", "k"], "text": ["t", "w"], "real": [], "any": []],
        "c": ["int": ["n", "o"], "text": ["code"], "real": [], "any": []],
        "d": ["int": ["n", "o"], "text": ["code"], "real": [], "any": []],
        "av": ["int": ["id", "n", "m", "next", "share"], "text": ["title"], "real": [], "any": []],
        "ab": ["int": ["aid", "an", "bid", "bn"], "text": [], "real": [], "any": []],
        "abv": ["int": ["aid", "an", "bid", "bn"], "text": ["title"], "real": [], "any": []],
    ]

    private mutating func pick<T>(_ values: [T]) -> T {
        values[Int(generator.next() % UInt64(values.count))]
    }

    private mutating func chance(_ percent: UInt64) -> Bool { generator.next() % 100 < percent }

    /// Returns a query.
    mutating func next() -> String { select(depth: 2, outer: [], columns: Int(generator.next() % 4) + 1) }

    private mutating func select(depth: Int, outer: [Table], columns count: Int, kinds: [String]? = nil) -> String {
        let (from, tables) = self.from(depth)
        let scope = tables + outer
        var kinds = kinds ?? []
        while kinds.count < count { kinds.append(pick(["int", "int", "text", "real", "bool"])) }
        var sql = ""
        let isAggregate = chance(25)
        let items = kinds.map { kind in
            if chance(12) { return window(kind, scope, depth) }
            return isAggregate && chance(70) ? aggregate(kind, scope, depth) : expression(kind, scope, depth)
        }
        sql =
            "SELECT \(chance(10) ? "DISTINCT " : "")\(items.enumerated().map { "\($1) AS c\($0)" }.joined(separator: ", ")) FROM \(from)"
        if chance(60) { sql += " WHERE \(condition(scope, depth))" }
        if isAggregate, chance(60) {
            sql += " GROUP BY \(expression(pick(["int", "text"]), tables, 0))"
            if chance(20) { sql += " HAVING \(aggregate("int", scope, 0)) > 0" }
        }
        return sql
    }

    private mutating func from(_ depth: Int) -> (String, [Table]) {
        var (sql, first) = table(depth)
        var tables = [first]
        while chance(50), tables.count < 4 {
            let (right, other) = table(depth)
            let all = tables + [other]
            switch generator.next() % 8 {
            case 0: sql += ", \(right)"
            case 1: sql += " JOIN \(right) ON \(condition(all, 0))"
            case 2: sql += " RIGHT JOIN \(right) ON \(condition(all, 0))"
            case 3: sql += " FULL JOIN \(right) ON \(condition(all, 0))"
            case 4:
                let (nested, third) = table(0)
                let kind = pick(["LEFT", "RIGHT", "FULL", "INNER", "LEFT"])
                sql +=
                    " \(kind) JOIN (\(right) \(pick(["LEFT", "INNER", "RIGHT"])) JOIN \(nested) ON \(condition([other, third], 0))) ON \(condition(all + [third], 0))"
                tables.append(third)
            default: sql += " LEFT JOIN \(right) ON \(condition(all, 0))"
            }
            tables.append(other)
        }
        return (sql, tables)
    }

    private mutating func table(_ depth: Int) -> (String, Table) {
        aliases += 1
        let alias = "q\(aliases)"
        if depth > 0, chance(15) {
            let kinds = ["int", "text", "int"]
            let sql =
                chance(30)
                ? "\(select(depth: depth - 1, outer: [], columns: 3, kinds: kinds)) \(pick(["UNION ALL", "UNION", "EXCEPT", "INTERSECT"])) \(select(depth: depth - 1, outer: [], columns: 3, kinds: kinds))"
                : select(depth: depth - 1, outer: [], columns: 3, kinds: kinds)
            return (
                "(\(sql)) AS \(alias)",
                Table(alias: alias, columns: ["int": ["c0", "c2"], "text": ["c1"], "real": [], "any": []])
            )
        }
        let name = pick(Self.tables.keys.sorted())
        return ("\(name) AS \(alias)", Table(alias: alias, columns: Self.tables[name] ?? [:]))
    }

    private mutating func column(_ kind: String, _ scope: [Table]) -> String? {
        let all = scope.flatMap { table in (table.columns[kind] ?? []).map { "\(table.alias).\($0)" } }
        return all.isEmpty ? nil : pick(all)
    }

    private mutating func expression(_ kind: String, _ scope: [Table], _ depth: Int) -> String {
        if kind == "bool" { return "(\(condition(scope, depth)))" }
        if depth <= 0 || chance(45), let column = column(kind, scope) { return column }
        if depth <= 0 { return literal(kind) }
        func inner(_ kind: String) -> String { expression(kind, scope, depth - 1) }
        switch kind {
        case "int":
            switch generator.next() % 20 {
            case 0: return "coalesce(\(inner("int")), \(inner("int")))"
            case 1: return "(\(inner("int")) \(pick(["+", "-", "*", "/", "%", "&", "|"])) \(inner("int")))"
            case 2: return "(\(inner("int")) \(pick(["/", "%"])) \(pick(["2", "0", "1.5", "0.5", "-3"])))"
            case 3: return "CASE WHEN \(condition(scope, depth - 1)) THEN \(inner("int")) ELSE \(inner("int")) END"
            case 4: return "CASE WHEN \(condition(scope, depth - 1)) THEN \(inner("int")) END"
            case 5: return "nullif(\(inner("int")), \(inner("int")))"
            case 6: return "length(\(inner("text")))"
            case 7: return "CAST(\(inner(pick(["text", "int", "real"]))) AS INTEGER)"
            case 8: return "abs(\(inner("int")))"
            case 9: return "max(\(inner("int")), \(inner("int")))"
            case 10: return "(\(select(depth: depth - 1, outer: scope, columns: 1, kinds: ["int"])))"
            case 11: return "-\(inner("int"))"
            case 12: return "iif(\(condition(scope, depth - 1)), \(inner("int")), \(inner("int")))"
            case 13: return "ifnull(\(inner("int")), 7)"
            case 14: return "instr(\(inner("text")), \(inner("text")))"
            case 15: return "sign(\(inner("int")))"
            case 16: return "(SELECT count(*) FROM \(from(0).0))"
            case 17: return "unicode(\(inner("text")))"
            case 18: return "\(inner("int")) COLLATE NOCASE"
            default: return literal("int")
            }
        case "text":
            switch generator.next() % 12 {
            case 0: return "(\(inner("text")) || \(inner("text")))"
            case 1: return "upper(\(inner("text")))"
            case 2: return "substr(\(inner("text")), \(inner("int")), 2)"
            case 3: return "coalesce(\(inner("text")), \(inner("text")))"
            case 4: return "CAST(\(inner("int")) AS TEXT)"
            case 5: return "typeof(\(inner(pick(["int", "text"]))))"
            case 6: return "trim(\(inner("text")))"
            case 7: return "replace(\(inner("text")), 'a', \(inner("text")))"
            case 8: return "hex(\(inner("text")))"
            case 9: return "date(\(pick(["", "'now'", inner("text")])))"
            case 10: return "printf('%s', \(inner("text")))"
            default: return literal("text")
            }
        default:
            switch generator.next() % 6 {
            case 0: return "(\(inner("real")) \(pick(["+", "-", "*", "/"])) \(inner(pick(["real", "int"]))))"
            case 1: return "(\(inner("real")) * 1.5)"
            case 2: return "round(\(inner("real")), 1)"
            case 3: return "abs(\(inner("real")))"
            case 4: return "sqrt(\(inner("real")))"
            default: return literal("real")
            }
        }
    }

    private mutating func literal(_ kind: String) -> String {
        switch kind {
        case "int": pick(["0", "1", "5", "-2"])
        case "text": pick(["''", "'a'", "'b'"])
        default: pick(["0.0", "1.5", "9e999"])
        }
    }

    private mutating func condition(_ scope: [Table], _ depth: Int) -> String {
        func value(_ kind: String) -> String { expression(kind, scope, depth - 1) }
        let kind = pick(["int", "text", "int"])
        switch generator.next() % 20 {
        case 0, 1: return "\(value(kind)) IS NOT NULL"
        case 2: return "\(value(kind)) IS NULL"
        case 3, 4, 5: return "\(value(kind)) \(pick(["=", "<", ">=", "<>"])) \(value(kind))"
        case 6: return "\(value("int")) BETWEEN \(value("int")) AND \(value("int"))"
        case 7: return "\(value("int")) \(pick(["IN", "NOT IN"])) (\(value("int")), \(value("int")))"
        case 8: return "\(value("text")) \(pick(["LIKE", "NOT LIKE", "GLOB"])) \(value("text"))"
        case 9, 10: return "(\(condition(scope, depth - 1)) AND \(condition(scope, depth - 1)))"
        case 11, 12: return "(\(condition(scope, depth - 1)) OR \(condition(scope, depth - 1)))"
        case 13: return "NOT (\(condition(scope, depth - 1)))"
        case 14: return "\(value("int")) \(pick(["IS", "IS NOT"])) \(value("int"))"
        case 15: return "\(value("int"))"
        case 16: return "\(value("int")) IN ()"
        case 17: return "(\(condition(scope, depth - 1))) = \(pick(["0", "1", value("int")]))"
        case 18 where depth > 0: return "EXISTS (\(select(depth: 0, outer: scope, columns: 1)))"
        case 19 where depth > 0:
            return "\(value("int")) IN (\(select(depth: 0, outer: scope, columns: 1, kinds: ["int"])))"
        default: return "1"
        }
    }

    private mutating func aggregate(_ kind: String, _ scope: [Table], _ depth: Int) -> String {
        func value(_ kind: String) -> String { expression(kind, scope, depth - 1) }
        let filter = chance(15) ? " FILTER (WHERE \(condition(scope, 0)))" : ""
        switch kind {
        case "int":
            return pick([
                "count(*)", "count(\(value("int")))", "sum(\(value("int")))", "max(\(value("int")))",
                "min(\(value("int")))",
            ]) + filter
        case "text":
            return pick(["group_concat(\(value("text")))", "max(\(value("text")))", "min(\(value("text")))"]) + filter
        case "bool": return "(\(aggregate("int", scope, 0)) > 1)"
        default:
            return pick([
                "avg(\(value("int")))", "total(\(value("int")))", "sum(\(value("real")))", "avg(\(value("real")))",
                "max(\(value("real")))",
            ]) + filter
        }
    }

    /// Returns a window function, also in a branch of CASE.
    private mutating func window(_ kind: String, _ scope: [Table], _ depth: Int) -> String {
        let type = kind == "bool" ? "int" : kind
        let value = expression(type, scope, depth - 1)
        let order = expression("int", scope, 0)
        let over = pick([
            "OVER ()", "OVER (ORDER BY \(order))", "OVER (PARTITION BY \(order))",
            "OVER (ORDER BY \(order) ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING)",
        ])
        var functions = [
            "first_value(\(value))", "lag(\(value))", "lag(\(value), 1, \(literal(type)))", "max(\(value))",
            "nth_value(\(value), 2)",
        ]
        if type == "int" { functions += ["count(*)", "sum(\(value))", "row_number()"] }
        if type == "text" { functions += ["group_concat(\(value))"] }
        let call = "\(pick(functions)) \(over)"
        guard chance(40) else { return kind == "bool" ? "(\(call)) > 1" : call }
        let branch = "CASE WHEN \(condition(scope, 0)) THEN \(call) ELSE \(literal(type)) END"
        return kind == "bool" ? "(\(branch)) > 1" : branch
    }
}
