import Squall

extension Situation {
    static let tables: [Situation] = [
        query("in a table function", "SELECT value FROM reenter(3)") { connection, trigger in
            try connection.addTableFunction("reenter", columns: "value") { (count: Int) in
                trigger.fire()
                return 0..<count
            }
        },
        query("in the rows of a table function", "SELECT value FROM reenter(3)") { connection, trigger in
            try connection.addTableFunction("reenter", columns: "value") { (count: Int) in
                (0..<count).lazy.map { (number: Int) -> Int in
                    trigger.fire()
                    return number
                }
            }
        },
        table("in the making of a virtual table", .make, "SELECT value FROM reenter"),
        table("in a scan of a virtual table", .rows, "SELECT value FROM reenter"),
        table("in a column of a virtual table", .column, "SELECT value FROM reenter"),
        table("in the plan of a virtual table", .plan, "SELECT value FROM reenter", expectation: .noConnection),
        table("in a write of a virtual table", .insert, "INSERT INTO reenter VALUES(7)", requirement: .writing),
        transaction("in the begin of a virtual table", .begin),
        transaction("in the sync of a virtual table", .sync),
        transaction("in the commit of a virtual table", .commit),
        Situation(name: "in the removal of a virtual table", requirement: .writing, expectation: .noConnection) {
            scene, trigger in
            let connection = try scene.requireConnection()
            try connection.register(named: "reenter") { _ in NumberTable(point: .drop, trigger: trigger) }
            try connection.execute("CREATE VIRTUAL TABLE removed USING reenter; DROP TABLE removed")
        },
    ]

    private static func transaction(_ name: String, _ point: NumberTable.Point) -> Situation {
        table(name, point, "INSERT INTO reenter VALUES(7)", requirement: .writing, expectation: .noConnection)
    }

    private static func table(
        _ name: String, _ point: NumberTable.Point, _ sql: SQL, requirement: Requirement = .connection,
        expectation: Expectation = .anything
    ) -> Situation {
        query(name, sql, requirement: requirement, expectation: expectation) { connection, trigger in
            try connection.register(named: "reenter") { _ in
                if point == .make { trigger.fire() }
                return NumberTable(point: point, trigger: trigger)
            }
        }
    }
}

/// A virtual table that makes the call at one of its functions.
struct NumberTable: WritableTableSource {
    enum Point {
        case make, rows, column, plan, insert, begin, sync, commit, drop
    }

    let point: Point
    let trigger: Trigger?

    private func reach(_ point: Point) {
        if point == self.point { trigger?.fire() }
    }

    var columns: [VirtualColumn<Int>] {
        [
            VirtualColumn("value") { (number: Int) -> Int in
                reach(.column)
                return number
            }
        ]
    }

    func plan(_ query: PlanQuery) -> Plan {
        reach(.plan)
        return Plan()
    }

    func rows(_ scan: borrowing Scan) -> [Int] {
        reach(.rows)
        return [1, 2, 3]
    }

    func rowID(of row: Int) -> Int64? { Int64(row) }

    func insert(_ row: borrowing WrittenRow) throws -> Int64 {
        reach(.insert)
        return try row.get(0)
    }

    func update(_ rowID: Int64, _ row: borrowing WrittenRow) {}

    func delete(_ rowID: Int64) {}

    func begin() { reach(.begin) }

    func sync() { reach(.sync) }

    func commit() { reach(.commit) }

    func drop() { reach(.drop) }
}
