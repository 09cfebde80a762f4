import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// R*Trees beside other parts of a schema: triggers, views, histories, damage.
@Suite(.enabled(if: SQLiteFeatures.spatialTables))
struct SpatialSchemaTests {
    let directory: TemporaryDirectory
    let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("a.db"))
        try connection.execute("CREATE TABLE places(id INTEGER PRIMARY KEY, name TEXT UNIQUE, x REAL, y REAL)")
    }

    private func keys() throws -> [Int64] { try connection.query("SELECT id FROM \(boxes) ORDER BY id") }

    private func follow() throws {
        try connection.create(boxes)
        try connection.createTriggers(for: boxes, following: "places", bounds: [("x", "x"), ("y", "y")])
    }

    @Test func triggersKeepTheTreeInStep() throws {
        try connection.run("INSERT INTO places VALUES(1, 'a', 1, 2), (2, 'b', NULL, 2)")
        try follow()
        #expect(try keys() == [1])
        try connection.run("INSERT INTO places VALUES(3, 'c', 5, 6), (4, 'd', 7, NULL)")
        try connection.run("UPDATE places SET x = 9 WHERE id IN (2, 3)")
        #expect(try keys() == [1, 2, 3])
        #expect(try connection.entry(3, in: boxes)?.box == .point(9, 6))
        try connection.run("UPDATE places SET id = 10 WHERE id = 1")
        try connection.run("UPDATE places SET y = NULL WHERE id = 2")
        #expect(try keys() == [3, 10])
        try connection.run("INSERT OR REPLACE INTO places VALUES(3, 'new', 0, 0)")
        #expect(try connection.entry(3, in: boxes)?.box == .point(0, 0))
        try connection.run("DELETE FROM places WHERE id = 10")
        #expect(try keys() == [3])
        #expect(try connection.integrityCheck(of: boxes) == [])
    }

    @Test func boundsOfTwoColumnsAreIntervals() throws {
        try connection.execute("CREATE TABLE areas(number INTEGER PRIMARY KEY, west, east)")
        let table = SpatialTable("area_boxes", key: "number", dimensions: "x")
        try connection.create(table)
        try connection.createTriggers(for: table, following: "areas", key: "number", bounds: [("west", "east")])
        try connection.run("INSERT INTO areas VALUES(1, 2, 4)")
        #expect(try connection.entry(1, in: table)?.box == SpatialBox(2...4))
        let error = try sqliteError { try connection.run("INSERT INTO areas VALUES(2, 4, 2)") }
        #expect(error.resultCode == .constraint)
        #expect(try connection.query("SELECT count(*) FROM areas") == 1)
        #expect(throws: SQLiteError.self) {
            try connection.createTriggers(for: table, following: "areas", key: "number", bounds: [("west", "nothing")])
        }
        #expect(
            try errorKind { try connection.createTriggers(for: table, following: "areas", bounds: []) }
                == .problem(SpatialProblem.boxDimensions(expected: 1, found: 0), of: .table("area_boxes")))
    }

    /// An R*Tree takes every text as the key 0: the second row could not be inserted.
    @Test(arguments: ["TEXT", "REAL", ""]) func aKeyThatIsNotAnInteger(_ type: String) throws {
        try connection.execute("CREATE TABLE areas(id \(raw: type) PRIMARY KEY, x REAL)")
        let table = SpatialTable("area_boxes", dimensions: "x")
        try connection.create(table)
        #expect(
            try errorKind { try connection.createTriggers(for: table, following: "areas", bounds: [("x", "x")]) }
                == .problem(SpatialProblem.key(column: "id", table: "areas"), of: .table("area_boxes")))
        #expect(try connection.query("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == 0)
    }

    @Test func integerCoordinatesAreRoundedOutward() throws {
        try connection.execute("CREATE TABLE areas(id INTEGER PRIMARY KEY, west REAL, east REAL)")
        let table = SpatialTable("cells", dimensions: "x", coordinates: .integer)
        try connection.create(table)
        try connection.run("INSERT INTO areas VALUES(1, 1.2, 5.9), (2, -1.5, -0.5)")
        try connection.createTriggers(for: table, following: "areas", bounds: [("west", "east")])
        try connection.run("INSERT INTO areas VALUES(3, 1.2, 5.9), (4, -1.5, -0.5), (5, -2147483648, 2147483647)")
        try connection.run("INSERT INTO areas VALUES(6, 7, 8)")
        try connection.run("UPDATE areas SET west = -3, east = 0.1 WHERE id = 6")
        let boxes = try connection.entries(of: table).sorted { $0.id < $1.id }.map(\.box)
        let pair = [SpatialBox(1...6), SpatialBox(-2...0)]
        #expect(boxes == pair + pair + [SpatialBox(-2_147_483_648...2_147_483_647), SpatialBox(-3...1)])
        #expect(try connection.entries(table.overlapping(SpatialBox(5.5...5.8))).map(\.id).count == 3)
    }

    @Test(
        arguments: [SpatialTable.Coordinates.real, .integer],
        ["'abc', 'abd'", "'1', '2'", "x'61', 1", "0, x'61'", "0, 9e999", "-9e999, 0", "0, 1e39", "9, 3"])
    func aRowThatIsNotABoxCannotBeWritten(_ coordinates: SpatialTable.Coordinates, _ bounds: String) throws {
        try connection.execute(
            "CREATE TABLE \"it's\"(id INTEGER PRIMARY KEY, west, east); INSERT INTO \"it's\" VALUES(1, 2, 4)")
        let table = SpatialTable("b", dimensions: "x", coordinates: coordinates)
        try connection.create(table)
        func follow() throws {
            try connection.createTriggers(for: table, following: "it's", bounds: [("west", "east")])
        }
        try follow()
        for policy in ["", "OR IGNORE", "OR REPLACE", "OR FAIL"] {
            let insertion = try sqliteError {
                try connection.run("INSERT \(raw: policy) INTO \"it's\" VALUES(2, \(raw: bounds))")
            }
            #expect(insertion.resultCode == .constraint)
            #expect(insertion.message == #"the coordinates of a row of "it's" do not fit the R*Tree "b""#)
            let update = try sqliteError {
                try connection.run("UPDATE \(raw: policy) \"it's\" SET (west, east) = (SELECT \(raw: bounds))")
            }
            #expect(update.resultCode == .constraint)
        }
        #expect(try connection.query("SELECT west + east FROM \"it's\"") == [6])
        #expect(try connection.entries(of: table).map(\.box) == [SpatialBox(2...4)])
        try connection.run("DROP TRIGGER b_inserted")
        try connection.run("INSERT INTO \"it's\" VALUES(2, \(raw: bounds))")
        #expect(
            try errorKind { try follow() } == .problem(SpatialProblem.source(table: "it's", id: 2), of: .table("b")))
        #expect(try connection.entries(of: table).map(\.id) == [1])
    }

    @Test func realCoordinatesReachTheLargestFloat() throws {
        try follow()
        let largest = Double(Float.greatestFiniteMagnitude)
        try connection.run("INSERT INTO places VALUES(1, 'a', \(largest), \(-largest))")
        #expect(try connection.entry(1, in: boxes)?.box == .point(largest, -largest))
    }

    @Test func creatingTheTriggersAgainFillsTheTreeAgain() throws {
        try follow()
        try connection.run("INSERT INTO places VALUES(1, 'a', 1, 2), (2, 'b', 3, 4)")
        // As a step of a history does that rebuilds the table without its triggers.
        try connection.execute(
            "DROP TRIGGER boxes_updated; UPDATE places SET x = 9 WHERE id = 1; INSERT INTO boxes VALUES(7, 0, 0, 0, 0)")
        try connection.createTriggers(for: boxes, following: "places", bounds: [("x", "x"), ("y", "y")])
        #expect(try keys() == [1, 2])
        #expect(try connection.entry(1, in: boxes)?.box == .point(9, 2))
        try connection.run("UPDATE places SET x = 5 WHERE id = 2")
        #expect(try connection.entry(2, in: boxes)?.box == .point(5, 4))
        #expect(try connection.query("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == 3)
    }

    /// Random changes of the table, which the triggers follow.
    @Test(arguments: [6, 7]) func theTreeIsThatOfTheTableAfterRandomChanges(_ seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        try follow()
        func number() -> Double? { generator.chance(10) ? nil : Double(Int.random(in: 0...50, using: &generator)) }
        for _ in 0..<500 {
            let id = Int.random(in: 1...40, using: &generator)
            let (x, y) = (number(), number())
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: try connection.run("INSERT OR REPLACE INTO places VALUES(?, ?, ?, ?)", id, "p\(id)", x, y)
            case 1: try connection.run("INSERT OR IGNORE INTO places VALUES(?, ?, ?, ?)", id, "p\(id)", x, y)
            case 2: try connection.run("UPDATE places SET x = \(x), y = \(y) WHERE id = \(id)")
            case 3: try connection.run("UPDATE OR IGNORE places SET id = \(id + 1) WHERE id = \(id)")
            default: try connection.run("DELETE FROM places WHERE id = \(id)")
            }
        }
        let rows: [String] = try connection.query(
            "SELECT format('%d %g %g', id, x, y) FROM places WHERE x NOTNULL AND y NOTNULL ORDER BY id")
        let entries: [String] = try connection.query("SELECT format('%d %g %g', id, minX, maxY) FROM boxes ORDER BY id")
        #expect(rows == entries && !rows.isEmpty, "seed \(seed)")
        #expect(try connection.integrityCheck(of: boxes) == [])
    }

    @Test func viewsAndSnapshotsReadTheTree() throws {
        try follow()
        try connection.execute("CREATE VIEW east AS SELECT id FROM boxes WHERE minX > 0")
        try connection.run("INSERT INTO places VALUES(1, 'a', 1, 2), (2, 'b', -1, 2)")
        #expect(try connection.query("SELECT id FROM east") == [1])
        let copy = try Connection(":memory:")
        try copy.deserialize(connection.serialize())
        #expect(try copy.entries(boxes.overlapping(SpatialBox(-9...9, -9...9))).count == 2)
        try copy.run("DELETE FROM places")
        #expect(try copy.entries(of: boxes) == [])
    }

    private struct Place: TableRecord {
        let id: Int64?
        let name: String
        let x: Double
        let y: Double

        static let table = Table("places", Place.init) {
            Column("id", \Place.id, .primaryKey)
            Column("name", \Place.name)
            Column("x", \Place.x)
            Column("y", \Place.y)
        }
    }

    private static let schema = Schema("map") {
        Version(1) {
            CreateTable("places") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("name", String?.self)
                ColumnDef("x", Double.self)
                ColumnDef("y", Double.self)
            }
            Execute {
                try $0.create(boxes)
                try $0.createTriggers(for: boxes, following: "places", bounds: [("x", "x"), ("y", "y")])
            }
        }
        Version(2) {
            Execute("INSERT INTO places VALUES(1, 'a', 1, 2)")
            AlterTable("places") { ChangeColumn("name", to: String.self) }
        }
    }

    @Test func aHistoryCreatesAndKeepsTheTree() throws {
        let connection = try Connection(directory.file("b.db"))
        try Self.schema.migrate(connection)
        try connection.insert(Place(id: 2, name: "b", x: 3, y: 4))
        #expect(try connection.entries(of: boxes).map(\.id) == [1, 2])
        #expect(try connection.integrityCheck(of: boxes) == [])
        try Self.schema.verify()
        let drift = try Self.schema.drift(from: Place.table)
        #expect(drift.isEmpty, "\(drift)")
        let plan = try connection.plan(toMatch: Place.table)
        #expect(plan.changes.isEmpty && plan.losses.isEmpty)
        try Self.schema.migrate(connection, to: 0)
        #expect(try connection.query("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'boxes%'") == 0)
    }

    @Test func aDamagedTreeIsATypedError() throws {
        // The recommended configuration does not write tables of an R*Tree.
        let connection = try Connection(storageLocation: .inMemory)
        try connection.create(boxes)
        let points = (1...500).map { (id: Int64($0), box: SpatialBox.point(Double($0), 0)) }
        try connection.insert(contentsOf: points, into: boxes)
        try connection.execute("SAVEPOINT whole")
        let damages: [SQL] = [
            "UPDATE boxes_node SET data = zeroblob(3)", "DELETE FROM boxes_node WHERE nodeno > 1",
            "UPDATE boxes_node SET data = NULL", "DROP TABLE boxes_node", "DROP TABLE boxes_rowid",
            "UPDATE boxes_node SET data = (SELECT data FROM boxes_node WHERE nodeno = 1)",
            "UPDATE boxes_node SET data = x'ffff' || substr(data, 3)",
        ]
        for damage in damages {
            do {
                try connection.run(damage)
                let problems = try connection.integrityCheck(of: boxes)
                #expect(!problems.isEmpty, "\(damage.text)")
            } catch is SQLiteError {}
            do {
                _ = try connection.entries(boxes.overlapping(SpatialBox(0...600, 0...1)))
                try connection.insert(.point(1, 1), into: boxes)
            } catch is SQLiteError {}
            try connection.execute("ROLLBACK TO whole")
        }
    }

    @Test func anEntryWhoseSidesAreInTheWrongOrderIsATypedError() throws {
        let connection = try Connection(storageLocation: .inMemory)
        let table = SpatialTable("t", dimensions: "x")
        try connection.create(table)
        try connection.insert(SpatialBox(1...2), id: 5, into: table)
        // A node: two bytes of its depth, two of its number of entries, then the key and the coordinates of each.
        try connection.run(
            "UPDATE t_node SET data = substr(data, 1, 12) || substr(data, 17, 4) || substr(data, 13, 4) || substr(data, 21)"
        )
        #expect(
            try errorKind { _ = try connection.entries(of: table) }
                == .problem(SpatialProblem.entry(id: 5), of: .table("t")))
        #expect(try !connection.integrityCheck(of: table).isEmpty)
        try connection.addSpatialFunction("any") { { $0.box[0].minimum > 0 ? .inside : .partlyInside } }
        #expect(throws: SQLiteError.self) { try connection.entries(table.matching("any")) }
    }
}
