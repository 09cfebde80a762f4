@testable import Squall

/// A database of cars, for the tests of observers.
struct ObservedDatabase {
    let directory: TemporaryDirectory
    let database: Database

    static let tables: SQL = """
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
        INSERT INTO cars VALUES(1, 'Audi', 50000), (2, 'Skoda', 9000), (3, 'Volvo', 29000);
        CREATE TABLE orders(id INTEGER PRIMARY KEY, car INTEGER);
        """

    init(_ more: SQL = "") throws {
        directory = try TemporaryDirectory()
        database = try Database(directory.file("cars.db"))
        try database.executeWrite {
            try $0.execute(Self.tables)
            try $0.execute(more)
        }
    }

    /// Runs a script with the writer, without a transaction around it.
    func write(_ sql: SQL) throws { try database.executeWrite { try $0.execute(sql) } }

    /// The phase of the first observer. A write has published its changes when it returns.
    var phase: ObservationState.Phase { database.observationCenter.phase(of: 1) }
}
