import Squall

/// The window of a clerk, which shows a value while it is read, and an error with a button to try again.
@MainActor final class Screen {
    let departures: Live<Int>

    init(_ values: ObservedValues<Int>) { departures = Live(values) }

    var text: String {
        if departures.isLoading { return "reading …" }
        if departures.error != nil {
            return "the timetable cannot be read, the last number was \(departures.value ?? 0)"
        }
        return "departures: \(departures.value ?? 0)"
    }

    func tryAgain() { departures.restart() }

    /// Waits for a text, as a person does.
    func wait(for text: String) async {
        while self.text != text { await Task.yield() }
        print("  \(text)")
    }
}

/// Prints values until one satisfies a condition.
private func follow(_ values: ObservedValues<Int>, until isLast: (Int) -> Bool) async throws {
    for try await value in values {
        print("  tracks in use: \(value)")
        if isLast(value) { break }
    }
}

func followValues(_ database: Database) async throws {
    print("The signal box:")
    try await follow(database.observe("SELECT count(DISTINCT track) FROM trains", as: Int.self)) { $0 > 0 }
}

@MainActor func followOnScreen(_ database: Database) async throws {
    print("A screen:")
    let screen = Screen(database.observe("SELECT count(*) FROM trains", as: Int.self))
    print("  \(screen.text)")
    await screen.wait(for: "departures: 1")
    try await database.write { try $0.execute("ALTER TABLE trains RENAME TO hidden") }
    await screen.wait(for: "the timetable cannot be read, the last number was 1")
    try await database.write {
        try $0.execute("ALTER TABLE hidden RENAME TO trains; INSERT INTO trains VALUES(3, 'Oslo', 30, 2)")
    }
    screen.tryAgain()
    await screen.wait(for: "departures: 2")
}
