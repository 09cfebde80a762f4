import Foundation
import Squall

let path = "orders.db"
let lastID = 30

/// A row of the table that is shown.
struct City: ExpressibleByRow, Equatable {
    let name: String
    let orders: Int
    let total: Int

    init(row: Row) throws {
        name = try row.get("city")
        orders = try row.get("orders")
        total = try row.get("total")
    }
}

/// Writes orders, one after the other. This is the work of the second process.
func writeOrders() throws {
    let connection = try Connection(path)
    for id in 1...lastID {
        let city = ["Helsinki", "Malmö", "Oslo"][id % 3]
        try connection.run("INSERT INTO orders VALUES(\(id), \(city), \(id * 10))")
        Thread.sleep(forTimeInterval: 0.01)
    }
}

/// Shows the orders of each city, until the last order has arrived. This is the work of the first process.
func showOrders() async throws {
    let database = try Database(path)
    try await database.write {
        try $0.execute("CREATE TABLE orders(id INTEGER PRIMARY KEY, city TEXT NOT NULL, price INTEGER NOT NULL)")
    }
    let cities = database.observe {
        try $0.query("SELECT city, count(*) AS orders, sum(price) AS total FROM orders GROUP BY city") as [City]
    }
    let table = Task {
        for try await cities in cities {
            show(cities)
            if cities.map(\.orders).reduce(0, +) == lastID { break }
        }
    }

    let writer = Process()
    writer.executableURL = Bundle.main.executableURL
    writer.arguments = ["writer"]
    // Without all orders, the table would wait forever.
    writer.terminationHandler = { if $0.terminationStatus != 0 { table.cancel() } }
    try writer.run()
    try await table.value
    writer.waitUntilExit()
    try await database.close()
}

/// Prints the table; in a terminal, in place of the one before.
func show(_ cities: [City]) {
    if isatty(1) == 1 { print("\u{1B}[H\u{1B}[J", terminator: "") }
    print(line("city", "orders", "total"))
    for city in cities { print(line(city.name, "\(city.orders)", "\(city.total)")) }
    print()
}

func line(_ name: String, _ orders: String, _ total: String) -> String {
    func right(_ text: String) -> String { String(repeating: " ", count: 8 - text.count) + text }
    return name.padding(toLength: 10, withPad: " ", startingAt: 0) + right(orders) + right(total)
}
