import Foundation
import Squall

/// The tables and rows that `changes(in:)` reports, which include all that were changed.
final class ChangeStream: FeatureParts {
    private var tasks: [Task<Void, Never>] = []
    private let (told, toldNotes, toldAll) = (ToldChanges(), ToldChanges(), ToldChanges())
    /// What was told of search tables, and of the table of the same name in an attached file.
    private var (toldWords, toldAttached) = ([String: ToldChanges](), [String: ToldChanges]())

    func setUp(_ world: World) throws {}

    func start(_ world: World) throws {
        world.log("// Tasks are inside for await change in db.changes(in: .table(\"items\"), .table(\"authors\"))")
        world.log("// and for await change in db.changes(in: .table(\"items\", columns: \"note\"))")
        let database = world.database
        tasks = [
            follow(database.changes(in: .table("items"), .table("authors")), told),
            follow(database.changes(in: .table("items", columns: "note")), toldNotes),
            // A name that no column has stands for all.
            follow(database.changes(in: .table("items", columns: "note", "unknown")), toldAll),
        ]
        for part in world.parts {
            for table in (part as? SearchFeature)?.tablesOfAllRows ?? [] {
                let told = ToldChanges()
                toldWords[table] = told
                tasks.append(follow(database.changes(in: .table(table)), told))
            }
            if let name = (part as? AttachedFile)?.name {
                let told = ToldChanges()
                toldAttached["\(name).items"] = told
                tasks.append(follow(database.changes(in: .table("items", database: name)), told))
            }
        }
    }

    /// Returns when the iteration has begun.
    private func follow(_ changes: DatabaseChanges, _ told: ToldChanges) -> Task<Void, Never> {
        let isReady = DispatchSemaphore(value: 0)
        let task = Task.detached {
            var iterator = changes.makeAsyncIterator()
            isReady.signal()
            while let change = await iterator.next() { told.add(change) }
        }
        isReady.wait()
        return task
    }

    func committed(_ commit: Commit, _ world: World) throws {
        let (before, after) = (commit.before, commit.after)
        func rows(_ isChanged: (ItemRow?, ItemRow?) -> Bool) -> Set<Int64> {
            Set(before.items.keys).union(after.items.keys).filter { isChanged(before.items[$0], after.items[$0]) }
        }
        let hasRowIDs = world.shape.hasRowIDKey
        let changed = rows { $0 != $1 }
        for told in [told, toldAll] where !changed.isEmpty { try told.wait(for: "items", hasRowIDs ? changed : []) }
        let noted = rows {
            ($0 == nil) != ($1 == nil) || $0?.note.map { Array($0.utf8) } != $1?.note.map { Array($0.utf8) }
        }
        // Another key than the rowid is a column, whose change leaves the notes as they are.
        let isNoted = hasRowIDs ? !noted.isEmpty : before.notes != after.notes
        if isNoted { try toldNotes.wait(for: "items", hasRowIDs ? noted : []) }
        if rows({ $0?.words != $1?.words }) != [] { for (table, told) in toldWords { try told.wait(for: table, []) } }
        if commit.origin == .surrounded { for (table, told) in toldAttached { try told.wait(for: table, []) } }
        let owners = Set(before.authors.keys).union(after.authors.keys).filter {
            before.authors[$0] != after.authors[$0]
        }
        if !owners.isEmpty { try told.wait(for: "authors", owners) }
        for told in [told, toldNotes, toldAll] + toldWords.values + toldAttached.values { told.forget() }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        try world.write([Change.random(world.model, world.shape, &dice)], nil, &dice)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func stop() {
        for task in tasks { task.cancel() }
        tasks = []
    }
}

extension ItemRow {
    /// The bytes of the columns that are searched.
    fileprivate var words: [[UInt8]?] { [Array(name.utf8), note.map { Array($0.utf8) }] }
}

extension Model {
    /// The notes of all rows by their bytes, with the number of rows of each.
    fileprivate var notes: [[UInt8]?: Int] {
        Dictionary(items.values.map { ($0.note.map { Array($0.utf8) }, 1) }, uniquingKeysWith: +)
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
        let end = Patience.shared.end
        while true {
            if tables.contains(table) {
                guard let known = rows[table] ?? [] else { return }
                if known.isSuperset(of: ids) { return }
            }
            if !Patience.shared.wait(condition, until: end) {
                throw Violation(
                    description:
                        "changes(in:) has reported \(tables), rows \(String(describing: rows[table])), but not \(ids.sorted()) of \(table)"
                )
            }
        }
    }
}
