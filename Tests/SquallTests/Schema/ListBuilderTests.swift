import Squall
import SquallTestSupport
import Testing

/// `if`, `else`, `switch` and `for` in every list that a closure makes.
struct ListBuilderTests {
    struct Car: TableRecord {
        let id: Int64?
        let name: String
        let price: Int

        static let table = Table("cars", Car.init) {
            Column("id", \Car.id, .primaryKey)
            Column("name", \Car.name)
            Column("price", \Car.price)
        }
    }

    private func schema(_ isLong: Bool, _ extra: [String]) -> Schema {
        Schema("s") {
            Version(1) {
                CreateTable("t") {
                    if isLong {
                        ColumnDef("id", Int64.self, .primaryKey)
                    } else {
                        ColumnDef("id", String.self, .primaryKey)
                    }
                    for name in extra { ColumnDef(name, Int?.self) }
                    switch extra.count {
                    case 0: ColumnDef("none", Int?.self)
                    default: ColumnDef("many", Int?.self)
                    }
                }
                for name in extra { CreateIndex("by_\(name)", on: "t", IndexedColumn(name)) }
            }
            if isLong {
                Version(2) {
                    AlterTable("t") {
                        if extra.isEmpty { AddColumn("late", String?.self) } else { RenameColumn("many", to: "late") }
                        for name in extra { AddColumn(name + "2", Int?.self) }
                    }
                }
            } else {
                Version(2) { DropTable("t") }
            }
        }
    }

    @Test func definitionsAndSteps() throws {
        var connection = try Connection(":memory:")
        try schema(true, ["a", "b"]).migrate(connection)
        #expect(try connection.tableInfo("t")?.columns.map(\.name) == ["id", "a", "b", "late", "a2", "b2"])
        #expect(try connection.tableInfo("t")?.indexes.map(\.name) == ["by_a", "by_b"])
        connection = try Connection(":memory:")
        try schema(true, []).migrate(connection)
        #expect(try connection.tableInfo("t")?.columns.map(\.name) == ["id", "none", "late"])
        connection = try Connection(":memory:")
        try schema(false, []).migrate(connection)
        #expect(try connection.tableInfo("t") == nil)
    }

    @Test(arguments: [true, false]) func orderAndUpdate(_ isByPrice: Bool) throws {
        let connection = try Connection(":memory:")
        try connection.create(Car.table)
        try connection.insert(contentsOf: [Car(id: nil, name: "b", price: 1), Car(id: nil, name: "a", price: 2)])
        let names = try connection.all(
            Car.order {
                if isByPrice { $0.price.ascending } else { $0.name.ascending }
                if isByPrice { $0.id.descending }
            }
        ).map(\.name)
        #expect(names == (isByPrice ? ["b", "a"] : ["a", "b"]))
        try connection.update(Car.self) {
            if isByPrice { $0.price.set(to: 9) } else { $0.name.set(to: "z") }
            if !isByPrice { $0.price.set(to: 8) }
        } where: {
            $0.name == "a"
        }
        let row: [String] = try connection.query("SELECT name, price FROM cars WHERE id = 2") { $0.valuesText }
        #expect(row == [isByPrice ? "['a', 9]" : "['z', 8]"])
    }

    @Test func aPartOfALaterSystem() throws {
        let schema = Schema("s") {
            Version(1) {
                CreateTable("t") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { ColumnDef("late", Int?.self) }
                }
            }
        }
        let connection = try Connection()
        try schema.migrate(connection)
        #expect(try connection.tableInfo("t")?.columns.first?.name == "id")
        #if os(Linux)
            #expect(try connection.tableInfo("t")?.columns.map(\.name) == ["id", "late"])
        #endif
    }
}
