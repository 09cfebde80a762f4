import Squall
import SquallChanges

/// Foreign keys to UNIQUE columns that are not the primary key, in tables of the feature: below an undo history, in a hub and a
/// replica, where the children follow their parents, and in two peers.
final class UniqueParent: FeatureParts {
    private let suffix: String
    private var history: UndoHistory?
    /// The code of the group in the database.
    private var code = "first"
    /// The code to which a row refers that does not belong to the history.
    private var guest: String?
    private var number = 0
    /// The hub and the replica, from the first step on that needs them.
    private var sides: [LoggedSide] = []
    /// The peers, from the first step on that needs them.
    private var peers: PendingDeletion?
    private var codes = [1: "one", 2: "two"]
    /// The members by their keys, with the group and the text.
    private var members = [1: (group: 1, text: "first"), 2: (group: 1, text: "second"), 3: (group: 2, text: "third")]

    init(_ suffix: String) { self.suffix = suffix }

    private var groups: String { "groups_\(suffix)" }
    private var guests: String { "guests_\(suffix)" }

    /// Only this process knows the rows of the tables.
    func configure(_ settings: inout WorldSettings) { settings.allowsProcesses = false }

    var canResume: Bool { false }

    var ownTables: [String] { [groups, guests] }

    func setUp(_ world: World) throws {
        // The update changes one of the two columns.
        try run(
            world,
            """
            CREATE TABLE \(groups)(id INTEGER PRIMARY KEY, kind INTEGER, code TEXT, UNIQUE(kind, code)); \
            CREATE TABLE \(guests)(kind INTEGER, code TEXT, FOREIGN KEY(kind, code) REFERENCES \(groups)(kind, code)); \
            INSERT INTO \(groups) VALUES(1, 7, 'first'), (2, 7, 'other')
            """)
    }

    func start(_ world: World) throws {
        world.declare("groupHistory_\(suffix)", "UndoHistory")
        world.log("groupHistory_\(suffix) = try UndoHistory(db, tables: [\"\(groups)\"])")
        history = try UndoHistory(world.database, tables: [groups])
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        number += 1
        switch dice.number(below: 5) {
        case 0, 1: try undo(world, &dice)
        case 2, 3: try changeSides(world, &dice)
        default:
            if peers == nil { peers = try PendingDeletion(suffix, world) }
            try peers?.step(number, world, &dice)
        }
        try world.check()
    }

    // MARK: - Undoing

    /// Undoes an update of the code. A row that refers to the new code is in its way.
    private func undo(_ world: World, _ dice: inout Dice) throws {
        let (old, new) = (code, "code \(number)")
        try run(world, "UPDATE \(groups) SET code = '\(new)' WHERE id = 1")
        code = new
        if dice.once(in: 2) {
            try run(world, "INSERT INTO \(guests) VALUES(7, '\(new)')")
            guest = new
            world.log("_ = try? groupHistory_\(suffix).blocking.undo()")
            do {
                _ = try history?.blocking.undo()
                throw Violation(description: "an undo has taken the code to which a row refers")
            } catch let error as UndoConflictError {
                try require(error.conflicts.map(\.kind) == [.foreignKey], "the conflicts of an undo: \(error)")
            }
            try world.check()
            if dice.once(in: 2) { try requireDeletion(world) }
            try run(world, "DELETE FROM \(guests)")
            guest = nil
        }
        world.log("_ = try groupHistory_\(suffix).blocking.undo()")
        try require(history?.blocking.undo() == true, "an undo that nothing refers to has not moved")
        code = old
    }

    /// A statement is refused as the undo is.
    private func requireDeletion(_ world: World) throws {
        do {
            try world.database.blocking.write { try $0.run("DELETE FROM \(name: groups) WHERE id = 1") }
            throw Violation(description: "a code was deleted to which a row refers")
        } catch ResultCode.constraintForeignKey {}
    }

    private func run(_ world: World, _ sql: String) throws {
        world.log("try db.blocking.write { try $0.execute(\"\(sql)\") }")
        try world.database.blocking.write { try $0.execute("\(raw: sql)") }
    }

    // MARK: - Merging

