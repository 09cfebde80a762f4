import Squall
import SquallTestSupport
import Testing

/// The verbs for the records of a declared table that is not the table of their type.
struct TableAccessTests {
    private let connection: Connection
    private static let corners = Table("corners", Point.self) {
        Column("x", \Point.x, .primaryKey)
        Column("y", \Point.y, .primaryKey)
        Column("label", \Point.label)
    }
    private var table: Connection.TableAccess<Point, Int> { connection.table(Self.corners) }
    private let few = [Point(x: 1, y: 1, label: "a"), Point(x: 2, y: 1, label: "b"), Point(x: 3, y: 1)]

    init() throws {
        connection = try Connection()
        try connection.create(points)
        try connection.create(Self.corners)
        try table.insert(contentsOf: few)
    }

    @Test func twoTablesHaveRecordsOfOneType() throws {
        try connection.table(points).insert(Point(x: 9, y: 9))
        #expect(try connection.table(points).count() == 1)
        #expect(try table.all() == few)
        #expect(try connection.query("SELECT label FROM corners WHERE x = 2") == "b")
    }

    @Test func recordsAreRead() throws {
        #expect(try table.all { $0.x > 1 } == [few[1], few[2]])
        #expect(try table.first { $0.label == "" } == few[2])
        #expect(try table.find(2, 1) == few[1])
        #expect(try table.find(key: 2, 2) == nil)
        #expect(try table.count { $0.label != "" } == 2)
        #expect(try table.exists { $0.x == 3 } && !table.exists { $0.x == 4 })
        var labels: [String] = []
        try table.forEach(where: { $0.x < 3 }) { labels.append($0.label) }
        try table.forEach { labels.append($0.label) }
        #expect(labels == ["a", "b", "a", "b", ""])
    }

    @Test func recordsAreReadByNames() throws {
        #expect(try table.all("SELECT label, y, x FROM corners WHERE x > ?", 1) == [few[1], few[2]])
        #expect(try table.first("SELECT * FROM corners WHERE label = :label", ["label": "b"]) == few[1])
        var rows = try table.rows("SELECT * FROM corners WHERE x IN (?, ?) ORDER BY x", [3, 1])
        #expect(try rows.next() == few[0])
        #expect(try rows.next() == few[2])
        #expect(try rows.next() == nil)
    }

    @Test func aggregates() throws {
        #expect(try table.min(\.x) == 1 && table.max(\.x) == 3)
        #expect(try table.sum(\.x) { $0.x < 3 } == 3)
        #expect(try table.total(\.x) == 6 && table.average(\.x) == 2)
        #expect(try table.groupConcat(\.label, separator: "-") == "a-b-")
    }

    @Test func recordsAreWritten() throws {
        #expect(try table.insert(few[0], orIgnore: true) == nil)
        #expect(try table.insertReturning(Point(x: 4, y: 1, label: "d")).label == "d")
        try table.prepareInsert().run(Point(x: 5, y: 1, label: "e"))
        try table.replace(Point(x: 5, y: 1, label: "f"))
        #expect(try table.update(Point(x: 1, y: 1, label: "A")))
        #expect(try table.update(Point(x: 3, y: 1, label: "C"), \.label))
        let changed = try table.update {
            $0.label.set(to: "left")
        } where: {
            $0.x < 3
        }
        #expect(changed == 2)
        let returned = try table.updateReturning {
            $0.label.set(to: "right")
        } where: {
            $0.x == 3
        }
        #expect(returned == [Point(x: 3, y: 1, label: "right")])
        #expect(try table.delete(Point(x: 4, y: 1)))
        #expect(try table.deleteReturning { $0.x == 5 } == [Point(x: 5, y: 1, label: "f")])
        #expect(try table.delete { $0.x == 3 } == 1)
        #expect(try table.all().map(\.label) == ["left", "left"])
    }

    @Test func anotherTableGivesTheValues() throws {
        try connection.table(points).insert(Point(x: 2, y: 1, label: "new"))
        let count = try table.update(from: points) { corner, point in
            corner.label.set(to: point.label)
        } where: { corner, point in
            corner.x == point.x && corner.y == point.y
        }
        #expect(count == 1)
        #expect(try table.find(2, 1)?.label == "new")
    }
}
