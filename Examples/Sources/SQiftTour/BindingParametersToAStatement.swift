import SQiftCompatibility

func bindingParametersToAStatement() throws {
    let connection = try Connection(storageLocation: .onDisk("path_to_db"))

    // Without a primary key, because SQift's README stores the same car each time.
    try connection.execute("CREATE TABLE cars(id INTEGER, name TEXT, price INTEGER)")

    try connection.prepare("INSERT INTO cars VALUES(?, ?, ?)").bind(1, "Audi", 52_642).run()
    try connection.prepare("INSERT INTO cars VALUES(:id, :name, :price)")
        .bind([":id": 1, ":name": "Audi", ":price": 52_642]).run()

    try connection.run("INSERT INTO cars VALUES(?, ?, ?)", 1, "Audi", 52_642)
    try connection.run(
        "INSERT INTO cars VALUES(:id, :name, :price)", [":id": 1, ":name": "Audi", ":price": 52_642])

    try connection.forEach("SELECT * FROM cars") { print($0) }
}
