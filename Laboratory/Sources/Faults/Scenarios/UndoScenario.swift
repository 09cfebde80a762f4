import SquallChanges
import Squall

/// Undoing and redoing: a step is undone as a whole, or is still the next one.
struct UndoScenario: Scenario {
    var name: String { "undo and redo" }

    func prepare(_ connection: Connection) throws {
        try connection.execute(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT UNIQUE, price INTEGER);
            INSERT INTO cars VALUES(1, 'Audi', 10), (2, 'Saab', 20), (3, 'Fiat', 30);
            """
        )
    }

    func open(_ folder: String) async throws -> UndoHistory {
        let database = try Database("\(folder)/main.db", configuration: .laboratory())
        return try await UndoHistory(database, tables: ["cars"])
    }

    var steps: [Step<UndoHistory>] {
        [
            Step { history in
                try await history.write("Raise") { try $0.run("UPDATE cars SET price = price + 1") }
            },
            Step { history in
                try await history.database.write { try $0.run("DELETE FROM cars WHERE id = 2") }
            },
            Step { history in try expectMove(try await history.undo(), history.canUndo) },
            Step { history in try expectMove(try await history.undo(), history.canUndo) },
            Step { history in try expectMove(try await history.redo(), history.canRedo) },
            Step { history in try expectMove(try await history.redo(), history.canRedo) },
            Step { history in try expect(try await history.redo(), false) },
        ]
    }

    /// A transaction that cannot be recorded, for lack of memory, is committed, and is no step, as one of another connection.
    /// Nothing can be redone after it, and a step before it can conflict with it.
    private struct MissingStep: Error {}

    private func expectMove(_ hasMoved: Bool, _ hasMore: Bool) throws {
        if hasMoved { return }
        try expect(hasMore, false, "the existence of a step after one that is missing")
        throw MissingStep()
    }

    func expects(_ error: any Error, _ fault: Fault, _ failedCall: String) -> Bool {
        if error is MissingStep || error is UndoConflictError { return fault.isOfMemory }
        return fault.codes(failedCall).contains { $0 ~= error }
    }

    func use(_ history: UndoHistory, after fault: Fault) async throws {
        try await Probe.write(history.database)
        do {
            while try await history.redo() {}
            while try await history.undo() {}
        } catch is UndoConflictError where fault.isOfMemory {
            // As above: nothing is undone.
            return
        }
        let prices: [Int] = try await history.database.read { try $0.query("SELECT price FROM cars ORDER BY id") }
        let isKnown = [[10, 20, 30], [11, 21, 31], [11, 31]].contains(prices)
        try expect(isKnown, true, "the plausibility of the prices \(prices)")
        while try await history.redo() {}
    }

    func close(_ history: UndoHistory) async throws {
        try await history.database.close()
    }

    func problem(in content: [String], _ progress: Progress) -> String? {
        guard progress.isUsedAfterwards else { return progress.problem(in: content) }
        let changeCount = 2
        // What was undone can be redone, unless memory is missing for it.
        let isUndone = progress.completedSteps > changeCount
        if isUndone, progress.fault.isOfMemory, progress.expected.contains(content) { return nil }
        // `use` has redone everything: the file is as after the last step that changes something.
        var last = progress
        if isUndone { (last.completedSteps, last.mayBeCommitted) = (changeCount, false) }
        return last.problem(in: content)
    }
}
