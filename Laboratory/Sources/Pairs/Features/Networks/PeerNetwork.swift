import Squall
import SquallChanges

/// Peers that exchange their changes in any order, also again. Of each row the greatest version wins.
final class PeerNetwork: Network {
    private var clock: Int64 = 10
    private let isOrdered: Bool
    private var isCompacted = false

    init(_ name: String, _ world: World, _ dice: inout Dice) throws {
        let count = dice.once(in: 2) ? 3 : 2
        let form = NetworkForm(sideCount: count, &dice)
        isOrdered = dice.once(in: 2)
        let first =
            (1...3).map { "INSERT INTO owners(id, name, mark, stamp) VALUES(\(form.key($0)), 'name \($0)', \($0), 1)" }
            + ["INSERT INTO cards(id, owner, text, stamp) VALUES(\(form.key(1)), \(form.key(1)), 'first', 1)"]
        let hasRows = dice.once(in: 2)
        try super.init(
            Array(repeating: .peer, count: count), form, Array(repeating: hasRows ? first : [], count: count), name,
            world)
        for side in sides { side.note(Set(side.rows.keys)) }
    }

    private var changes: NetworkChanges {
        NetworkChanges(
            form: form, numbers: Array(1...6), updates: { _, _ in true },
            time: { [self] dice in
                clock += 1
                // A clock that is behind.
                return isOrdered || isCompacted ? clock : Int64(dice.number(below: 12))
            })
    }

    /// Runs changes and merges, and lets all sides become equal.
    func run(_ dice: inout Dice) throws {
        for _ in 0...dice.number(below: 4) {
            for side in sides where !dice.once(in: 3) { try write(side, &dice) }
            for _ in 0...dice.number(below: 3) {
                let (sender, receiver) = (dice.choice(of: sides), dice.choice(of: sides))
                if sender !== receiver { try exchange(sender, receiver, &dice) }
            }
            if form.areWide, dice.once(in: 4) {
                let side = dice.choice(of: sides)
                if form.sides[side.index].width < NetworkForm.newColumns.count { try widen(side) }
            }
            if dice.once(in: 4) { try dice.choice(of: sides).reopen() }
            if dice.once(in: 8), !isCompacted { try requireRefusals(dice.choice(of: sides), .peer) }
            if dice.once(in: 4) { try finish(&dice) }
        }
        try finish(&dice)
    }

    private func write(_ side: NetworkSide, _ dice: inout Dice) throws {
        let drawn = (0...dice.number(below: 3)).compactMap { _ -> String? in
            let isOfNewColumn = form.sides[side.index].width < NetworkForm.newColumns.count
            let change = changes.random(side.rows, &dice)
            return isOfNewColumn && (change?.contains("label =") == true || change?.contains("rating =") == true)
                ? nil : change
        }
        side.note(try side.record(drawn, form))
        try side.check()
    }

    /// Lets a side merge a new batch, one of before, or all that another one has.
    private func exchange(_ sender: NetworkSide, _ receiver: NetworkSide, _ dice: inout Dice) throws {
        if dice.once(in: 5), let old = dice.element(of: kept.filter { $0.sender != receiver.index }) {
            if !fits(old, receiver) { return }
            logMerge(old.variable, receiver)
            return try receiver.take(old.versions, receiver.merge(old.batch, form), form)
        }
        if dice.once(in: 4) { try exchangeParts(sender, receiver, &dice) }
        let isWhole = !isCompacted && dice.once(in: 6)
        try exchange(sender, receiver, isWhole: isWhole)
        if dice.once(in: 4) { try exchange(sender, receiver, isWhole: false) }
    }

