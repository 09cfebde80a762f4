import SQiftCompatibility

struct Car {
    let name: String
    let type: String
    let price: UInt
}

extension Car: ExpressibleByRow {
    init(row: Row) throws {
        guard
            let name: String = row[0],
            let type: String = row[1],
            let price: UInt = row[2]
        else {
            throw ExpressibleByRowError(type: Car.self, row: row)
        }

        self.name = name
        self.type = type
        self.price = price
    }
}

func expressibleByRowTypes() throws {
    let db = try garage()

    let car: Car? = try db.query("SELECT name, type, price FROM cars WHERE type = ? LIMIT 1", "Sedan")

    if let car { print(car) }

    do {
        let car: Car? = try db.query("SELECT name, type, NULL AS price FROM cars LIMIT 1")
        print(car ?? "no car")
    } catch let error as ExpressibleByRowError {
        print(error)
    }
}
