import Squall

/// The trains of yesterday: another table of the same record.
private let archive = Table("old_trains", Train.init) {
    Column("id", \Train.id, .primaryKey)
    Column("destination", \Train.destination)
    Column("minute", \Train.minute)
    Column("track", \Train.track)
}

/// Moves the trains that have left from one table to another.
private func move(
    from today: Connection.TableAccess<Train, Int64>, to past: Connection.TableAccess<Train, Int64>
) throws -> [Train] {
    let delayed = try today.updateReturning(set: { $0.minute.set(to: $0.minute + 10) }, where: { $0.track == nil })
    for train in delayed { print("  the train to \(train.destination) waits for a track") }
    let gone = try today.deleteReturning { $0.minute < 10 }
    try past.insert(contentsOf: gone)
    return gone
}

func keepOldDepartures(_ database: Database) async throws {
    print("The archive:")
    let moved = try await database.write { connection in
        try connection.create(archive)
        try connection.insert(Train(id: 4, destination: "Rome", minute: 3, track: nil))
        return try move(from: connection.table(Train.table), to: connection.table(archive))
    }
    for train in moved { print("  the train to \(train.destination) has left from track \(train.track ?? 0)") }
}
