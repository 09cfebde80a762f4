import Squall

/// A database of cars, for the tests of observers.
package struct ObservedDatabase {
    package let directory: TemporaryDirectory
    package let database: Database

    package static let tables: SQL = """
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
        INSERT INTO cars VALUES(1, 'Audi', 50000), (2, 'Skoda', 9000), (3, 'Volvo', 29000);
        CREATE TABLE orders(id INTEGER PRIMARY KEY, car INTEGER);
        """

    package init(_ more: SQL = "") throws {
        directory = try TemporaryDirectory()
        database = try Database(directory.file("cars.db"))
        try database.blocking.writeWithoutTransaction {
            try $0.execute(Self.tables)
            try $0.execute(more)
        }
    }

    /// Runs a script with the writer, without a transaction around it.
    package func write(_ sql: SQL) throws { try database.blocking.writeWithoutTransaction { try $0.execute(sql) } }
}
