import Squall
import SquallChanges

/// A hub with replicas, which write the same rows, or each its own columns and rows.
final class HubNetwork: Network {
    /// Whether no two sides write the same value.
    private let isDisjoint: Bool
    /// Whether all sides have the same defaults.
    private let hasEqualDefaults: Bool
    /// The values that a side has written, by the key and the position of the column.
    private var written: [NetworkKey: [Int: Set<String>]] = [:]
    private var deleted: Set<NetworkKey> = []
    /// The rows with a conflict.
    private var conflicted: Set<NetworkKey> = []
    private var hub: NetworkSide { sides[0] }

    init(_ name: String, _ world: World, _ dice: inout Dice) throws {
        let count = dice.once(in: 2) ? 3 : 2
        var form = NetworkForm(sideCount: count, &dice)
        isDisjoint = dice.once(in: 2)
        hasEqualDefaults = !dice.once(in: 3)
        // The replicas have the first rows before a side gets a new column.
        for index in 0..<count { form.sides[index].width = 0 }
        // A replica whose constraints forbid a row of its hub cannot merge.
        for index in 0..<count { form.sides[index].hasUniqueMarks = false }
        if hasEqualDefaults { for index in 1..<count { form.sides[index].defaults = form.sides[0].defaults } }
        let first =
            (0..<6).map { "INSERT INTO owners(id, name, mark, stamp) VALUES(\(form.key($0)), 'name \($0)', 0, 1)" }
            + (0..<3).map {
                "INSERT INTO cards(id, owner, text, stamp) VALUES(\(form.key($0)), \(form.key($0)), 'first', 1)"
            }
        try super.init(
            [.hub] + Array(repeating: .replica, count: count - 1), form,
            [first] + Array(repeating: [], count: count - 1), name, world)
        note(hub, Set(hub.rows.keys))
    }

    /// The side that writes a column, where each writes its own.
    private func writer(_ table: String, _ column: String) -> Int {
        switch (table, column) {
        case ("owners", "name"): 1
        case ("cards", "text"), ("cards", "owner"): sides.count - 1
        default: 0
        }
    }

    /// The keys that a side inserts.
    private func numbers(_ side: NetworkSide) -> [Int] {
        isDisjoint ? (0..<12).filter { $0 % sides.count == side.index } : Array(0..<8)
    }

    func run(_ dice: inout Dice) throws {
        try finish(&dice)
        if dice.once(in: 3) { try requireRefusals(hub, .replica) }
        for _ in 0...dice.number(below: 4) {
            if form.areWide, dice.once(in: 2) {
                let side = dice.once(in: 2) ? hub : dice.choice(of: sides)
                if form.sides[side.index].width < NetworkForm.newColumns.count { try widenAndFill(side, &dice) }
            }
            for side in sides where !dice.once(in: 3) { try write(side, &dice) }
            for _ in 0...dice.number(below: 2) {
                let replica = sides[1 + dice.number(below: sides.count - 1)]
                if dice.once(in: 2) { try exchange(replica, hub, &dice) } else { try exchange(hub, replica, &dice) }
            }
            if dice.once(in: 4) { try dice.choice(of: sides).reopen() }
            if dice.once(in: 4) { try finish(&dice) }
        }
        try finish(&dice)
    }

    private func write(_ side: NetworkSide, _ dice: inout Dice) throws {
        let (isDisjoint, index) = (isDisjoint, side.index)
        let changes = NetworkChanges(
            form: form, numbers: numbers(side), updates: { [self] in !isDisjoint || writer($0, $1) == index },
            time: { _ in nil })
        let names = NetworkForm.newColumns.dropFirst(form.sides[index].width).map { "\($0.name) =" }
        let drawn = (0...dice.number(below: 3)).compactMap { _ in changes.random(side.rows, &dice) }.filter { change in
            // A deletion meets the changes that others make of the row.
            !names.contains(where: change.contains)
                && !(isDisjoint && (change.contains("DELETE") || change.contains("SET id")))
        }
        note(side, try side.record(drawn, form))
        try side.check()
    }

