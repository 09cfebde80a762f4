import SQiftCompatibility

func multipleValues() throws {
    let db = try garage()

    if let row = try db.query("SELECT name, type, price FROM cars WHERE type = ? LIMIT 1", "Sedan") {
        let name: String = row[0]
        let type: String = row[1]
        let price: UInt = row[2]

        print("by index: \(name), \(type), \(price)")
    }

    if let row = try db.query("SELECT name, type, price FROM cars WHERE type = ? LIMIT 1", "Sedan") {
        let name: String = row["name"]
        let type: String = row["type"]
        let price: UInt = row["price"]

        print("by name: \(name), \(type), \(price)")
    }
}
