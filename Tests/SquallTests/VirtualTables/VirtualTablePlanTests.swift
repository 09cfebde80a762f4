import Squall
import SquallTestSupport
import Testing

/// The conditions, orders and lists that SQLite offers to plans.
struct VirtualTablePlanTests {
    let connection: Connection
    let squares = Squares()

    init() throws {
        connection = try Connection(":memory:")
        let squares = squares
        try connection.register(named: "squares") { _ in squares }
    }

    private func plan(_ sql: String) throws -> [String] {
        try connection.query("EXPLAIN QUERY PLAN \(raw: sql)") { $0[3] }
    }

    @Test func explainShowsTheNoteOfThePlan() throws {
        #expect(
            try plan("SELECT * FROM squares WHERE n = 7") == ["SCAN squares VIRTUAL TABLE INDEX 1:n ="])
        #expect(try plan("SELECT * FROM squares") == ["SCAN squares VIRTUAL TABLE INDEX 0:all"])
    }

    @Test func theScanGetsTheValueOfACondition() throws {
        #expect(try connection.query("SELECT square FROM squares WHERE n = ?", 7) == 49)
        #expect(squares.scans == ["n = 1"])
        #expect(squares.rowsMade == 1)
        let nothing: Int? = try connection.query("SELECT square FROM squares WHERE n = ?", "seven")
        #expect(nothing == nil)
    }

    /// The scan cannot compare with 97.5, and returns all rows.
    @Test func sqliteChecksAConditionThatIsUsedAndNotConsumed() throws {
        let numbers: [Int] = try connection.query("SELECT n FROM squares WHERE n > 97.5")
        #expect(numbers == [98, 99, 100])
        #expect(squares.scans == ["n > 100"])
    }

    @Test func aListComesAtOnce() throws {
        let numbers: [Int] = try connection.query(
            "SELECT n FROM squares WHERE n IN (3, 1, 3, NULL, 'x', 200) ORDER BY n")
        #expect(numbers == [1, 3])
        #expect(squares.scans == ["list of n 2"])
        let joined: [Int] = try connection.query(
            "SELECT n FROM squares WHERE n IN (SELECT value * 10 FROM json_each('[1,2,3]'))")
        #expect(joined == [10, 20, 30])
        #expect(try connection.query("SELECT count(*) FROM squares WHERE n IN ()") == 0)
    }

    private struct Answering: TableSource {
        let columns = [VirtualColumn<Int>("a") { $0 }]
        func plan(_ query: PlanQuery) -> Plan { Plan(using: query.constraints.map(\.list)) }
        func rows(_ scan: borrowing Scan) throws -> [Int] { try scan.list(0, as: Int.self).map { $0 + 100 } }
    }

    @Test func sqliteDoesNotCheckAListAgain() throws {
        try connection.register(named: "answering") { _ in Answering() }
        let numbers: [Int] = try connection.query("SELECT a FROM answering WHERE a IN (1, 2)")
        #expect(numbers == [101, 102])
    }

    @Test func anOrderThatIsConsumedIsNotSortedAgain() throws {
        #expect(try plan("SELECT * FROM squares ORDER BY n") == ["SCAN squares VIRTUAL TABLE INDEX 0:all"])
        #expect(
            try plan("SELECT * FROM squares ORDER BY n DESC")
                == ["SCAN squares VIRTUAL TABLE INDEX 0:all", "USE TEMP B-TREE FOR ORDER BY"])
        #expect(try plan("SELECT * FROM squares ORDER BY rowid") == ["SCAN squares VIRTUAL TABLE INDEX 0:all"])
        let last: [Int] = try connection.query("SELECT n FROM squares ORDER BY n DESC LIMIT 2")
        #expect(last == [100, 99])
    }

    @Test func aStatementReadsNoMoreRowsThanItNeeds() throws {
        let first: [Int] = try connection.query("SELECT n FROM squares ORDER BY n LIMIT 2")
        #expect(first == [1, 2])
        #expect(squares.rowsMade <= 3)
    }

    @Test func theUseOfAnOrderIsTold() throws {
        let cases: [(String, VirtualTable.PlanQuery.OrderUse)] = [
            ("SELECT n FROM squares ORDER BY n", .orderBy),
            ("SELECT n, count(*) FROM squares GROUP BY n", .groupBy),
            ("SELECT DISTINCT n FROM squares", .distinct),
            ("SELECT DISTINCT n FROM squares ORDER BY n", .distinctOrderBy),
        ]
        for (sql, use) in cases {
            _ = try plan(sql)
            let query = try #require(squares.queries.last)
            #expect(query.orderUse == use, "\(sql)")
            #expect(query.order.map(\.column) == [0], "\(sql)")
        }
    }

    @Test func constraintsTellOperatorColumnCollationAndKnownValues() throws {
        _ = try plan(
            "SELECT n FROM squares WHERE name = 'x' AND square > 3 AND rowid <> 5 AND n IS NOT NULL AND name LIKE '%N'")
        let query = try #require(squares.queries.first)
        let texts = query.constraints.map {
            "\($0.column ?? -1) \($0.operation) \($0.collation) \($0.knownValue.map { "\($0)" } ?? "-")"
        }
        #expect(
            Set(texts) == [
                "2 equal NOCASE text(\"x\")", "1 greater BINARY integer(3)", "-1 notEqual BINARY integer(5)",
                "0 isNotNull BINARY -", "2 like BINARY text(\"%N\")",
            ])
        #expect(query.constraint("NAME", .equal)?.operation == .equal)
        #expect(query.rowIDConstraint(.notEqual) != nil)
        #expect(query.constraint("n", .equal) == nil)
    }

    @Test func limitAndOffsetAreOfNoColumn() throws {
        _ = try plan("SELECT n FROM squares LIMIT 5 OFFSET 2")
        let query = try #require(squares.queries.first)
        #expect(query.constraint(.limit)?.knownValue == .integer(5))
        #expect(query.constraint(.offset)?.knownValue == .integer(2))
        #expect(query.rowIDConstraint(.limit) == nil)
    }

    @Test func columnsThatAreReadAreTold() throws {
        _ = try plan("SELECT square FROM squares WHERE name = 'x'")
        let query = try #require(squares.queries.first)
        #expect(["n", "square", "name", "other"].map { query.uses($0) } == [false, true, true, false])
    }

    private struct Wide: TableSource {
        let note: (PlanQuery) -> Void
        let columns = (0..<70).map { number in VirtualColumn<Int>("c\(number)") { $0 + number } }
        func plan(_ query: PlanQuery) -> Plan {
            note(query)
            return Plan()
        }
        func rows(_ scan: borrowing Scan) -> [Int] { [100] }
    }

    /// SQLite has one bit for all columns from the 64th on.
    @Test func columnsBeyondThe63rdAreToldTogether() throws {
        var uses: [Bool] = []
        let names = ["c0", "c62", "c63", "c64", "c69"]
        try connection.register(named: "wide") { _ in Wide { query in uses = names.map { query.uses($0) } } }
        #expect(try connection.query("SELECT c62 FROM wide") == 162)
        #expect(uses == [false, true, false, false, false])
        #expect(try connection.query("SELECT c64 FROM wide") == 164)
        #expect(uses == [false, false, true, true, true])
    }

    @Test func costsDecideTheOrderOfAJoin() throws {
        try connection.execute("CREATE TABLE few(n INTEGER); INSERT INTO few VALUES(3), (4)")
        let plan = try plan("SELECT square FROM squares JOIN few ON few.n = squares.n")
        #expect(plan == ["SCAN few", "SCAN squares VIRTUAL TABLE INDEX 1:n ="])
        let found: [Int] = try connection.query("SELECT square FROM squares JOIN few ON few.n = squares.n ORDER BY 1")
        #expect(found == [9, 16])
    }

    private struct Misplanned: TableSource {
        let makePlan: (PlanQuery) -> Plan
        let columns = [VirtualColumn<Int>("a") { $0 }]
        func plan(_ query: PlanQuery) -> Plan { makePlan(query) }
        func rows(_ scan: borrowing Scan) throws -> [Int] {
            let value: Int = try scan.get(1)
            return [value]
        }
    }

    @Test func plansThatCannotBeAreErrors() throws {
        try connection.register(named: "twice") { _ in
            Misplanned { VirtualTable.Plan(using: $0.constraints.flatMap { [$0.used, $0.used] }) }
        }
        #expect(
            try sqliteError { try connection.run("SELECT * FROM twice WHERE a = 1") }.message
                == "the plan of twice uses a constraint that is not one of the query, or one twice, or its number is too large"
        )
        try connection.register(named: "list") { _ in
            Misplanned { VirtualTable.Plan(using: $0.constraints.map(\.list)) }
        }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM list WHERE a = 1") }
        try connection.register(named: "huge") { _ in Misplanned { _ in VirtualTable.Plan(.max) } }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM huge") }
        _ = try plan("SELECT 1 FROM squares WHERE n = 1")
        let foreign = try #require(squares.queries.first)
        try connection.register(named: "foreign") { _ in
            Misplanned { _ in VirtualTable.Plan(using: foreign.constraints.map(\.used)) }
        }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM foreign") }
    }

    private struct Limited: TableSource {
        let ordered: Bool
        let columns = [VirtualColumn<Int>("a") { $0 }]
        func plan(_ query: PlanQuery) -> Plan {
            let isOrdered = ordered && query.isOrdered(by: "a")
            guard let limit = query.constraint(.limit) else { return Plan(0, isOrdered: isOrdered) }
            let offset = query.constraint(.offset)
            return Plan(1, using: [limit.consumed] + (offset.map { [$0.consumed] } ?? []), isOrdered: isOrdered)
        }
        func rows(_ scan: borrowing Scan) throws -> ArraySlice<Int> {
            guard scan.plan == 1 else { return [1, 2, 3, 4, 5, 6] }
            let offset = scan.count == 2 ? try scan.get(1, as: Int.self) : 0
            return [1, 2, 3, 4, 5, 6].dropFirst(offset).prefix(try scan.get(0))
        }
    }

    @Test func aPlanUsesLimitOnlyIfItDecidesWhichRowsCount() throws {
        try connection.register(named: "ordered") { _ in Limited(ordered: true) }
        let some: [Int] = try connection.query("SELECT a FROM ordered ORDER BY a LIMIT 2 OFFSET 3")
        #expect(some == [4, 5])
        let message = "uses LIMIT or OFFSET, and leaves a condition, the order or OFFSET to SQLite"
        #expect(
            try sqliteError { try connection.run("SELECT a FROM ordered WHERE a > 2 LIMIT 2") }.message
                == "the plan of ordered \(message)")
        try connection.register(named: "unordered") { _ in Limited(ordered: false) }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT a FROM unordered ORDER BY a DESC LIMIT 2") }
        #expect(try connection.query("SELECT count(*) FROM (SELECT a FROM unordered LIMIT 2)") == 2)
    }

    @Test func aPositionThatThePlanDoesNotHaveIsAnError() throws {
        try connection.register(named: "t") { _ in Misplanned { VirtualTable.Plan(using: $0.constraints.map(\.used)) } }
        let error = try sqliteError { try connection.run("SELECT * FROM t WHERE a = 1") }
        #expect((error.resultCode, error.message) == (.misuse, "the plan has no constraint 1"))
    }

    // MARK: - Parameters

    private struct Range: TableSource {
        let columns: [VirtualColumn<Int>] = [
            VirtualColumn("value") { $0 }, .parameter("first"), .parameter("last", isRequired: false),
        ]
        func rows(_ scan: borrowing Scan) throws -> ClosedRange<Int> {
            let first: Int = try scan.parameter("first") ?? 0
            return first...(try scan.parameter("LAST") ?? first + 2)
        }
    }

    @Test func parametersAreArguments() throws {
        try connection.register(named: "range") { _ in Range() }
        let arguments: [Int] = try connection.query("SELECT value FROM range(3, 5)")
        #expect(arguments == [3, 4, 5])
        let conditions: [Int] = try connection.query(
            "SELECT value FROM range WHERE last = 5 AND first = 3 AND value > 3")
        #expect(conditions == [4, 5])
        let optional: [Int] = try connection.query("SELECT value FROM range(7)")
        #expect(optional == [7, 8, 9])
        #expect(
            try sqliteError { try connection.run("SELECT * FROM range") }.message == "range needs a value for first")
        let row = try #require(try connection.query("SELECT *, first, last FROM range(1, 1)") as Row?)
        #expect(row.valuesText == "[1, 1, 1]")
        #expect(
            try sqliteError { try connection.run("SELECT * FROM range('a')") }.message
                .hasPrefix("range, first: expected Int"))
    }

    @Test func aParameterMayComeFromAnotherTable() throws {
        try connection.register(named: "range") { _ in Range() }
        try connection.execute("CREATE TABLE t(a INTEGER); INSERT INTO t VALUES(1), (10), (20)")
        // Whichever table is named first, the parameter's table is read first.
        for sql in [
            "SELECT value FROM t JOIN range(t.a, t.a + 1)",
            "SELECT value FROM range JOIN t ON first = t.a AND last = t.a + 1",
        ] {
            let values: [Int] = try connection.query("\(raw: sql) ORDER BY 1")
            #expect(values == [1, 2, 10, 11, 20, 21])
        }
        let left: [Row] = try connection.query(
            "SELECT a, value FROM t LEFT JOIN range(t.a, t.a + 1) ON value % 2 = 0 AND value < 20 ORDER BY 1, 2")
        #expect(left.map(\.valuesText) == ["[1, 2]", "[10, 10]", "[20, NULL]"])
        // A parameter that no order of the tables can give is an error, not a slow plan.
        #expect(throws: SQLiteError.self) {
            try connection.run("SELECT * FROM range AS a JOIN range AS b ON a.first = b.value AND b.first = a.value")
        }
    }

    @Test func rowsOfAnOrAreFoundOnce() throws {
        let numbers: [Int] = try connection.query(
            "SELECT n FROM squares WHERE n = 5 OR square = 25 OR n IN (6, 5) ORDER BY n")
        #expect(numbers == [5, 6])
    }

    @Test func withoutRowIDsAPlanOfConditionsCannotServeStatementsThatNeedThem() throws {
        struct Anonymous: TableSource {
            let columns = [VirtualColumn<Int>("a") { $0 }, VirtualColumn("b") { $0 % 2 }]
            func plan(_ query: PlanQuery) -> Plan { Plan(using: query.constraints.map(\.used), rows: 5) }
            func rows(_ scan: borrowing Scan) -> ClosedRange<Int> { 1...6 }
        }
        try connection.register(named: "t") { _ in Anonymous() }
        let rowIDs: [Int] = try connection.query("SELECT rowid FROM t")
        #expect(rowIDs == [1, 2, 3, 4, 5, 6])
        #expect(try connection.query("SELECT count(*) FROM t WHERE b = 1") == 3)
        let error = try sqliteError { try connection.run("SELECT rowid FROM t WHERE b = 1") }
        #expect(
            error.message == "t has no rowids: a table whose plans use constraints returns them from rowID(of:)")
    }
}
