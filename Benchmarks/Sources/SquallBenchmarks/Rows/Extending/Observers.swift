import GRDB
import Squall

// 100,000 inserts of three values in one transaction with an update observer, beside the same without one, which stands in
// the column of C.

extension Benchmark {
    static let observers = [
        Benchmark(name: "update-observer", toC: 1.10) { fixtures in
            let writing = Writing(
                row: "update-observer",
                create: "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)",
                check: "SELECT id, name, price FROM cars"
            )
            @Sendable func insert(_ connection: Connection) throws {
                try connection.transaction {
                    let statement = try connection.prepare("INSERT INTO cars VALUES(?, ?, ?)")
                    for id in 1...scaled(100_000) { try statement.bind(id, "Mercedes", 50_000 + id).run() }
                }
            }
            return writing.cells(
                fixtures,
                inPlaceOfC: { try insert($0) },
                squall: { connection in
                    var letters = 0
                    connection.addUpdateObserver { _, _, table, _ in letters += table?.utf8.count ?? 0 }
                    try insert(connection)
                    guard letters == scaled(400_000) else { throw Failure("\(letters) letters seen") }
                },
                grdb: { queue in
                    let observer = Observer()
                    queue.add(transactionObserver: observer)
                    try queue.write { database in
                        let statement = try database.makeStatement(sql: "INSERT INTO cars VALUES(?, ?, ?)")
                        for id in 1...scaled(100_000) {
                            try statement.execute(arguments: [id, "Mercedes", 50_000 + id])
                        }
                    }
                    guard observer.letters == scaled(400_000) else { throw Failure("\(observer.letters) letters seen") }
                }
            )
        }
    ]
}

private final class Observer: TransactionObserver {
    var letters = 0

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: GRDB.DatabaseEvent) { letters += event.tableName.utf8.count }
    func databaseDidCommit(_ database: GRDB.Database) {}
    func databaseDidRollback(_ database: GRDB.Database) {}
}
