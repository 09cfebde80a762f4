import SQiftCompatibility

func transactions() throws {
    let connection = try Connection(storageLocation: .onDisk("path_to_db"))

    try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)")

    // SQift's README has `INSERT IN`. If any error occurs within the transaction, all changes are rolled back.
    do {
        try connection.transaction {
            try connection.prepare("INSERT INTO cars VALUES(?, ?, ?)").bind(1, "Audi", 52642).run()
            try connection.prepare("INSERT IN cars VALUES(?, ?, ?)").bind(2, "Mercedes", 57127).run()
        }
    } catch {
        let count: Int = try connection.query("SELECT count(*) FROM cars")
        print("\(error)\ncars: \(count)")
    }

    try connection.transaction {
        try connection.prepare("INSERT INTO cars VALUES(?, ?, ?)").bind(1, "Audi", 52642).run()
        try connection.prepare("INSERT INTO cars VALUES(?, ?, ?)").bind(2, "Mercedes", 57127).run()
    }

    let count: Int = try connection.query("SELECT count(*) FROM cars")
    print("cars: \(count)")
}