    /// Gives a side a new column, and most often values in it.
    private func widenAndFill(_ side: NetworkSide, _ dice: inout Dice) throws {
        try widen(side)
        if dice.once(in: 4) || (isDisjoint && side !== hub) { return }
        let column = NetworkForm.newColumns[form.sides[side.index].width - 1].name
        let changes = ["owners", "cards"].map { "UPDATE \($0) SET \(column) = \(dice.number(below: 100))" }
        note(side, try side.record(changes, form))
    }

    private func note(_ side: NetworkSide, _ keys: Set<NetworkKey>) {
        for key in keys {
            guard let row = side.rows[key] else {
                deleted.insert(key)
                continue
            }
            for (column, value) in row.enumerated() { written[key, default: [:]][column, default: []].insert(value) }
        }
    }

    // MARK: - Exchanging

    private func exchange(_ sender: NetworkSide, _ receiver: NetworkSide, _ dice: inout Dice) throws {
        let old = kept.filter { $0.sender == sender.index && $0.variable.hasSuffix("_to\(receiver.index)") }
        if dice.once(in: 5), fits(sender, receiver), let old = dice.element(of: old) {
            logMerge(String(old.variable.dropLast(4)), receiver)
            return try merge(old.batch, sender, receiver)
        }
        if dice.once(in: 6), try refusesLaterPart(sender, receiver) { return }
        try exchange(sender, receiver)
    }

    private func exchange(_ sender: NetworkSide, _ receiver: NetworkSide) throws {
        let (batch, variable) = try batch(from: sender, for: receiver)
        guard fits(sender, receiver) else { return try requireRefusal(of: batch, receiver) }
        kept.append((batch, "\(variable)_to\(receiver.index)", sender.index, [:]))
        logMerge(variable, receiver)
        try merge(batch, sender, receiver)
    }

    /// Requires that a batch is refused whose beginning the receiver does not have.
    private func refusesLaterPart(_ sender: NetworkSide, _ receiver: NetworkSide) throws -> Bool {
        let first = try sender.batch(since: receiver.cursor(of: sender), limit: 1)
        let second = try sender.batch(since: first.cursor)
        guard fits(sender, receiver), !first.isEmpty, !second.isEmpty else { return false }
        try requireRefusal(of: second, receiver, "a batch without the one before it") { problem in
            if case .missingEntries = problem { true } else { false }
        }
        return true
    }

    private func merge(_ batch: SyncBatch, _ sender: NetworkSide, _ receiver: NetworkSide) throws {
        let before = receiver.rows
        let report = try receiver.merge(batch, form)
        for conflict in report.conflicts {
            // Names that are not exchanged at the hub are other values for the next change.
            let isOfNames = form.isUnique && conflict.change.table == "owners"
            let isAllowed = isOfNames && (conflict.kind == .constraint || !conflicted.isEmpty)
            conflicted.insert(conflict.change.networkKey)
            try require(
                !isDisjoint || isAllowed,
                "sides that write different values have a conflict: \(conflict)")
        }
        try receiver.check()
        // The columns that the sender does not have are as before.
        for (key, row) in receiver.rows where !deleted.contains(key) {
            guard let old = before[key] else { continue }
            let count = 4 + form.sides[sender.index].width
            try require(
                row.dropFirst(count) == old.dropFirst(count),
                "\(receiver.origin) has changed \(key) from \(old) to \(row), and \(sender.origin) has \(count) columns"
            )
        }
    }

    /// Exchanges everything, and requires that all sides have the same rows.
    private func finish(_ dice: inout Dice) throws {
        try widenAll()
        let expected = expectedRows()
        for _ in 0..<2 {
            for replica in sides.dropFirst() { try exchange(replica, hub) }
            for replica in sides.dropFirst() { try exchange(hub, replica) }
        }
        for replica in sides.dropFirst() { try requireEqual(replica) }
        for (key, row) in hub.rows { try requireWritten(key, row) }
        if isDisjoint { try requireRows(expected) } else { try requireReasons(expected) }
        if dice.once(in: 2) { try compact(&dice) }
    }

