import SquallChanges
import Squall

/// Recorded changes: changesets that are made, inverted, combined and applied.
struct SessionScenario: Scenario {
    var name: String { "recorded changes" }

    func prepare(_ connection: Connection) throws {
        try connection.execute(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 10)
            INSERT INTO cars SELECT i, 'Car with a long name ' || i, i * 1.5 FROM c;
            """
        )
    }

    var steps: [Step<Connection>] {
        [Step(record), Step(takeBack), Step(combine), Step(recordInParts)]
    }

    private func record(_ connection: Connection) throws {
        try connection.transaction {
            let changes = try connection.recordChanges(in: "cars") {
                try $0.run("UPDATE cars SET name = upper(name) WHERE id < 4")
                try $0.run("DELETE FROM cars WHERE id = 5")
            }
            try expect(try changes.elements.count, 4)
        }
    }

    private func takeBack(_ connection: Connection) throws {
        let before: Double = try connection.query("SELECT total(price) FROM cars")
        try connection.transaction {
            let changes = try connection.recordChanges(in: "cars") {
                try $0.run("UPDATE cars SET price = price + 1")
            }
            try expect(try changes.elements.count, 9)
            try connection.apply(changes.inverted())
        }
        let after: Double = try connection.query("SELECT total(price) FROM cars")
        try expect(after, before)
    }

    private func combine(_ connection: Connection) throws {
        try connection.transaction {
            let first = try connection.recordChanges(in: "cars") {
                try $0.run("INSERT INTO cars VALUES(20, 'new', 1)")
            }
            let second = try connection.recordChanges(in: "cars") {
                try $0.run("UPDATE cars SET name = 'newer' WHERE id = 20")
            }
            let both = try first.appending(second)
            try expect(try both.elements.count, 1)
            try connection.run("DELETE FROM cars WHERE id = 20")
            try connection.apply(both)
        }
    }

    private func recordInParts(_ connection: Connection) throws {
        try connection.transaction {
            let recorder = try connection.startRecording(in: ["cars"])
            defer { recorder.stop() }
            try connection.run("UPDATE cars SET price = 0 WHERE id = 1")
            try expect(try recorder.changeset().elements.count, 1)
        }
    }
}
