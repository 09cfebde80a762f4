import SQiftCompatibility

func executingStatements() throws {
    let connection = try Connection(storageLocation: .onDisk("path_to_db"))

    func printCars() throws {
        try connection.forEach("SELECT * FROM cars") { print($0) }
    }

    try connection.execute("PRAGMA foreign_keys = true")
    try connection.execute("PRAGMA journal_mode = WAL")

    let foreignKeys: Bool = try connection.query("PRAGMA foreign_keys")
    let journalMode: String = try connection.query("PRAGMA journal_mode")
    print("foreign keys: \(foreignKeys), journal mode: \(journalMode)")

    try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)")

    try connection.execute("INSERT INTO cars VALUES(1, 'Audi', 52642)")
    try connection.execute("INSERT INTO cars VALUES(2, 'Mercedes', 57127)")
    print("inserted:")
    try printCars()

    try connection.execute("UPDATE cars SET name = 'Honda' where id = 1")
    try connection.execute("UPDATE cars SET price = 61999 where name = 'Mercedes'")
    print("updated:")
    try printCars()

    try connection.execute("DELETE FROM cars where name = 'Mercedes'")
    print("deleted:")
    try printCars()

    try connection.execute("DROP TABLE cars")
    let tables: [String] = try connection.query("SELECT name FROM sqlite_schema")
    print("dropped, tables left: \(tables)")
}
