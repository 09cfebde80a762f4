import Squall

/// A departure.
struct Train: TableRecord, Equatable {
    let id: Int64
    let destination: String
    var minute: Int
    var track: Int?

    static let table = Table("trains", Train.init) {
        Column("id", \Train.id, .primaryKey)
        Column("destination", \Train.destination)
        Column("minute", \Train.minute)
        Column("track", \Train.track)
    }
}

/// The timetable of the station.
struct Timetable {
    let database: Database

    func add(_ trains: Train...) async throws { try await database.write { try $0.insert(contentsOf: trains) } }

    /// Changes a train as a clerk does who has seen it before. Only the columns that differ are written.
    func change(_ train: Train, _ body: (inout Train) -> Void) async throws {
        var changed = train
        body(&changed)
        let outcome = try await database.write { [changed] in try $0.update(changed, changedFrom: train) }
        let news: UpdateOutcome = outcome
        switch news {
        case .updated: break
        case .unchanged: print("  (\(train.destination) is as before)")
        case .missing: print("  (\(train.destination) has left)")
        }
    }

    func remove(_ train: Train) async throws { try await database.write { _ = try $0.delete(train) } }
}
