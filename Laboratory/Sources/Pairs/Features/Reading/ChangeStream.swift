import Foundation
import Squall

/// The tables and rows that `changes(in:)` reports, which include all that were changed.
final class ChangeStream: FeatureParts {
    private var task: Task<Void, Never>?
    private let told = ToldChanges()

    func setUp(_ world: World) throws {}

    func start(_ world: World) throws {
        world.log("// A task is inside for await change in db.changes(in: .table(\"items\"), .table(\"authors\"))")
        let (database, told, isReady) = (world.database, told, DispatchSemaphore(value: 0))
        task = Task.detached {
            var iterator = database.changes(in: .table("items"), .table("authors")).makeAsyncIterator()
            isReady.signal()
            while let change = await iterator.next() { told.add(change) }
        }
        isReady.wait()
    }

    func committed(_ commit: Commit, _ world: World) throws {
        let (before, after) = (commit.before, commit.after)
        let rows = Set(before.items.keys).union(after.items.keys).filter { before.items[$0] != after.items[$0] }
        if !rows.isEmpty { try told.wait(for: "items", world.shape.hasRowIDKey ? rows : []) }
        let owners = Set(before.authors.keys).union(after.authors.keys).filter {
            before.authors[$0] != after.authors[$0]
        }
        if !owners.isEmpty { try told.wait(for: "authors", owners) }
        told.forget()
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        try world.write([Change.random(world.model, world.shape, &dice)], nil, &dice)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func stop() {
        task?.cancel()
        task = nil
    }
}

/// The changes that an iteration has reported since the last commit.
///
/// Sendable, because a lock protects its state.
private final class ToldChanges: @unchecked Sendable {
    private let condition = NSCondition()
    private var tables: Set<String> = []
    /// The rows of each table; `nil` if any may have changed.
    private var rows: [String: Set<Int64>?] = [:]

    func add(_ change: DatabaseChange) {
        condition.lock()
        defer { condition.unlock() }
        for table in change.tables {
            tables.insert(table)
            let known = rows[table] ?? []
            rows[table] = .some(change.rowIDs(table).flatMap { known?.union($0) })
        }
        condition.broadcast()
    }

    func forget() {
        condition.lock()
        defer { condition.unlock() }
        (tables, rows) = ([], [:])
    }

    /// Waits until a table and its rows were reported.
    func wait(for table: String, _ ids: Set<Int64>) throws {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: 10)
        while true {
            if tables.contains(table) {
                guard let known = rows[table] ?? [] else { return }
                if known.isSuperset(of: ids) { return }
            }
            if !condition.wait(until: end) {
                throw Violation(
                    description:
                        "changes(in:) has reported \(tables), rows \(String(describing: rows[table])), but not \(ids.sorted()) of \(table)"
                )
            }
        }
    }
}
