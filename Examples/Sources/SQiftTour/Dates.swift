import Foundation
import SQiftCompatibility

func dates() throws {
    let connection = try Connection(storageLocation: .onDisk("path_to_db"))

    let date1975: Date! = bindingDateFormatter.date(from: "1975-06-01T00:00:00.000")
    let date1983: Date! = bindingDateFormatter.date(from: "1983-06-01T00:00:00.000")
    let date1992: Date! = bindingDateFormatter.date(from: "1992-06-01T00:00:00.000")
    let date2001: Date! = bindingDateFormatter.date(from: "2001-06-01T00:00:00.000")

    try connection.execute(
        "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, release_date TEXT)"
    )

    try connection.run("INSERT INTO cars(name, release_date) VALUES(?, ?)", "70s car", date1975)
    try connection.run("INSERT INTO cars(name, release_date) VALUES(?, ?)", "80s car", date1983)
    try connection.run("INSERT INTO cars(name, release_date) VALUES(?, ?)", "90s car", date1992)
    try connection.run("INSERT INTO cars(name, release_date) VALUES(?, ?)", "00s car", date2001)

    let date1980: Date! = bindingDateFormatter.date(from: "1980-01-01T00:00:00.000")
    let date2000: Date! = bindingDateFormatter.date(from: "2000-01-01T00:00:00.000")

    let carCount: Int = try connection.query(
        "SELECT count(*) FROM cars WHERE release_date >= date(?) AND release_date <= date(?)",
        date1980,
        date2000
    )

    print("Total Cars from the 80s and 90s: \(carCount)")  // should equal 2

    let sql: SQL = "SELECT release_date FROM cars WHERE name = ? LIMIT 1"
    let releaseDate: Date = try connection.query(sql, "80s car")

    print(bindingDateFormatter.string(from: releaseDate))
}
