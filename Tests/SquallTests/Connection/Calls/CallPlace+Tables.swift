import Squall

// MARK: - Virtual tables

extension CallPlace {
    static let tables: [CallPlace] =
        [
            table("the making of a table", .make, "xConnect"),
            table("the columns of a table", .columns, "xConnect"),
            CallPlace(name: "the making of a table in a trigger", function: "xConnect") { scene in
                try scene.connection.execute(
                    "CREATE TRIGGER t_insert AFTER INSERT ON t BEGIN INSERT INTO other(a) SELECT value FROM calls; END")
                try register(.make, in: scene)
                try scene.run("INSERT INTO t(a) VALUES(7)")
            },
            CallPlace(name: "the making of a table for a PRAGMA", function: "xConnect") { scene in
                try register(.make, in: scene)
                try scene.run("PRAGMA table_info(calls)")
            },
            CallPlace(name: "the making of a table that is created", function: "xCreate") { scene in
                try register(.make, in: scene)
                try scene.run("CREATE VIRTUAL TABLE v USING calls")
            },
            CallPlace(name: "the making of a table that is created in a transaction", function: "xCreate") { scene in
                try register(.make, in: scene)
                try scene.connection.execute("BEGIN; CREATE TABLE earlier(a)")
                try scene.run("CREATE VIRTUAL TABLE v USING calls")
            },
            CallPlace(name: "the making of a table in a transaction", function: "xConnect") { scene in
                try scene.connection.execute(
                    "CREATE TRIGGER t_insert AFTER INSERT ON t BEGIN INSERT INTO other(a) SELECT value FROM calls; END")
                try register(.make, in: scene)
                try scene.connection.execute("BEGIN; CREATE TABLE earlier(a)")
                try scene.run("INSERT INTO t(a) VALUES(7)")
            },
            table("the plan of a table", .plan, "xBestIndex", rule: .nothing),
            table("the begin of a scan", .rows, "xFilter"),
            table("the next row of a scan", .next, "xNext"),
            table("the column of a row", .column, "xColumn"),
            table("the rowid of a row", .rowID, "xRowid", sql: "SELECT rowid FROM calls"),
            table("an insert into a table", .insert, "xUpdate", sql: "INSERT INTO calls VALUES(7)"),
            table("an update of a table", .update, "xUpdate", sql: "UPDATE calls SET value = 7"),
            table("a delete in a table", .delete, "xUpdate", sql: "DELETE FROM calls"),
            transaction("the begin of a table's transaction", .begin, "xBegin"),
            transaction("the sync of a table", .sync, "xSync"),
            transaction("the commit of a table", .commit, "xCommit"),
            transaction("the rollback of a table", .rollBack, "xRollback", end: "ROLLBACK"),
            transaction("a savepoint of a table", .savepoint, "xSavepoint", end: "SAVEPOINT s"),
            transaction("the release of a savepoint of a table", .release, "xRelease", end: "SAVEPOINT s; RELEASE s"),
            transaction(
                "the rollback of a savepoint of a table", .rollBackTo, "xRollbackTo", end: "SAVEPOINT s; ROLLBACK TO s"),
            CallPlace(name: "the removal of a table", function: "xDestroy", rule: .nothing) { scene in
                try register(.drop, in: scene)
                try scene.connection.execute("CREATE VIRTUAL TABLE v USING calls")
                try scene.run("DROP TABLE v")
            },
            query("a table function", "xFilter", "SELECT value FROM calls(3)") { scene in
                try scene.connection.addTableFunction("calls", columns: "value") { [unowned scene] (count: Int) in
                    scene.call()
                    return 0..<count
                }
            },
            query("the rows of a table function", "xNext", "SELECT value FROM calls(3)") { scene in
                try scene.connection.addTableFunction("calls", columns: "value") { [unowned scene] (count: Int) in
                    (0..<count).lazy.map { [unowned scene] (number: Int) -> Int in
                        scene.call()
                        return number
                    }
                }
            },
        ]

    private static func table(
        _ name: String, _ point: CallingTable.Point, _ function: String, rule: Rule = .statements,
        sql: SQL = "SELECT value FROM calls"
    ) -> CallPlace {
        query(name, function, rule: rule, sql) { try register(point, in: $0) }
    }

    /// A function of transactions, which SQLite calls for a statement or at the end of a transaction.
    private static func transaction(
        _ name: String, _ point: CallingTable.Point, _ function: String, end: SQL = "COMMIT"
    ) -> CallPlace {
        CallPlace(name: name, function: function, rule: .nothing) { scene in
            try register(point, in: scene)
            try scene.connection.run("SELECT value FROM calls")
            try scene.whileArmed { try scene.connection.execute("BEGIN; INSERT INTO calls VALUES(7); \(end)") }
        }
    }

    static func register(_ point: CallingTable.Point, in scene: CallScene) throws {
        try scene.connection.register(named: "calls", directOnly: false, innocuous: true) { [unowned scene] _ in
            try CallingTable(scene, point)
        }
    }
}

/// A virtual table that calls the code of a scene at one point.
struct CallingTable: WritableTableSource {
    enum Point {
        case make, columns, plan, rows, next, column, rowID, insert, update, delete
        case begin, sync, commit, rollBack, savepoint, release, rollBackTo, drop
        /// The release of the table, or of the rows of a scan.
        case table, scan
    }

    private unowned let scene: CallScene
    private let point: Point
    private let object: CallScene.Releasing?

    init(_ scene: CallScene, _ point: Point) throws {
        self.scene = scene
        self.point = point
        object = point == .table ? scene.releasing() : nil
        reach(.make)
    }

    private func reach(_ point: Point) {
        if point == self.point { scene.call() }
    }

    var columns: [VirtualColumn<Int>] {
        reach(.columns)
        return [
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

    func rows(_ scan: borrowing Scan) -> ThrowingRows<Int> {
        reach(.rows)
        let object = point == .scan ? scene.releasing() : nil
        var number = 0
        return ThrowingRows {
            reach(.next)
            number += 1
            return withExtendedLifetime(object) { number > 3 ? nil : number }
        }
    }

    func rowID(of row: Int) -> Int64? {
        reach(.rowID)
        return Int64(row)
    }

    func insert(_ row: borrowing WrittenRow) throws -> Int64 {
        reach(.insert)
        return try row.get(0)
    }

    func update(_ rowID: Int64, _ row: borrowing WrittenRow) { reach(.update) }
    func delete(_ rowID: Int64) { reach(.delete) }
    func begin() { reach(.begin) }
    func sync() { reach(.sync) }
    func commit() { reach(.commit) }
    func rollBack() { reach(.rollBack) }
    func savepoint(_ level: Int) { reach(.savepoint) }
    func release(_ level: Int) { reach(.release) }
    func rollBack(to level: Int) { reach(.rollBackTo) }
    func drop() { reach(.drop) }
}
