import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Typed queries with conditions on an R*Tree.
@Suite(.enabled(if: SQLiteFeatures.spatialTables))
struct SpatialQueryTests {
    private struct Place: TableRecord, Equatable {
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

    @Test func aConditionOnATreeIsATermOfATypedCondition() throws {
        let connection = try Connection(":memory:")
        try connection.create(Place.table)
        try connection.create(boxes)
        try connection.createTriggers(for: boxes, following: "places", bounds: [("x", "x"), ("y", "y")])
        try connection.insert(contentsOf: (0..<100).map { Place(id: $0, name: "p\($0 % 2)", x: Double($0), y: 1) })
        let area = SpatialBox(10...13, 0...2)
        let query = Place.where { $0.id.isIn(boxes.overlapping(area)) && $0.name == "p1" }
        #expect(try connection.all(query).map(\.id) == [11, 13])
        #expect(
            query.sql.text.hasSuffix(
                """
                WHERE "places"."id" IN (SELECT "boxes"."id" FROM "boxes" WHERE "boxes"."minX" <= ? AND "boxes"."maxX" >= ? \
                AND "boxes"."minY" <= ? AND "boxes"."maxY" >= ?) AND "places"."name" = ?
                """), "\(query.sql.text)")
        #expect(try connection.count(Place.self) { $0.id.isIn(boxes.within(area)) } == 4)
    }
}
