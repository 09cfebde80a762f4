import SQiftCompatibility

func multipleRows() throws {
    let db = try garage()

    let names: [String] = try db.query("SELECT name FROM cars")
    let cars: [Car] = try db.query("SELECT * FROM cars WHERE price > ?", [20_000])

    print(names)
    cars.forEach { print($0) }

    let sql: SQL = "SELECT name, price FROM cars WHERE price > ?"
    let prices: [String: UInt] = try db.query(sql, 20_000) { ($0[0], $0[1]) }

    for (name, price) in prices.sorted(by: { $0.key < $1.key }) { print("\(name): \(price)") }
}
