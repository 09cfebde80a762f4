import Foundation
import Squall

/// The names of `items`, observed as values or as differences that are applied to a copy.
final class ObservationFeature: FeatureParts {
    private let observesDifferences: Bool
    /// Whether another `Database` of the same file observes.
    private let isInOther: Bool
    private var other: Database?
    private var task: Task<Void, Never>?
    private let observed = Observed()

    init(differences: Bool, inOther isInOther: Bool = false) {
        (observesDifferences, self.isInOther) = (differences, isInOther)
    }

    func setUp(_ world: World) throws {}

    func start(_ world: World) throws {
        let (verbs, observed) = (world.verbs, observed)
        if isInOther, !world.settings.isInMemory { other = try world.openOther("observing") }
        let database = other ?? world.database
        world.declare("observed", "Task<Void, any Error>", end: "observed.cancel()")
        let call =
            observesDifferences
            ? "observeDifferences(keyedBy: \\.id) { try $0.table(items).all() }"
            : "observe { try $0.table(items).all() }"
        let subject = other == nil ? "db" : "observing"
        world.log(
            "observed = Task { [\(subject)] in let rows = \(subject)\(other == nil ? "" : "!").\(call); for try await _ in rows {} }"
        )
        observed.set([])
        // A look-up of one row, and then all rows, all of which are observed.
        let fetch: @Sendable (Connection) throws -> [ItemRow] = { connection in
            _ = try verbs.find(connection, [1])
            return try verbs.all(connection)
        }
        task = Task.detached { [observesDifferences] in
            do {
                if observesDifferences {
                    for try await difference in database.observeDifferences(keyedBy: \ItemRow.id, fetch) {
                        observed.apply(difference)
                    }
                } else {
                    for try await rows in database.observe(fetch) { observed.set(rows) }
                }
            } catch is CancellationError {
            } catch {
                observed.fail("the observation has ended: \(error)")
            }
        }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        try world.write([.mark(part: Int64(dice.number(below: 3)))], nil, &dice)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        try observed.wait(for: world.model)
    }

    func stop() {
        task?.cancel()
        task = nil
        try? other?.blocking.close()
        other = nil
    }
}

/// The rows that an observer was told.
///
/// Sendable, because a lock protects its state.
private final class Observed: @unchecked Sendable {
    private let condition = NSCondition()
    private var rows: [ItemRow] = []
    private var failure: String?

    private func change(_ body: () -> Void) {
        condition.lock()
        defer { condition.unlock() }
        body()
        condition.broadcast()
    }

    func set(_ new: [ItemRow]) { change { rows = new } }

    func fail(_ text: String) { change { failure = text } }

    /// Applies a difference to the copy.
    func apply(_ difference: ElementDifference<ItemRow>) {
        change {
            let gone = Set((difference.removed + difference.updated).map(\.id))
            rows = rows.filter { !gone.contains($0.id) } + difference.inserted + difference.updated
        }
    }

    /// Waits until the rows are those of the model.
    func wait(for expected: Model) throws {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: 10)
        while true {
            if let failure { throw Violation(description: failure) }
            let found = rows.sorted { $0.id < $1.id }
            if found == expected.rows { return }
            if !condition.wait(until: end) {
                try require(
                    found.map(\.fingerprint), equals: expected.rows.map(\.fingerprint), "rows that an observer was told"
                )
            }
        }
    }
}
