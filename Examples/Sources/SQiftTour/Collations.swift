import Foundation
import SQiftCompatibility

func collations() throws {
    let storageLocation = StorageLocation.inMemory

    let connection = try Connection(storageLocation: storageLocation)

    let numeric: Connection.Collation = { lhs, rhs in
        return lhs.compare(rhs, options: .numeric, locale: .autoupdatingCurrent)
    }
    connection.createCollation(named: "NUMERIC", collate: numeric)

    // `values` is an SQL keyword, so the README's table of that name needs quotes.
    try connection.execute("CREATE TABLE \"values\"(text TEXT COLLATE 'NUMERIC' NOT NULL)")

    let values = ["string 1", "string 21", "string 12", "string 11", "string 02"]

    try values.forEach { try connection.run("INSERT INTO \"values\"(text) VALUES(?)", $0) }
    let extractedValues: [String] = try connection.query("SELECT * FROM \"values\" ORDER BY text")

    for value in extractedValues { print("\"\(value)\"") }
}