    private func makeSides(_ world: World) throws {
        let definition = """
            CREATE TABLE codes(id INTEGER PRIMARY KEY, code TEXT UNIQUE); \
            CREATE TABLE members(id INTEGER PRIMARY KEY, code TEXT REFERENCES codes(code) ON UPDATE CASCADE, text TEXT)
            """
        sides = try [("hub", SyncLog.Role.hub), ("replica", .replica)].map {
            try LoggedSide("\($0)_of_codes_\(suffix)", $1, ["codes", "members"], definition, world)
        }
        let rows = codes.map { "INSERT INTO codes VALUES(\($0), '\($1)')" } + members.map(insertion)
        try sides[1].record(rows.joined(separator: "; "), world)
        try exchange(world)
    }

    /// Changes a code at one side, which changes the members with it, and a member at one side: neither is a conflict of the other.
    private func changeSides(_ world: World, _ dice: inout Dice) throws {
        if sides.isEmpty { try makeSides(world) }
        var statements: [[String]] = [[], []]
        let (first, second) = (dice.number(below: 2), dice.number(below: 2))
        let group = dice.choice(of: [1, 2])
        guard let old = codes[group], let member = dice.element(of: members.keys.sorted()) else { return }
        statements[first].append("UPDATE codes SET code = 'code \(number)' WHERE id = \(group)")
        statements[second].append("UPDATE members SET text = 'text \(number)' WHERE id = \(member)")
        if dice.once(in: 2) { statements[second].reverse() }
        codes[group] = "code \(number)"
        members[member]?.text = "text \(number)"
        if first == 1, dice.once(in: 3), members.count < 20 {
            // A member that only the hub has, with the code of before. A replica's would be without its parent at the hub.
            let id = 10 + number
            statements[0].append("INSERT INTO members VALUES(\(id), '\(old)', 'new')")
            members[id] = (group, "new")
        }
        for (side, statements) in statements.enumerated() where !statements.isEmpty {
            try sides[side].record(statements.joined(separator: "; "), world)
        }
        // The replica makes its changes again.
        if dice.once(in: 2) { try merge(into: 1, world) }
        try exchange(world)
        for side in sides {
            try require(
                side.connection.query("\(raw: Self.query)"), equals: rows, "codes and members of the \(side.log.role)")
        }
    }

    private func insertion(_ id: Int, _ member: (group: Int, text: String)) -> String {
        "INSERT INTO members VALUES(\(id), '\(codes[member.group] ?? "")', '\(member.text)')"
    }

    private func exchange(_ world: World) throws {
        try merge(into: 0, world)
        try merge(into: 1, world)
    }

    /// Merges the changes of the other side, without a conflict.
    private func merge(into index: Int, _ world: World) throws {
        let side = sides[index]
        let report = try side.merge(sides[1 - index], world)
        try require(
            report.conflicts.isEmpty, "codes of one side are a conflict at the \(side.log.role): \(report.conflicts)")
    }

    /// The query of the rows of a side as texts.
    private static let query = """
        SELECT 'code ' || id || ' ' || code FROM codes UNION ALL \
        SELECT 'member ' || id || ' ' || ifnull(code, '-') || ' ' || text FROM members ORDER BY 1
        """

    private var rows: [String] {
        let texts =
            codes.map { "code \($0) \($1)" } + members.map { "member \($0) \(codes[$1.group] ?? "") \($1.text)" }
        return texts.sorted()
    }

    // MARK: - Checking

    var swift: FeatureSwift {
        FeatureSwift(
            expectations: sides.map { "#expect(try \($0.name).query(\"\(Self.query)\") == \(rows))" }
                + (peers?.expectations ?? []))
    }

    func check(_ connection: Connection, _ model: Model) throws {
        let codes: [String] = try connection.query("SELECT code FROM main.\(name: groups) ORDER BY id")
        try require(codes == [code, "other"], "the codes are \(codes), and not \(code)")
        let found: [String] = try connection.query("SELECT code FROM main.\(name: guests)")
        try require(found == [guest].compactMap(\.self), "the guests are \(found)")
    }

    func stop() { history = nil }
}
