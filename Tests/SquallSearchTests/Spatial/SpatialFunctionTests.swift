import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Spatial functions, which R*Trees call during a search.
@Suite(.enabled(if: SQLiteFeatures.spatialTables))
struct SpatialFunctionTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.create(boxes)
        // A grid of 100 × 100 points.
        var grid: [(id: Int64, box: SpatialBox)] = []
        for index in 0..<10_000 {
            let (y, x) = index.quotientAndRemainder(dividingBy: 100)
            grid.append((id: Int64(index), box: .point(Double(x), Double(y))))
        }
        try connection.insert(contentsOf: grid, into: boxes)
    }

    private struct Failure: Error, Equatable {
        let id: Int64?
    }

    private static func circle(_ x: Double, _ y: Double, _ radius: Double) -> Connection.SpatialTest {
        let centre = SpatialBox.point(x, y)
        return { candidate in
            if candidate.parentVisibility == .inside { return .inside }
            if candidate.box.distance(to: centre) > radius { return .outside }
            return candidate.box.greatestDistance(to: centre) <= radius ? .inside : .partlyInside
        }
    }

    @Test func aFunctionFindsTheEntriesOfARegion() throws {
        try connection.addSpatialFunction("circle") { (x: Double, y: Double, radius: Double) in
            Self.circle(x, y, radius)
        }
        let found: Set<Int64> = try connection.query("SELECT id FROM \(boxes) WHERE id MATCH circle(50, 40, 12.5)")
        var expected: Set<Int64> = []
        for index in 0..<10_000 {
            let (y, x) = index.quotientAndRemainder(dividingBy: 100)
            if (x - 50) * (x - 50) + (y - 40) * (y - 40) <= 156 { expected.insert(Int64(index)) }
        }
        #expect(found == expected)
        let entries = try connection.entries(boxes.matching("circle", 50, 40, 12.5).and("minX < \(41)"))
        #expect(Set(entries.map(\.id)) == found.filter { $0 % 100 < 41 })
    }

    @Test func aPartOfTheTreeThatIsOutsideIsNotSearched() throws {
        var (calls, entries, makings) = (0, 0, 0)
        var highest = 0
        try connection.addSpatialFunction("corner") { (size: Double) in
            makings += 1
            return { candidate in
                calls += 1
                if candidate.isEntry { entries += 1 }
                highest = max(highest, candidate.highestLevel)
                #expect(candidate.dimensionCount == 2)
                #expect((candidate.id == nil) == (candidate.level > 0))
                return candidate.box.overlaps(SpatialBox(0...size, 0...size)) ? .partlyInside : .outside
            }
        }
        #expect(try connection.entries(boxes.matching("corner", 2)).count == 9)
        #expect(makings == 1 && highest > 0)
        #expect(calls < 2000 && entries < calls)
    }

    /// The nearest entries are found without reading the others.
    @Test func scoresDetermineTheOrder() throws {
        var calls = 0
        try connection.addSpatialFunction("near") { (x: Double, y: Double) in
            let centre = SpatialBox.point(x, y)
            return { candidate in
                calls += 1
                let distance = candidate.box.distance(to: centre)
                #expect(candidate.parentScore <= distance || candidate.level == candidate.highestLevel - 1)
                return .partlyInside(score: distance)
            }
        }
        let nearest = try connection.entries(boxes.matching("near", 20.2, 30.1), limit: 3)
        #expect(nearest.map(\.id) == [3020, 3021, 3120])
        #expect(calls < 2000)
        let distances = try connection.entries(boxes.matching("near", 20.2, 30.1)).map {
            $0.box.distance(to: .point(20.2, 30.1))
        }
        #expect(distances.count == 10_000 && distances == distances.sorted())
    }

    @Test func argumentsAreConvertedLikeThoseOfFunctions() throws {
        try connection.addSpatialFunction("named") { (name: String, bytes: [UInt8]?, value: BindingValue) in
            #expect(name == "a\0b" && bytes == nil && value == .integer(3))
            return { $0.id == 7 || !$0.isEntry ? .inside : .outside }
        }
        #expect(try connection.entries(boxes.matching("named", "a\0b", nil, 3)).map(\.id) == [7])
        try connection.addSpatialFunction("one") { (x: Double) in { _ in .inside } }
        let error = try sqliteError { _ = try connection.entries(boxes.matching("one", "text")) }
        #expect(error.message.hasPrefix("one(), argument 1: expected Double, found TEXT"))
        #expect(error.resultCode == .mismatch)
        let count = try sqliteError { _ = try connection.entries(boxes.matching("one", 1, 2)) }
        #expect(count.message == "one(): expected 1 arguments, found 2")
        try connection.addSpatialFunction("all") { { _ in .inside } }
        #expect(try connection.entries(boxes.matching("all")).count == 10_000)
    }

    @Test func anErrorIsThrownOnWithItsType() throws {
        try connection.addSpatialFunction("fail") { (id: Int64) in
            { candidate in
                if candidate.id == id { throw Failure(id: id) }
                return .inside
            }
        }
        #expect(throws: Failure(id: 77)) { try connection.entries(boxes.matching("fail", 77)) }
        #expect(try connection.entries(boxes.matching("fail", -1)).count == 10_000)
        try connection.addSpatialFunction("refuse") { (code: Int64) -> Connection.SpatialTest in
            throw SQLiteError(code: Int32(code), message: "refused")
        }
        for code: Int64 in [1, 5, 9, 100, 101, 17, 0] {
            let error = try sqliteError { _ = try connection.entries(boxes.matching("refuse", code)) }
            #expect(error.message == "refused")
        }
    }

    @Test func aScoreIsNotNegative() throws {
        try connection.addSpatialFunction("score") { (score: Double?) in { _ in .inside(score: score ?? .nan) } }
        for score in [-1, nil] as [Double?] {
            #expect(
                try errorKind { _ = try connection.entries(boxes.matching("score", score)) }
                    == .problem(SpatialProblem.invalidScore(function: "score")))
        }
    }

    @Test func aFunctionMayReadButNotChangeWhatIsSearched() throws {
        var kinds: [SQLiteError.Kind] = []
        var codes: [ResultCode] = []
        try connection.addSpatialFunction("use") { [unowned connection] in
            { candidate in
                if candidate.id == 1 {
                    #expect(try connection.query("SELECT count(*) FROM boxes") == 10_000)
                    do { try connection.addFunction("f") { 1 } } catch let error as SQLiteError {
                        kinds.append(error.kind)
                    }
                    do { try connection.run("DELETE FROM boxes") } catch let error as SQLiteError {
                        codes.append(error.resultCode)
                    }
                }
                return .inside
            }
        }
        #expect(try connection.entries(boxes.matching("use")).count == 10_000)
        #expect(kinds == [.problem(FunctionProblem.changedDuringCall(name: "f"))])
        #expect(codes == [.locked])
    }

    @Test func aSearchWithinItselfEnds() throws {
        try connection.addSpatialFunction("deep") { [unowned connection] in
            { _ in
                _ = try connection.entries(boxes.matching("deep"))
                return .inside
            }
        }
        let error = try sqliteError { _ = try connection.entries(boxes.matching("deep")) }
        #expect(error.message == "deep() is called from within itself too often")
    }

    @Test func aFunctionThatClosesTheConnectionEndsTheQuery() throws {
        try connection.addSpatialFunction("close") { [unowned connection] in
            { _ in
                connection.close()
                return .inside
            }
        }
        #expect(throws: SQLiteError.self) { try connection.entries(boxes.matching("close")) }
        #expect(connection.isClosed)
    }

    private final class Tracker {
        let ended: () -> Void

        init(_ ended: @escaping () -> Void) { self.ended = ended }

        deinit { ended() }
    }

    @Test func closuresAreReleasedWithTheQueryAndWithTheFunction() throws {
        var ended: [String] = []
        func add() throws {
            let function = Tracker { ended.append("function") }
            try connection.addSpatialFunction("tracked") {
                withExtendedLifetime(function) {}
                let query = Tracker { ended.append("query") }
                return { _ in
                    withExtendedLifetime(query) {}
                    return .inside
                }
            }
        }
        try add()
        _ = try connection.entries(boxes.matching("tracked"))
        try connection.run("SELECT 1")
        try connection.removeFunction(named: "tracked", argumentCount: -1)
        #expect(ended.sorted() == ["function", "query"])
        #expect(throws: SQLiteError.self) { try connection.entries(boxes.matching("tracked")) }
        #expect(
            try errorKind { try connection.addSpatialFunction("a\0b") { { _ in .inside } } }
                == .nulCharacter(in: .functionName))
        let name = String(repeating: "a", count: 256)
        #expect(
            try errorKind { try connection.addSpatialFunction(name) { { _ in .inside } } }
                == .problem(FunctionProblem.nameTooLong(byteCount: 256)))
    }

    @Test func aConditionWithinOrNeedsOthersOnTheKey() throws {
        try connection.addSpatialFunction("every") { { _ in .inside } }
        let error = try sqliteError { try connection.run("SELECT id FROM boxes WHERE id MATCH every() OR minX > 3") }
        let count: Int = try connection.query(
            "SELECT count(*) FROM boxes WHERE \(boxes.matching("every")) OR id = 3")
        #expect(count == (try connection.entries(of: boxes).count))
        #expect(error.message == "unable to use function MATCH in the requested context")
    }
}
