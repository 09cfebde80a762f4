import Squall
import SquallTestSupport
import Testing

/// Random predicates on a virtual table, and on a real table of the same rows.
struct VirtualTablePropertyTests {
    private static func condition(_ random: inout SeededGenerator, depth: Int = 0) -> String {
        if depth < 3, random.chance(40) {
            let (left, right) = (condition(&random, depth: depth + 1), condition(&random, depth: depth + 1))
            return "(\(left) \(random.pick(["AND", "OR"])) \(right))"
        }
        if depth < 3, random.chance(10) { return "NOT \(condition(&random, depth: depth + 1))" }
        let column = random.pick(["n", "n", "square", "name", "rowid"])
        let value = random.pick([
            "1", "2", "7", "7.0", "7.5", "50", "-1", "1000", "NULL", "'7'", "'x'", "x'37'", "'name 3'", "'NAME 4'",
            "25", "''",
        ])
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return "\(column) IN (\(value), 3, \(random.pick(["9", "'name 1'", "NULL"])))"
        case 1: return "\(column) IN (SELECT x FROM other)"
        case 2: return "\(column) BETWEEN \(value) AND 60"
        case 3: return "\(column) IS \(random.pick(["", "NOT "]))NULL"
        case 4: return "\(column) \(random.pick(["LIKE", "GLOB"])) '\(random.pick(["%3", "Name*", "7", "name _"]))'"
        case 5: return "\(column) IS \(random.pick(["", "NOT "]))\(value)"
        default: return "\(column) \(random.pick(["=", "=", "<", "<=", ">", ">=", "<>"])) \(value)"
        }
    }

    @Test(arguments: 0..<8) func predicatesSelectTheSameRows(part: Int) throws {
        let seed = TestSeed.of()
        var random = seed.generator(part)
        let connection = try Connection(":memory:")
        let squares = Squares(60)
        try connection.register(named: "squares") { _ in squares }
        try connection.execute(
            """
            CREATE TABLE real_squares(n INTEGER, square INTEGER, name TEXT COLLATE NOCASE);
            INSERT INTO real_squares(rowid, n, square, name) SELECT rowid, n, square, name FROM squares;
            CREATE TABLE other(x); INSERT INTO other VALUES(3), (7.0), ('name 5'), (NULL), (49), ('12')
            """
        )
        for _ in 0..<40 {
            let condition = Self.condition(&random)
            let order = random.pick(["n", "n DESC", "rowid", "name, n", "square DESC", "name COLLATE BINARY DESC, n"])
            let limit = random.pick(["", "LIMIT 5", "LIMIT 3 OFFSET 2", "LIMIT 0", "LIMIT -1 OFFSET 50"])
            let list = random.pick([
                "n, square, name, rowid", "DISTINCT name", "name, count(*)", "max(n)", "DISTINCT n % 3",
            ])
            let tail =
                list.hasPrefix("n,")
                ? "ORDER BY \(order) \(limit)"
                : list == "name, count(*)" ? "GROUP BY name ORDER BY 1" : "ORDER BY 1 \(limit)"
            let sql = { (table: String) in "SELECT \(list) FROM \(table) WHERE \(condition) \(tail)" }
            let virtual: [Row] = try connection.query("\(raw: sql("squares"))")
            let real: [Row] = try connection.query("\(raw: sql("real_squares"))")
            #expect(virtual.map(\.valuesText) == real.map(\.valuesText), "seed \(seed): \(sql("squares"))")
        }
    }

    @Test(arguments: 0..<4) func joinsSelectTheSameRows(part: Int) throws {
        let seed = TestSeed.of()
        var random = seed.generator(part)
        let connection = try Connection(":memory:")
        try connection.register(named: "squares") { _ in Squares(25) }
        try connection.execute(
            """
            CREATE TABLE real_squares(n INTEGER, square INTEGER, name TEXT COLLATE NOCASE);
            INSERT INTO real_squares(rowid, n, square, name) SELECT rowid, n, square, name FROM squares;
            CREATE TABLE other(x INTEGER PRIMARY KEY, y); INSERT INTO other VALUES(3, 9), (7, 'Name 3'), (12, NULL), (25, 4)
            """
        )
        for _ in 0..<25 {
            let join = random.pick(["JOIN", "LEFT JOIN", "CROSS JOIN"])
            let on = random.pick([
                "a.n = o.x", "a.square = o.y", "a.name = o.y", "a.rowid = o.x", "a.n > o.x", "o.x IN (a.n, 3)",
            ])
            let second = random.pick(["b.n = a.n + 1", "b.square = a.n", "b.n IN (a.n, o.x)", "b.rowid = a.rowid"])
            let order = random.pick(["a.n, b.n, o.x", "o.x, a.rowid, b.n", "a.rowid DESC, b.rowid, o.x"])
            let sql = { (table: String) in
                "SELECT a.n, b.n, o.x FROM other AS o \(join) \(table) AS a ON \(on) LEFT JOIN \(table) AS b ON \(second) ORDER BY \(order)"
            }
            let virtual: [Row] = try connection.query("\(raw: sql("squares"))")
            let real: [Row] = try connection.query("\(raw: sql("real_squares"))")
            #expect(virtual.map(\.valuesText) == real.map(\.valuesText), "seed \(seed): \(sql("squares"))")
        }
    }
}
