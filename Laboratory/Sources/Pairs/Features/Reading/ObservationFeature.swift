import Foundation
import Squall

/// The rows of `items`, observed as values or as differences that are applied to a copy.
///
/// Beside values, each object of the file is observed, whatever feature has made it. Beside differences, these are observed: reads of the
/// common tables in many forms, views that join by the names of columns, and a table of an attached file.
final class ObservationFeature: FeatureParts {
    private let observesDifferences: Bool
    /// Whether another `Database` of the same file observes.
    private let isInOther: Bool
    private var other: Database?
    private var task: Task<Void, Never>?
    private let observed = Observed()
    private let suffix: String
    /// `nil` where another `Database` observes, for which each commit may have changed anything.
    private var reads: ObservedReads?

    init(_ suffix: String, differences: Bool, inOther isInOther: Bool = false) {
        (self.suffix, observesDifferences, self.isInOther) = (suffix, differences, isInOther)
    }

    /// The name of an attached file, which all connections of the database have.
    private var attached: String { "watched_\(suffix)" }

    /// Whether there are views that join by the names of columns: what reads a view depends on everything then.
    private var joinsByName: Bool { observesDifferences }

    func configure(_ settings: inout WorldSettings) {
        if !joinsByName { return }
        let (path, name) = ("\(settings.folder)/\(attached).db", attached)
        settings.swift.databasePreparation.append(
            """
            try c.attachDatabase(from: .onDisk("\\(folder)/\(name).db"), withName: "\(name)")
            """)
        settings.databasePreparations.append { try $0.attachDatabase(from: .onDisk(path), withName: name) }
        let definition = """
            PRAGMA \(name).journal_mode = WAL; \
            CREATE TABLE IF NOT EXISTS \(name).lines_\(suffix)(id INTEGER PRIMARY KEY, text TEXT, rest TEXT)
            """
        settings.swift.writerPreparation.append("try c.execute(\"\(definition)\")")
        settings.writerPreparations.append { try $0.execute("\(raw: definition)") }
    }

    /// Reads of the attached file.
    private var attachedReads: [ObjectRead] {
        if !joinsByName { return [] }
        let lines = "\(attached).lines_\(suffix)"
        return [
            ObjectRead("an attached table", listing: "SELECT text AS v FROM \(lines)"),
            ObjectRead("a count of an attached table", "SELECT count(*) FROM lines_\(suffix)"),
            ObjectRead(
                "an attached table beside the rows",
                "SELECT count(*) FROM main.items JOIN \(lines) AS l ON l.id % 3 = part WHERE l.text <> name"),
        ]
    }

    /// Reads through views.
    private var viewReads: [ObjectRead] {
        let count = ObjectRead("a count of a view", "SELECT count(*) FROM main.again_\(suffix)")
        if !joinsByName { return [count] }
        return [
            count,
            ObjectRead("a view with USING", listing: "SELECT v FROM main.titled_\(suffix)"),
            ObjectRead("a view with NATURAL", listing: "SELECT v FROM main.natural_\(suffix)"),
            ObjectRead("a view of a view", listing: "SELECT v FROM main.again_\(suffix)"),
        ]
    }

    private var definition: String {
        let titles = "(SELECT id AS owner, name AS title FROM authors)"
        let joined =
            joinsByName
            ? """
            CREATE VIEW titled_\(suffix) AS SELECT hex(name) || title AS v FROM items JOIN \(titles) USING(owner); \
            CREATE VIEW natural_\(suffix) AS SELECT hex(name) || title AS v FROM items NATURAL JOIN \(titles); \
            CREATE VIEW again_\(suffix) AS SELECT v || '.' AS v FROM titled_\(suffix) WHERE v <> ''
            """
            : """
            CREATE VIEW titled_\(suffix) AS SELECT hex(i.name) || ifnull(a.name, '-') AS v, i.stars AS stars \
            FROM items AS i LEFT JOIN authors AS a ON a.id = i.owner WHERE i.part < 2; \
            CREATE VIEW again_\(suffix) AS SELECT v || '.' AS v FROM titled_\(suffix) WHERE stars > 0
            """
        return joined
    }

    func setUp(_ world: World) throws {
        if isInOther { return }
        world.log("try db.blocking.write { try $0.execute(\"\(definition)\") }")
        try world.database.blocking.write { try $0.execute("\(raw: definition)") }
    }

    func start(_ world: World) throws {
        if !isInOther {
            reads = ObservedReads(joinsByName ? .forms : .objects, attachedReads, viewReads, seed: world.folder)
        }
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
        try world.write([change(world, &dice)], nil, &dice)
        defer { reads?.move() }
        if !joinsByName { return }
        // A column that only some of the reads have.
        let line =
            dice.once(in: 2)
            ? "INSERT INTO \(attached).lines_\(suffix)(text) VALUES('line')"
            : "UPDATE \(attached).lines_\(suffix) SET \(dice.choice(of: ["text", "rest"])) = 'changed' || id"
        world.log("try db.blocking.write { try $0.run(\"\(line)\") }")
        try world.database.blocking.write { try $0.run("\(raw: line)") }
        try world.check()
    }

    /// Returns a change of one column, which some reads do not have in their result, or of the notes of several rows.
    private func change(_ world: World, _ dice: inout Dice) -> Change {
        guard var row = dice.element(of: world.model.rows) else { return .mark(part: 0) }
        switch dice.number(below: 8) {
        case 0, 1: row.owner = dice.element(of: world.model.authors.keys.filter { $0 != row.owner }.sorted())
        case 2: row.stars = dice.choice(of: [0, 7, 1_000_000])
        case 3: row.code = nil
        case 4: row.seen = Date(timeIntervalSince1970: Double(dice.number(below: 4_000_000_000)))
        case 5: row.price = dice.choice(of: [nil, 0.5, 2.5])
        case 6:
            if let owner = dice.element(of: world.model.authors.keys.sorted()) { return .renameAuthor(owner) }
        default: return .mark(part: row.part)
        }
        return .update(row, dice.once(in: 2) ? .record : .sql)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws {
        try observed.wait(for: world.model)
        try reads?.check(world)
    }

    func stop() {
        task?.cancel()
        task = nil
        reads?.stop()
        reads = nil
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
        let end = Patience.shared.end
        while true {
            if let failure { throw Violation(description: failure) }
            let found = rows.sorted { $0.id < $1.id }
            if found == expected.rows { return }
            if !Patience.shared.wait(condition, until: end) {
                try require(
                    found.map(\.fingerprint), equals: expected.rows.map(\.fingerprint), "rows that an observer was told"
                )
            }
        }
    }
}
