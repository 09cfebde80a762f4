import Squall
import Foundation
import Testing

struct Car: Decodable, Equatable { let id: Int; let name: String; let price: Int? }
struct RCar: ExpressibleByRow { let name: String; init(row: Row) throws { name = try row.get("name") } }
enum DownloadState: Int { case pending, downloading, downloaded, failed }
extension DownloadState: Binding {
    typealias BindingType = Int64
    var bindingValue: BindingValue { return .integer(Int64(rawValue)) }
    static func fromBindingValue(_ value: Any) -> DownloadState? {
        guard let value = value as? Int64, let rawValue = Int(exactly: value) else { return nil }
        return DownloadState(rawValue: rawValue)
    }
}
struct Employee: CodableBinding { let id: Int64; let firstName: String }
enum Fuel2: String, Binding { case a, b }

@Test func smoke() throws {
    let c = try Connection()
    try c.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)")
    try c.run("INSERT INTO cars VALUES(?, ?, ?)", 1, "Audi", 52_642)
    try c.run("INSERT INTO cars VALUES(:id, :name, :price)", [":id": 2, ":name": "Bentley", ":price": 57_127])
    try c.prepare("INSERT INTO cars VALUES(?, ?, ?)").bind(3, "Saab", nil).run()
    let limit = 20_000
    let names: [String] = try c.query("SELECT name FROM cars WHERE price > \(limit)")
    #expect(names == ["Audi", "Bentley"])
    let cars: [Car] = try c.query("SELECT * FROM cars")
    #expect(cars == [Car(id: 1, name: "Audi", price: 52642), Car(id: 2, name: "Bentley", price: 57127), Car(id: 3, name: "Saab", price: nil)])
    let car: Car? = try c.query("SELECT * FROM cars WHERE id = 77")
    #expect(car == nil)
    let count: Int = try c.query("SELECT count(*) FROM cars")
    #expect(count == 3)
    let maybe: Int? = try c.query("SELECT price FROM cars WHERE id = 99")
    #expect(maybe == nil)
    let prices: [String: UInt?] = try c.query("SELECT name, price FROM cars") { ($0[0], $0[1]) }
    #expect(prices["Audi"] == 52642)
    let row = try c.query("SELECT * FROM cars LIMIT 1")
    #expect(row?.description == "[1, 'Audi', 52642]")
    let rows: [Row] = try c.query("SELECT * FROM cars")
    #expect("\(rows)" == "[[1, 'Audi', 52642], [2, 'Bentley', 57127], [3, 'Saab', NULL]]")
    var kept: [Row] = []
    try c.forEach("SELECT * FROM cars") { kept.append($0) }
    #expect(kept.map { $0["name"] as String } == ["Audi", "Bentley", "Saab"])
    let ids = [1, 3]
    let some: [RCar] = try c.query("SELECT * FROM cars WHERE id IN \(in: ids)")
    #expect(some.map(\.name) == ["Audi", "Saab"])
    try c.run("CREATE TABLE d(x)")
    try c.run("INSERT INTO d VALUES(?)", DownloadState.failed)
    let st: DownloadState = try c.query("SELECT x FROM d")
    #expect(st == .failed)
    if let st: DownloadState? = try c.query("SELECT x FROM d") { #expect(st == .failed) }
    try c.run("UPDATE d SET x = ?", Employee(id: 1, firstName: "Phil"))
    if let e: Employee? = try c.query("SELECT x FROM d") { #expect(e?.firstName == "Phil") }
    try c.run("UPDATE d SET x = ?", Fuel2.b)
    #expect(try c.query("SELECT x FROM d") == "b")
    try c.run("UPDATE d SET x = ?", [UInt8]([1,2,3]))
    let blob: Data = try c.query("SELECT x FROM d")
    #expect(blob == Data([1,2,3]))
    let b2: [UInt8] = try #require(try c.query("SELECT x FROM d")?[0])
    #expect(b2 == [1,2,3])
    print(c.statementCache)
    let now = Date()
    try c.run("UPDATE d SET x = ?", now)
    print(try c.query("SELECT x, julianday(x) FROM d") as Any)
    let arr = [1,2]
    #expect(throws: SQLiteError.self) { let _: [Int] = try c.query("SELECT \(arr)") }
    do { try c.run("selct * from cars") } catch let e as SQLiteError { print(e, e.location as Any) }
    do { let _: Int = try c.query("SELECT name FROM cars") } catch { print(error) }
    let t = try c.transaction { try c.run("DELETE FROM cars"); return 5 }
    #expect(t == 5)
}
