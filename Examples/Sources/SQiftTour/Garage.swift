import SQiftCompatibility

/// The database for the chapters on queries.
func garage() throws -> Connection {
    let connection = try Connection(storageLocation: .onDisk("path_to_db"))
    try connection.execute("CREATE TABLE cars(name TEXT, type TEXT, price INTEGER)")
    try connection.execute(
        """
        INSERT INTO cars VALUES('Audi', 'Sedan', 52642);
        INSERT INTO cars VALUES('Skoda', 'Wagon', 19000);
        INSERT INTO cars VALUES('Mercedes', 'Coupe', 57128);
        """)
    return connection
}
