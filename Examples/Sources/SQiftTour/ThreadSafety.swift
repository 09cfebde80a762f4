import SQiftCompatibility

func connectionQueue() throws {
    let queue = try ConnectionQueue(connection: Connection(storageLocation: .onDisk("path_to_db")))

    try queue.execute { connection in
        try connection.execute("PRAGMA foreign_keys = true")
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)")
    }

    try queue.executeInTransaction { connection in
        try connection.execute("INSERT INTO cars VALUES(1, 'Audi', 52642)")
        try connection.execute("INSERT INTO cars VALUES(2, 'Mercedes', 57127)")
    }

    let count: Int = try queue.execute { connection in try connection.query("SELECT count(*) FROM cars") }
    print("cars: \(count)")

    // SQift's README omits the label.
    try queue.executeInSavepoint(named: "drop_cars_table") { connection in
        try connection.execute("DROP TABLE cars")
    }
}

func connectionPool() throws {
    _ = try garage()
    let pool = ConnectionPool(storageLocation: .onDisk("path_to_db"))

    try pool.execute { connection in
        let count: Int = try connection.query("SELECT count(*) FROM cars")
        print("cars: \(count)")
    }
}

func database() throws {
    let database = try Database(storageLocation: .onDisk("path_to_db"))

    try database.executeWrite { connection in
        try connection.execute("PRAGMA foreign_keys = true")
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)")
    }

    try database.executeRead { connection in
        let count: Int = try connection.query("SELECT count(*) FROM cars")
        print("cars: \(count)")
    }
}

func tableLockPolicy() throws {
    let storageLocation = StorageLocation.onDisk("path_to_db")
    let connection = try Connection(storageLocation: storageLocation, tableLockPolicy: .poll(0.01))
    let database = try Database(storageLocation: .onDisk("path_to_db"), tableLockPolicy: .poll(0.01))

    print(connection.tableLockPolicy)
    print(try database.executeRead { $0.tableLockPolicy })
}
