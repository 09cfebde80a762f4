import Squall

/// The lines of a board with flaps: only those that differ are turned.
struct Board {
    private var lines: [Int64: String] = [:]

    mutating func turn(_ difference: ElementDifference<Train>) {
        for train in difference.removed {
            print("  - \(lines[train.id] ?? "")")
            lines[train.id] = nil
        }
        for train in difference.inserted { turn(train, "+") }
        for train in difference.updated { turn(train, "~") }
        if difference.elements.isEmpty { print("  no departures") }
    }

    private mutating func turn(_ train: Train, _ sign: String) {
        lines[train.id] = "\(train.destination) in \(train.minute) min\(train.track.map { ", track \($0)" } ?? "")"
        print("  \(sign) \(lines[train.id] ?? "")")
    }
}

func followDifferences(_ database: Database) async throws {
    let timetable = Timetable(database: database)
    let differences: ObservedDifferences<[Train], ElementDifference<Train>> = database.observeDifferences(keyedBy: \.id)
    {
        try $0.all(Train.order { $0.minute })
    }
    var (board, iterator) = (Board(), differences.makeAsyncIterator())
    func turn() async throws {
        if let difference = try await iterator.next() { board.turn(difference) }
    }
    print("The board:")
    try await turn()

    let night = Train(id: 1, destination: "Berlin", minute: 5, track: nil)
    let local = Train(id: 2, destination: "Bern", minute: 9, track: 4)
    try await timetable.add(night, local)
    try await turn()
    try await timetable.change(night) { $0.track = 7 }
    try await turn()
    try await timetable.change(local) { $0.track = 4 }
    try await timetable.remove(local)
    try await turn()
    try await timetable.change(local) { $0.minute = 20 }
}
