import Squall
import SquallSearch

// The tables of every cell's database.

struct Item: TableRecord, Decodable, Equatable, Sendable {
    var id: Int64?
    var name: String
    var price: Int

    static let table = Table("items", Item.init) {
        Column("id", \Item.id, .primaryKey)
        Column("name", \Item.name)
        Column("price", \Item.price)
    }

    static let parts = Part.item.inverse()

    static let searchTable = SearchTable("items_search", of: table, columns: \.name)
}

struct Part: TableRecord, Equatable, Sendable {
    var id: Int64?
    var owner: Int64

    static let table = Table("parts", Part.init) {
        Column("id", \Part.id, .primaryKey)
        Column("item", \Part.owner)
    }

    /// Relation<Part, Item?>
    static let item = Relation(\Part.owner, to: \Item.id)
}

/// A table with the columns of ``Item``.
struct Copy: TableRecord, Equatable, Sendable {
    var id: Int64?
    var name: String
    var price: Int

    static let table = Table("copies", Copy.init) {
        Column("id", \Copy.id, .primaryKey)
        Column("name", \Copy.name)
        Column("price", \Copy.price)
    }
}

/// A table that the database does not have.
struct Planned: TableRecord {
    var id: Int64?

    static let table = Table("planned", Planned.init) {
        Column("id", \Planned.id, .primaryKey)
    }
}

enum Content {
    static let boxes = SpatialTable("boxes", dimensions: "x", "y")
    static let box = SpatialBox(0...2, 1...3)

    static let expected = ExpectedSchema(
        sqliteVersion: "3.40.1",
        tables: [.init("items", [.init("id", "INTEGER", isNotNull: true), .init("name", "TEXT", isNotNull: false)])])

    static let schema = Schema("laboratory") {
        Version(1) {
            CreateTable("migrated") { ColumnDef("id", Int64.self, .primaryKey) }
        }
    }

    static func fill(_ connection: Connection) throws {
        try connection.create(Item.table)
        try connection.create(Part.table)
        try connection.create(Copy.table)
        try connection.create(Item.searchTable)
        try connection.create(boxes)
        try connection.execute("CREATE TABLE files(id INTEGER PRIMARY KEY, content BLOB NOT NULL)")
        try connection.execute("CREATE TABLE droppable(id INTEGER PRIMARY KEY, name TEXT)")
        try connection.execute("CREATE INDEX droppable_name ON droppable(name)")
        try connection.execute("CREATE TABLE notes(id TEXT PRIMARY KEY NOT NULL, text TEXT, updated_at INTEGER)")
        try connection.insert(contentsOf: (1...20).map { Item(id: $0, name: "item \($0)", price: Int($0)) })
        try connection.insert(contentsOf: (1...20).map { Part(id: $0, owner: $0 % 5 + 1) })
        for id in 1...3 { try connection.run("INSERT INTO files VALUES(?, zeroblob(100))", id) }
        try connection.insert(box, id: 1, into: boxes)
    }
}
