import Testing

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

    /// Returns the phase of an observer of a query after a write.
    static func phase(
        of query: SQL, after write: SQL, with tables: SQL = "", usesPreUpdateHook: Bool = true
    ) async throws -> ObservationState.Phase {
        let cars = try ObservedDatabase(tables)
        _ = cars.database.companions.companion { ObservationCenter(usesPreUpdateHook: usesPreUpdateHook) }
        var values = cars.database.observe { try $0.query(query) as [Int64] }.makeAsyncIterator()
        _ = try await values.next()
        #expect(cars.phase == .watching)
        try? cars.write(write)
        return withExtendedLifetime(values) { cars.phase }
    }
}
