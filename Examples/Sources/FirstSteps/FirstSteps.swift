import Squall

/// A record that reads its row field by field.
struct Car: ExpressibleByRow {
    let name: String
    let price: Int?

    init(row: Row) throws {
        name = try row.get("name")
        price = try row.get("price")
    }
}

/// A record whose properties have the names of the columns, without further code.
struct Summary: Decodable {
    let country: String
    let cars: Int
    let dearest: Int?
}

struct SoldTwice: Error {}

func firstSteps() throws {
    // Opens the file, or creates it.
    let connection = try Connection("cars.db")

    // Runs a script of any number of statements.
    try connection.execute(
        """
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, price INTEGER);
        CREATE INDEX cars_by_country ON cars(country);
        """)

    // Interpolated values are bound, never spliced: no value can break the SQL. `nil` is NULL.
    let stock: [(String, String, Int?)] = [
        ("Audi A4", "Germany", 52_642),
        ("Saab 900", "Sweden", 21_000),
        ("Bob's Volvo", "Sweden", nil),
        ("Škoda 120", "Czechia", 9_000),
    ]
    for (name, country, price) in stock {
        try connection.run("INSERT INTO cars(name, country, price) VALUES(\(name), \(country), \(price))")
    }
    print("The last car has the id \(connection.lastInsertRowID).")

    // The type on the left decides the result.
    let count: Int = try connection.query("SELECT count(*) FROM cars")
    let cheapest: Int? = try connection.query("SELECT min(price) FROM cars WHERE country = 'Japan'")
    print("\(count) cars, the cheapest Japanese one: \(cheapest.map(String.init) ?? "none")")

    let limit = 20_000
    let dear: [Car] = try connection.query("SELECT name, price FROM cars WHERE price > \(limit) ORDER BY price")
    for car in dear { print("\(car.name) is over \(limit)") }

    let summaries: [Summary] = try connection.query(
        "SELECT country, count(*) AS cars, max(price) AS dearest FROM cars GROUP BY country ORDER BY country"
    )
    for summary in summaries {
        print("\(summary.country): \(summary.cars), dearest: \(summary.dearest.map(String.init) ?? "unknown")")
    }

    // A list, and a column name that is known only at run time.
    let countries = ["Sweden", "Czechia"]
    let column = "name"
    let names: [String] = try connection.query(
        "SELECT name FROM cars WHERE country IN \(in: countries) ORDER BY \(name: column) DESC"
    )
    print(names.joined(separator: ", "))

    // Streams the rows one at a time, however many there are.
    try connection.forEach("SELECT * FROM cars WHERE price IS NULL") { row in print(row) }

    // All or nothing.
    do {
        try connection.transaction {
            try connection.run("DELETE FROM cars WHERE country = 'Sweden'")
            print("\(connection.changes) cars deleted …")
            throw SoldTwice()
        }
    } catch is SoldTwice {
        let count: Int = try connection.query("SELECT count(*) FROM cars")
        print("… and back: \(count) cars")
    }

    // An error has its SQL, and the position of the mistake.
    do {
        let _: [String] = try connection.query(
            """
            SELECT name
            FROM cars
            WHERE prise > \(limit)
            """)
    } catch let error as SQLiteError {
        print(error.message)
        if let location = error.location {
            print("  \(location.text)")
            print("  \(String(repeating: " ", count: location.prefix.count))^ line \(location.line)")
        }
    }

    // A value of another type than requested is an error too, never a guess.
    do {
        let name = "Bob's Volvo"
        let price: Int = try connection.query("SELECT price FROM cars WHERE name = \(name)")
        print(price)
    } catch {
        print(error)
    }
}