    /// Lets a side merge a batch in parts, in another order.
    private func exchangeParts(_ sender: NetworkSide, _ receiver: NetworkSide, _ dice: inout Dice) throws {
        // The action of a foreign key can run between two parts.
        let hasActions = form.action == .cascade || form.action == .setNull
        guard fits(sender, receiver), !hasActions else { return }
        var (parts, cursor) = ([(batch: SyncBatch, variable: String)](), try receiver.cursor(of: sender))
        while true {
            let part = try part(from: sender, since: cursor, after: parts.last?.variable, for: receiver)
            if part.batch.isEmpty { break }
            parts.append(part)
            cursor = part.batch.cursor
        }
        if dice.once(in: 2) { parts.reverse() } else { parts.append(contentsOf: parts.prefix(1)) }
        var last: SyncReport?
        for part in parts {
            logMerge(part.variable, receiver)
            last = try receiver.merge(part.batch, form)
        }
        guard let last else { return }
        receiver.partial.insert(sender.index)
        try receiver.take(sender.versions(after: receiver.taken[sender.index] ?? 0), last, form)
        try receiver.check()
    }

    private func fits(
        _ old: (batch: SyncBatch, variable: String, sender: Int, versions: [NetworkKey: PeerVersion]),
        _ receiver: NetworkSide
    ) -> Bool {
        fits(sides[old.sender], receiver)
    }

    private func exchange(_ sender: NetworkSide, _ receiver: NetworkSide, isWhole: Bool) throws {
        let (batch, variable) = try batch(from: sender, for: receiver, isWhole: isWhole)
        guard fits(sender, receiver) else { return try requireRefusal(of: batch, receiver) }
        let versions = sender.versions(after: isWhole ? 0 : receiver.taken[sender.index] ?? 0)
        // After parts, the batch has fewer versions.
        if receiver.partial.remove(sender.index) == nil || isWhole {
            kept.append((batch, variable, sender.index, versions))
        }
        logMerge(variable, receiver)
        try receiver.take(versions, receiver.merge(batch, form), form)
        receiver.taken[sender.index] = sender.number
        try receiver.check()
    }

    /// Exchanges everything, until nothing waits any more, and requires that all have the same rows.
    private func finish(_ dice: inout Dice) throws {
        try widenAll()
        for round in 0..<8 {
            try exchangeAll()
            if sides.allSatisfy(\.pending.isEmpty) { break }
            try require(round < 7, "rows wait, and nothing is in their way: \(sides.map(\.pending.keys))")
            try clear(sides[round % sides.count])
        }
        for side in sides.dropFirst() {
            for key in Set(sides[0].stored.keys).union(side.stored.keys) {
                let (one, other) = (sides[0].stored[key]?.version.row, side.stored[key]?.version.row)
                try require(one == other, "peers have \(key) as \(one ?? ["-"]) and \(other ?? ["-"])")
            }
        }
        if dice.once(in: 2) { try compact() }
    }

    /// Lets each side merge the changes of all others, until there are none.
    private func exchangeAll() throws {
        for _ in 0..<10 {
            let numbers = sides.map(\.number)
            for sender in sides {
                for receiver in sides where receiver !== sender { try exchange(sender, receiver, isWhole: false) }
            }
            if sides.map(\.number) == numbers { return }
        }
        throw Violation(description: "peers that have merged everything still have new versions")
    }

    /// Changes what is in the way of rows that wait.
    private func clear(_ side: NetworkSide) throws {
        clock += 1_000_000
        let changes = [
            "UPDATE cards SET owner = NULL, stamp = \(clock)",
            "UPDATE owners SET name = 'free \(clock) ' || id, mark = NULL, stamp = \(clock)",
        ]
        side.note(try side.record(changes, form))
    }

    /// Forgets deletions, which all others know.
    private func compact() throws {
        for side in sides {
            let cursors = try sides.filter { $0 !== side }.compactMap { try $0.cursor(of: side) }
            guard let oldest = cursors.min(by: { $0.sequence < $1.sequence }), cursors.count == sides.count - 1
            else { continue }
            let other = sides.first { $0 !== side }?.origin ?? ""
            world.log(
                """
                if let position = try \(other)Log.cursor(of: "\(side.origin)", on: \(other)) {
                    try \(side.origin)Log.compact(through: position, on: \(side.origin))
                }
                """)
            try side.compact(through: oldest)
            side.stored = side.stored.filter { $0.value.version.row != nil }
        }
        isCompacted = true
        kept = []
    }
}
