import Squall

/// The part of the database that the loudspeaker speaks of. Other columns of the trains do not matter to it.
private let spoken: DatabaseRegion = .table("trains", columns: "track")

func followChanges(_ database: Database) async throws {
    print("The loudspeaker:")
    let changes: DatabaseChanges = database.changes(in: spoken)
    var iterator = changes.makeAsyncIterator()

    // A write of this program: the rows are known. A change of the minute is not reported.
    try await database.write { try $0.run("UPDATE trains SET minute = 4") }
    try await database.write { try $0.run("UPDATE trains SET track = 8 WHERE id = 1") }
    if let change = await iterator.next() { try await announce(change, database) }

    // A write of another program: anything may have changed.
    let other = try Connection("station.db")
    try other.run("UPDATE trains SET track = 9")
    if let change = await iterator.next() { try await announce(change, database) }
}

private func announce(_ change: DatabaseChange, _ database: Database) async throws {
    guard let ids = change.rowIDs("trains") else {
        return print("  new tracks\(change.isExternal ? ", from the signal box" : ""): see the board")
    }
    let trains = try await database.read { try $0.find(Train.self, keys: ids) }
    for train in trains { print("  the train to \(train.destination) leaves from track \(train.track ?? 0)") }
}
