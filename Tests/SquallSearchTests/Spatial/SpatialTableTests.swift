import Squall
import SquallSearch
import SquallTestSupport
import Testing

let boxes = SpatialTable("boxes", dimensions: "x", "y")

/// R*Trees: declaration, entries and conditions.
@Suite(.enabled(if: SQLiteFeatures.spatialTables))
struct SpatialTableTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    @Test func aDeclarationCreatesTheTable() throws {
        try connection.create(boxes)
        let sql: String = try connection.query("SELECT sql FROM sqlite_schema WHERE name = 'boxes'")
        #expect(sql == #"CREATE VIRTUAL TABLE "boxes" USING rtree("id", "minX", "maxX", "minY", "maxY")"#)
        try connection.create(boxes, ifNotExists: true)
        #expect(try sqliteError { try connection.create(boxes) }.message == #"table "boxes" already exists"#)
    }

    @Test func columnsAreNamedAndQuoted() throws {
        let table = SpatialTable(
            #"a "b""#, key: "the key", dimensions: SpatialDimension("from, to", "to"), coordinates: .integer,
            auxiliary: ["a name", "order"])
        try connection.create(table)
        let columns: [String] = try connection.query("SELECT name FROM pragma_table_info('a \"b\"')")
        #expect(columns == ["the key", "from, to", "to", "a name", "order"])
        try connection.insert(SpatialBox(1...3), id: 5, into: table, auxiliary: ["a name": "Ada", "order": nil])
        let found = try connection.entries(table.containing(.point(2)))
        #expect(found.map(\.id) == [5])
        #expect(found.first?.box == SpatialBox(1...3))
        #expect(found.first?.auxiliary == [.text("Ada"), .null])
    }

    @Test(arguments: 1...5) func aTableHasOneToFiveDimensions(_ count: Int) throws {
        let names: [SpatialDimension] = ["a", "b", "c", "d", "e"]
        let table: SpatialTable =
            switch count {
            case 1: SpatialTable("t", dimensions: names[0])
            case 2: SpatialTable("t", dimensions: names[0], names[1])
            case 3: SpatialTable("t", dimensions: names[0], names[1], names[2])
            case 4: SpatialTable("t", dimensions: names[0], names[1], names[2], names[3])
            default: SpatialTable("t", dimensions: names[0], names[1], names[2], names[3], names[4])
            }
        try connection.create(table)
        let box = SpatialBox((0..<count).map { Double($0)...Double($0 + 1) })
        let id = try connection.insert(box, into: table)
        #expect(try connection.entry(id, in: table)?.box == box)
        #expect(try connection.entries(table.overlapping(box)).count == 1)
        #expect(try connection.integrityCheck(of: table) == [])
    }

    @Test func onlyASCIILettersOfADimensionBecomeCapital() {
        let dimensions: [SpatialDimension] = ["x", "ß", "é", "longitude", ""]
        #expect(dimensions.map(\.minimum) == ["minX", "minß", "miné", "minLongitude", "min"])
        #expect(dimensions.map(\.maximum) == ["maxX", "maxß", "maxé", "maxLongitude", "max"])
    }

    @Test func anotherNumberOfDimensionsIsATypedError() throws {
        let none = SpatialTable("t")
        #expect(
            try errorKind { try connection.create(none) }
                == .problem(SpatialProblem.dimensions(count: 0), of: .table("t")))
        let six = SpatialTable("t", dimensions: "a", "b", "c", "d", "e", "f")
        #expect(
            try errorKind { try connection.create(six) }
                == .problem(SpatialProblem.dimensions(count: 6), of: .table("t")))
        try connection.create(boxes)
        let kind = SQLiteError.Kind.problem(SpatialProblem.boxDimensions(expected: 2, found: 3), of: .table("boxes"))
        #expect(try errorKind { try connection.insert(.point(1, 2, 3), into: boxes) } == kind)
        #expect(try errorKind { _ = try connection.entries(boxes.within(.point(1, 2, 3))) } == kind)
        let nine = SpatialBox((0..<9).map { _ in 0...1 })
        #expect(
            try errorKind { try connection.insert(nine, into: boxes) }
                == .problem(SpatialProblem.boxDimensions(expected: 2, found: 9), of: .table("boxes")))
    }

    @Test func entriesAreInsertedUpdatedAndDeleted() throws {
        try connection.create(boxes)
        #expect(try connection.insert(SpatialBox(0...1, 0...1), into: boxes) == 1)
        #expect(try connection.insert(SpatialBox(5...6, 5...6), id: 9, into: boxes) == 9)
        #expect(try sqliteError { try connection.insert(.point(0, 0), id: 9, into: boxes) }.resultCode == .constraint)
        try connection.insert(.point(2, 3), id: 9, into: boxes, or: .replace)
        #expect(try connection.entry(9, in: boxes)?.box == .point(2, 3))
        #expect(try connection.update(SpatialBox(-1...0, -1...0), id: 1, in: boxes))
        #expect(try !connection.update(.point(0, 0), id: 2, in: boxes))
        #expect(try connection.entries(of: boxes).map(\.id).sorted() == [1, 9])
        try connection.delete(from: "boxes", where: "id = 9")
        #expect(try connection.entry(9, in: boxes) == nil)
        try connection.insert(contentsOf: [(id: 3, box: .point(1, 1)), (id: 4, box: .point(2, 2))], into: boxes)
        #expect(try connection.query("SELECT count(*) FROM \(boxes)") == 3)
    }

    @Test func insertingManyInsertsAllOrNone() throws {
        try connection.create(boxes)
        #expect(throws: SQLiteError.self) {
            try connection.insert(contentsOf: [(id: 3, box: .point(1, 1)), (id: 3, box: .point(2, 2))], into: boxes)
        }
        #expect(try connection.query("SELECT count(*) FROM \(boxes)") == 0)
    }

    @Test func aConditionIsSQL() throws {
        let box = SpatialBox(0...1, 2...3)
        #expect(
            boxes.overlapping(box).sql.text
                == #""boxes"."minX" <= ? AND "boxes"."maxX" >= ? AND "boxes"."minY" <= ? AND "boxes"."maxY" >= ?"#)
        #expect(boxes.overlapping(box).sql.parameters == [.real(1), .real(0), .real(3), .real(2)])
        #expect(
            boxes.matching("circle", 1, 2.5, nil).keys.text
                == #"(SELECT "boxes"."id" FROM "boxes" WHERE "boxes"."id" MATCH "circle"(?, ?, ?))"#)
        try connection.create(boxes)
        try connection.insert(box, id: 7, into: boxes)
        #expect(try connection.query("SELECT id FROM \(boxes) WHERE \(boxes.within(box)) AND id > \(0)") == [7])
        #expect(try connection.entries(boxes.containing(box).and("id = \(8)")) == [])
        #expect(try connection.entries(boxes.containing(box).and(boxes.within(box)), limit: 1).map(\.id) == [7])
    }

    @Test func aConditionIsEvaluatedByTheTree() throws {
        try connection.create(boxes)
        let sql: SQL = "EXPLAIN QUERY PLAN SELECT id FROM \(boxes) WHERE \(boxes.overlapping(.point(1, 1)))"
        let plan: String = try #require(try connection.prepare(sql).query() as Row?).get("detail")
        #expect(plan.contains("VIRTUAL TABLE INDEX 2:B0D1B2D3"), "\(plan)")
    }

    @Test func realCoordinatesAreRoundedOutward() throws {
        try connection.create(boxes)
        try connection.insert(SpatialBox(0.1...0.2, -0.2 ... -0.1), id: 1, into: boxes)
        let stored = try #require(try connection.entry(1, in: boxes)).box
        #expect(stored.contains(SpatialBox(0.1...0.2, -0.2 ... -0.1)))
        #expect(stored != SpatialBox(0.1...0.2, -0.2 ... -0.1))
        // SQL with this box does not find it.
        let condition: SQL = "minX >= \(0.1) AND maxX <= \(0.2) AND minY >= \(-0.2) AND maxY <= \(-0.1)"
        #expect(try connection.query("SELECT id FROM \(boxes) WHERE \(condition)") as [Int] == [])
        #expect(try connection.entries(boxes.within(SpatialBox(0.1...0.2, -0.2 ... -0.1))).map(\.id) == [1])
    }

    @Test func integerCoordinatesAreRoundedOutward() throws {
        let table = SpatialTable("cells", dimensions: "x", coordinates: .integer)
        try connection.create(table)
        try connection.insert(SpatialBox(-1.5...1.5), id: 1, into: table)
        #expect(try connection.entry(1, in: table)?.box == SpatialBox(-2...2))
        #expect(try connection.entries(table.within(SpatialBox(-1.5...1.5))).map(\.id) == [1])
        #expect(try connection.query("SELECT typeof(minX) FROM \(table)") == "integer")
    }

    @Test func aCoordinateThatCannotBeStoredIsATypedError() throws {
        try connection.create(boxes)
        for value in [1e39, -.infinity, .nan] {
            let error = try sqliteError { try connection.insert(.point(0, value), into: boxes) }
            guard case .coordinate(let found)? = error.problem(SpatialProblem.self), error.subject == .table("boxes")
            else {
                Issue.record("\(error)")
                continue
            }
            #expect(found.bitPattern == value.bitPattern)
        }
        let cells = SpatialTable("cells", dimensions: "x", coordinates: .integer)
        try connection.create(cells)
        #expect(
            try errorKind { try connection.insert(.point(2_147_483_648), into: cells) }
                == .problem(SpatialProblem.coordinate(2_147_483_648), of: .table("cells")))
        try connection.insert(.point(2_147_483_647), into: cells)
        // Conditions can be unbounded, but not NaN.
        let all = SpatialBox(-Double.infinity...Double.infinity)
        #expect(try connection.entries(cells.within(all)).count == 1)
        #expect(throws: SQLiteError.self) { try connection.entries(cells.containing(.point(.nan))) }
    }

    @Test func aCheckInAFunctionOfAWriteLeavesNoTransactionOpen() throws {
        let boxes = SpatialTable("checked", dimensions: "x")
        try connection.create(boxes)
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        var codes: [ResultCode?] = []
        // Unowned: the connection owns the function.
        try connection.addFunction("checks") { [unowned connection] (number: Int) in
            do {
                codes.append(try connection.integrityCheck(of: boxes).isEmpty ? nil : .corrupt)
            } catch let error as SQLiteError {
                codes.append(error.resultCode)
            }
            return number + 1
        }
        // SELECT rtreecheck('checked') would run BEGIN, and its END would fail.
        try connection.run("UPDATE t SET a = checks(a)")
        #expect(codes == [.busy])
        #expect(!connection.isInTransaction)
        // In a transaction, and beside a statement that reads, it is possible.
        try connection.transaction { try connection.run("UPDATE t SET a = checks(a)") }
        try connection.run("SELECT checks(a) FROM t")
        #expect(codes == [.busy, nil, nil])
        #expect(!connection.isInTransaction)
        #expect(try connection.query("SELECT a FROM t") == 3)
    }

    @Test func boxesAreCompared() {
        let box = SpatialBox(0...2, 0...2)
        #expect(box.overlaps(SpatialBox(2...3, 2...3)) && !box.overlaps(SpatialBox(2.1...3, 0...1)))
        #expect(box.contains(.point(0, 2)) && !box.contains(SpatialBox(1...3, 1...1)))
        #expect(!box.overlaps(.point(1)) && !box.contains(.point(1)))
        #expect(box.distance(to: .point(5, 6)) == 5)
        #expect(box.distance(to: .point(1, 1)) == 0)
        #expect(box.greatestDistance(to: .point(-1, -2)) == 5)
        #expect(box[1].minimum == 0 && box[1].maximum == 2 && box.dimensionCount == 2)
        #expect(SpatialBox.point(.nan)[0].minimum.isNaN)
        #expect("\(SpatialBox(0...1))" == "SpatialBox(0.0...1.0)")
    }

    /// Random boxes in an R*Tree and in a table, with equal predicates.
    @Test(arguments: [1, 2, 3]) func conditionsFindWhatATableFinds(_ seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let tables = [
            (boxes, 8.0), (SpatialTable("cells", dimensions: "x", "y", coordinates: .integer), 1),
        ]
        for (table, fraction) in tables {
            try connection.create(table)
            try connection.execute("CREATE TABLE IF NOT EXISTS plain(id INTEGER PRIMARY KEY, minX, maxX, minY, maxY)")
            try connection.run("DELETE FROM plain")
            func box(_ size: Int) -> SpatialBox {
                SpatialBox(
                    (0..<2).map { _ in
                        let start = Int.random(in: -1000...1000, using: &generator)
                        let end = start + Int.random(in: 0...size, using: &generator)
                        return Double(start) / fraction...Double(end) / fraction
                    })
            }
            for id in 1...1000 {
                let box = box(40)
                try connection.insert(box, id: Int64(id), into: table)
                try connection.run(
                    "INSERT INTO plain VALUES(?, ?, ?, ?, ?)", id, box[0].minimum, box[0].maximum,
                    box[1].minimum, box[1].maximum)
            }
            for _ in 0..<100 {
                let id = Int.random(in: 1...1000, using: &generator)
                try connection.run("DELETE FROM \(table) WHERE id = \(id)")
                try connection.run("DELETE FROM plain WHERE id = \(id)")
            }
            #expect(try connection.integrityCheck(of: table) == [])
            for _ in 0..<100 {
                let area = box(400)
                let (x, y) = (area[0], area[1])
                let overlapping: [Int64] = try connection.query(
                    """
                    SELECT id FROM plain WHERE maxX >= \(x.minimum) AND minX <= \(x.maximum)
                    AND maxY >= \(y.minimum) AND minY <= \(y.maximum)
                    """)
                let within: [Int64] = try connection.query(
                    """
                    SELECT id FROM plain WHERE minX >= \(x.minimum) AND maxX <= \(x.maximum)
                    AND minY >= \(y.minimum) AND maxY <= \(y.maximum)
                    """)
                let inner = box(4)
                let containing: [Int64] = try connection.query(
                    """
                    SELECT id FROM plain WHERE minX <= \(inner[0].minimum) AND maxX >= \(inner[0].maximum)
                    AND minY <= \(inner[1].minimum) AND maxY >= \(inner[1].maximum)
                    """)
                func keys(_ condition: SpatialCondition) throws -> Set<Int64> {
                    Set(try connection.entries(condition).map(\.id))
                }
                #expect(try keys(table.overlapping(area)) == Set(overlapping), "seed \(seed)")
                #expect(try keys(table.within(area)) == Set(within), "seed \(seed)")
                #expect(try keys(table.containing(inner)) == Set(containing), "seed \(seed)")
            }
        }
    }

    /// No rounding loses an entry, however many digits the coordinates have.
    @Test(arguments: [4, 5]) func noConditionMissesAnEntry(_ seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let table = SpatialTable("intervals", dimensions: "x")
        try connection.create(table)
        for scale in [1e-42, 1e-30, 1, 1e6, 1e38] {
            for _ in 0..<500 {
                let ends = [Double.random(in: -1...1, using: &generator), Double.random(in: -1...1, using: &generator)]
                    .map { $0 * scale }.sorted()
                let box = SpatialBox(ends[0]...ends[1])
                let id = try connection.insert(box, into: table)
                for condition in [table.overlapping(box), table.within(box), table.containing(box)] {
                    let found = try connection.entries(condition.and("id = \(id)"))
                    #expect(found.count == 1, "seed \(seed): \(box) by \(condition.sql.text)")
                }
            }
        }
    }
}
