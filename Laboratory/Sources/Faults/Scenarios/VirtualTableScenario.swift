import Squall

/// Arrays, table functions, records as tables, and tables of the program.
struct VirtualTableScenario: Scenario {
    var name: String { "virtual tables" }

    private struct Numbers: TableSource {
        var columns: [VirtualColumn<Int>] {
            [VirtualColumn("n") { $0 }, VirtualColumn("text") { "number \($0)" }, .parameter("last")]
        }

        func plan(_ query: PlanQuery) -> Plan {
            if let equal = query.constraint("n", .equal) { return Plan(1, "n =", using: [equal.used], rows: 1) }
            return Plan(0, "all", isOrdered: query.isOrdered(by: "n"), rows: 100)
        }

        func rows(_ scan: borrowing Scan) throws -> [Int] {
            let last = try scan.parameter("last", as: Int.self) ?? 20
            guard scan.plan == 1, let n = try scan.equalValue(0, as: Int.self) else { return Array(1...last) }
            return (1...last).contains(n) ? [n] : []
        }

        func rowID(of row: Int) -> Int64? { Int64(row) }
    }

    private struct Car: TableRecord {
        let id: Int64?
        let name: String

        static let table = Table("cars", Car.init) {
            Column("id", \Car.id, .primaryKey)
            Column("name", \Car.name)
        }
    }

    func prepare(_ connection: Connection) throws {
        try connection.create(Car.table)
        try connection.insert(contentsOf: (1...10).map { (id: Int64) in Car(id: id, name: "Car,with,parts \(id)") })
    }

    func open(_ folder: String) async throws -> Connection {
        let connection = try Connection("\(folder)/main.db", configuration: .laboratory())
        try connection.addTableFunction("split", columns: "part") { (text: String, by: String) in
            text.split(separator: by).map { String($0) }
        }
        try connection.register(named: "numbers") { _ in Numbers() }
        return connection
    }

    var steps: [Step<Connection>] {
        [
            Step { connection in
                let ids = [3, 1, 99]
                let names: [String] = try connection.query(
                    "SELECT name FROM \(array: ids) AS key JOIN cars ON cars.id = key.value ORDER BY key.rowid")
                try expect(names, ["Car,with,parts 3", "Car,with,parts 1"])
                let texts = ["Car,with,parts 2", "no"]
                let count: Int = try connection.query("SELECT count(*) FROM cars WHERE name IN \(array: texts)")
                try expect(count, 1)
            },
            Step { connection in
                let parts: [String] = try connection.query(
                    "SELECT part FROM cars, split(cars.name, ',') WHERE cars.id = 2")
                try expect(parts, ["Car", "with", "parts 2"])
            },
            Step { connection in
                let texts: [String] = try connection.query("SELECT text FROM numbers(12) WHERE n = 7")
                try expect(texts, ["number 7"])
                let all: [Int] = try connection.query("SELECT n FROM numbers(20) WHERE text LIKE '%5' ORDER BY n")
                try expect(all, [5, 15])
            },
            Step { connection in
                let incoming = [Car(id: 1, name: "changed"), Car(id: 9, name: "Car,with,parts 9")]
                try connection.withTable("incoming", incoming) { connection in
                    try connection.run(
                        "UPDATE cars SET name = i.name FROM incoming i WHERE i.id = cars.id AND i.name != cars.name")
                }
            },
            Step { connection in
                try connection.run("INSERT INTO cars SELECT 100 + n, text FROM numbers(5)")
            },
        ]
    }
}
