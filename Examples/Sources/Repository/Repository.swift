import Foundation
import Squall

// Code of a program for any record, table or result: records that are read once, tables of one shape, changes and reports that are data
// of the program, and what can be read of a damaged file.

struct Part: TableRecord, Equatable {
    let id: Int
    let name: String
    let price: Int?

    static let table = parts(named: "parts")

    /// A table of parts; there is another one for each year.
    static func parts(named name: String) -> Table<Part, Int, (Int, String, Int?)> {
        Table(name, Part.init) {
            Column("id", \Part.id, .primaryKey)
            Column("name", \Part.name)
            Column("price", \Part.price)
        }
    }
}

func repository() throws {
    let connection = try Connection()
    try connection.create(Part.table)
    try connection.insert(
        contentsOf: [
            Part(id: 1, name: "wheel", price: 900), Part(id: 2, name: "bell", price: nil),
            Part(id: 3, name: "chain", price: 1_400),
        ])
    try readOnce(connection)
    try archive(connection)
    try applyChanges(connection)
    try runReports(connection)
    try search(connection)
    try salvage(connection)
}

private func readOnce(_ connection: Connection) throws {
    print("# Records that are read once")
    let cache = RecordCache<Part>(connection)
    var statements = 0
    let observer = connection.addProfileObserver { _ in statements += 1 }
    for key in [1, 3, 1, 1, 9, 9] { print(try cache.record(key)?.name ?? "none", terminator: " ") }
    observer.cancel()
    print("by \(statements) statements")
}

private func archive(_ connection: Connection) throws {
    print("\n# Tables of one shape")
    let lastYear = Part.parts(named: "parts_2025")
    try connection.create(lastYear)
    let archive = Archive(Part.table, kept: lastYear, on: connection)
    print("\(try archive.move { $0.price == nil }) moved, \(try archive.current.count()) left")
    print("in \(lastYear.definition.name): \(try archive.all().map(\.name))")
    try archive.bringBack()
    print("brought back: \(try archive.current.count())")
}

private func applyChanges(_ connection: Connection) throws {
    print("\n# Changes as data")
    let changes = [
        Change(column: "name", value: "golden bell"), Change(column: "price", value: "5 * id" as SQL),
        Change(column: "price", value: nil),
    ]
    for change in changes {
        try change.apply(to: "parts", 2, on: connection)
        for row in try connection.query("SELECT * FROM parts WHERE id = 2") as [Row] { print(row) }
    }
}

private func runReports(_ connection: Connection) throws {
    print("\n# Reports as data")
    let dear = Report(title: "dear parts", sql: "SELECT name FROM parts WHERE price > ?", values: [1_000])
    let prices = Report(
        title: "prices", sql: "SELECT name, price FROM parts WHERE name LIKE :name", values: ["name": "%l%"])
    let count = Report(title: "unpriced", sql: "SELECT count(*) FROM parts WHERE price IS NULL", values: [])
    print(dear.title, try dear.list(on: connection) as [String])
    print(count.title, try count.result(on: connection) as Int)
    let table: [String: Int?] = try prices.result(on: connection)
    print(prices.title, table.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value ?? 0)" })
}

private func search(_ connection: Connection) throws {
    print("\n# A search as data")
    for search in [Search(), Search(name: "e", prices: 0...1_000), Search(name: "e", ids: [2, 3])] {
        let sql = search.sql(from: "parts")
        let parts: [String] = try connection.query(sql) { try $0.get("name") }
        print("\(sql.text) with \(sql.parameters.count) values: \(parts.joined(separator: ", "))")
    }
}

private func salvage(_ connection: Connection) throws {
    print("\n# A damaged file")
    try connection.execute("CREATE TABLE days(day); INSERT INTO days VALUES('2026-11-28'), ('soon'), (NULL), (x'00')")
    let days = try Salvage<Date>("SELECT day FROM days", on: connection)
    print("\(days.records.count) read, \(days.emptyRows) empty")
    for error in days.errors { print(error) }
}