    /// The rows that sides have, each value from the side that writes it.
    private func expectedRows() -> NetworkRows {
        var expected: NetworkRows = [:]
        for key in Set(sides.flatMap(\.rows.keys)) {
            let columns = form.columns(of: key.table, at: 0)
            expected[key] = columns.indices.compactMap { column in
                let writer = sides[writer(key.table, columns[column])]
                let rows = [writer.rows[key]] + sides.map { $0.rows[key] }
                return rows.compactMap { $0 }.first?[column]
            }
        }
        return expected
    }

    private func requireEqual(_ replica: NetworkSide) throws {
        let count = hasEqualDefaults ? 6 : 4
        for key in Set(hub.rows.keys).union(replica.rows.keys) {
            let (one, other) = (hub.rows[key]?.prefix(count), replica.rows[key]?.prefix(count))
            try require(
                one == other,
                "\(replica.origin) has \(key) as \(other.map(Array.init) ?? []), and the hub as \(one.map(Array.init) ?? [])"
            )
        }
    }

    /// Requires that each value was written by a side, or is what a foreign key has made.
    private func requireWritten(_ key: NetworkKey, _ row: [String]) throws {
        for (column, value) in row.enumerated() where written[key]?[column]?.contains(value) != true {
            let isDefault = column > 3 && form.sides.contains { $0.defaults[column - 4] == value }
            let isNull = key.table == "cards" && column == 1 && value == "NULL" && form.action == .setNull
            try require(isDefault || isNull, "no side has written the value \(column) of \(key): \(row)")
        }
    }

    private func requireRows(_ expected: NetworkRows) throws {
        for (key, row) in expected {
            guard let found = hub.rows[key] else {
                throw Violation(description: "\(key) is gone, and no side has deleted it")
            }
            for column in row.indices where hasEqualDefaults || column < 4 || sides.allSatisfy({ $0 === hub }) {
                // A name that others have is not given by an exchange whose rows have actions.
                if column == 1, conflicted.contains(key) { continue }
                try require(found[column] == row[column], "the hub has \(key) as \(found), not as \(row)")
            }
        }
    }

    /// Requires that a row which is gone was deleted by a side, by an action, or by the policy.
    private func requireReasons(_ before: NetworkRows) throws {
        for (key, row) in before where hub.rows[key] == nil {
            let owners = (written[key]?[1] ?? []).map { NetworkKey(table: "owners", id: $0) }
            let isCascaded = key.table == "cards" && form.action == .cascade && owners.contains(where: deleted.contains)
            try require(
                deleted.contains(key) || conflicted.contains(key) || isCascaded,
                "\(key) is gone, and no side has deleted it: \(row)")
        }
    }

    /// Makes the log of the hub smaller, with which a new replica can begin.
    private func compact(_ dice: inout Dice) throws {
        let cursors = try sides.dropFirst().compactMap { try $0.cursor(of: hub) }
        guard let oldest = cursors.min(by: { $0.sequence < $1.sequence }) else { return }
        let other = sides[1].origin
        world.log(
            """
            if let position = try \(other)Log.cursor(of: "\(hub.origin)", on: \(other)) {
                try \(hub.origin)Log.compact(through: position, on: \(hub.origin))
            }
            """)
        try hub.compact(through: oldest)
        kept = []
        guard dice.once(in: 2) else { return }
        let new = try NetworkSide(1, .replica, form, [], "\(name)_new\(dice.number(below: 1_000_000))", world)
        defer { new.close() }
        let (batch, variable) = try batch(from: hub, for: new, isWhole: true)
        logMerge(variable, new)
        try merge(batch, hub, new)
        try requireEqual(new)
    }
}
