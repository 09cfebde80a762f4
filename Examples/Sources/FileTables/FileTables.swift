import Foundation
import Squall

// Files as tables of SQL: the files of a folder, and a CSV file that is joined, aggregated and imported without code for it.

private let files = [
    "cars.csv": #"""
    name,price,owner
    Audi A4,34000,ada
    "Citroën ""2CV""",9500,grace
    Fiat 500,,ada

    """#,
    "owners.csv": """
    id,city
    ada,London
    grace,"Arlington, Virginia"

    """,
    "notes.txt": "Cars without a price are not for sale.\n",
]

func fileTables() throws {
    for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: name)) }

    let connection = try Connection()
    try connection.register(Folder.self, named: "folder")
    try connection.register(CSVFile.self, named: "csv", use: .created)

    print("files, the largest first")
    let found = try connection.query(
        "SELECT name, size FROM folder('.') WHERE name LIKE '%.csv' ORDER BY size DESC", as: (String, Int).self)
    for (name, size) in found { print("    \(name): \(size) bytes") }

    try connection.execute(
        """
        CREATE VIRTUAL TABLE temp.cars USING csv(file='cars.csv');
        CREATE VIRTUAL TABLE temp.owners USING csv(file='owners.csv');
        """)
    print("what everybody's cars cost")
    let costs = try connection.query(
        """
        SELECT city, count(price), sum(price) FROM cars JOIN owners ON owners.id = cars.owner
        GROUP BY city ORDER BY 3 DESC
        """, as: (String, Int, Int).self)
    for (city, count, sum) in costs { print("    \(city): \(count) for \(sum)") }

    // The file is read again by each statement.
    try Data("name,price,owner\nAudi A4,32000,grace\n".utf8).write(to: URL(filePath: "cars.csv"))
    try connection.execute(
        """
        CREATE TABLE stock(name TEXT NOT NULL, price INTEGER, owner TEXT);
        INSERT INTO stock SELECT name, price, owner FROM cars;
        """)
    print("imported after a change")
    for row in try connection.query("SELECT name, price FROM stock", as: (String, Int).self) {
        print("    \(row.0): \(row.1)")
    }

    do {
        try connection.run("SELECT * FROM folder('no such folder')")
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
        print("the error of the folder comes through SQL")
    }
}
