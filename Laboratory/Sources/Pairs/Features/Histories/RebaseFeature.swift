import Squall
import SquallChanges

/// A twin that changes rows at the same time: its changes are rebased over those of the database.
final class RebaseFeature: FeatureParts {
    private let suffix: String
    private var twin: Twin?
    private var recorded: Changeset?
    /// The changes of the twin that the database does not have.
    private var local: Changeset?
    private var nextKey: Int64

    init(_ suffix: String) {
        self.suffix = suffix
        nextKey = suffix == "a" ? 4_000 : suffix == "b" ? 5_000 : 6_000
    }

    /// The variables in the Swift of the run.
    private var twinName: String { "rebased_\(suffix)" }
    private var changesName: String { "base_\(suffix)" }

    func setUp(_ world: World) throws {
        twin = try Twin(world, twinName)
        world.log("var \(changesName): Changeset!")
    }

    func resume(_ world: World, as former: any FeatureParts) throws {
        twin = try Twin(resuming: twinName, world)
        nextKey = (former as? RebaseFeature)?.nextKey ?? nextKey
    }

    var swift: FeatureSwift {
        FeatureSwift(surrounding: "\(changesName) = try c.recordChanges(in: \"authors\", \"items\")")
    }

    func surround(_ connection: Connection, _ body: (Connection) throws -> Void) throws {
        recorded = nil
        recorded = try connection.recordChanges(in: "authors", "items") { try body($0) }
    }

    func committed(_ commit: Commit, _ world: World) throws {
        guard let twin else { return }
        if commit.author === self { return }
        if let local, let recorded {
            world.log(
                """
                let resolutions_\(nextKey) = try \(twinName).apply(\(changesName)) { $0.kind == .notFound ? .omit : .replace }
                """)
            let resolutions = try twin.connection.apply(recorded) { $0.kind == .notFound ? .omit : .replace }
            self.local = try Rebaser(resolutions).rebased(local)
            return
        }
        try twin.copyAll(world)
        try twin.require(commit.after, world, "rows of a twin before it changes them")
    }

    /// A change of a row by one side.
    private enum Edit: CaseIterable { case note, price, stars, deletion }

    /// Both sides update and delete rows, of which some are the same, and the twin inserts one.
    func step(_ world: World, _ dice: inout Dice) throws {
        guard let twin else { return }
        var (mine, theirs, expected) = ([Change](), [Change](), world.model)
        for row in world.model.rows {
            let edits = (0..<2).map { _ in dice.once(in: 2) ? nil : dice.choice(of: Edit.allCases) }
            if let edit = edits[0] { mine.append(change(row, edit, "local alpha")) }
            if let edit = edits[1] { theirs.append(change(row, edit, "remote beta")) }
            var merged = row
            for (edit, side) in zip(edits, ["local alpha", "remote beta"]) {
                if let edit { merged = edited(merged, edit, side) }
            }
            expected.items[row.id] = edits.contains(.deletion) ? nil : merged
        }
        let new = ItemRow(id: nextKey, &dice)
        mine.append(.insert([new], .sql))
        expected.items[new.id] = new
        world.log("let local_\(nextKey) = try \(twinName).recordChanges(in: \"authors\", \"items\") { c in")
        for change in mine { world.log("    " + change.swift(world.shape)) }
        world.log("}")
        local = try twin.connection.recordChanges(in: "authors", "items") { connection in
            for change in mine { try change.run(connection, world.verbs, world.shape) }
        }
        try world.write(theirs, nil, &dice)
        guard let rebased = local else { return }
        local = nil
        world.log(
            transaction: ["_ = try c.apply(Rebaser(resolutions_\(nextKey)).rebased(local_\(nextKey)))"])
        try world.transaction { _ = try $0.apply(rebased) }
        try world.commit(expected, by: self, .surrounded)
        try twin.require(expected, world, "rows of a twin whose changes were rebased")
        // Triggers of the database have counted the changes of the twin.
        try twin.copyAll(world)
        nextKey += 1
    }

    private func change(_ row: ItemRow, _ edit: Edit, _ side: String) -> Change {
        edit == .deletion ? .delete(row, .sql) : .update(edited(row, edit, side), .sql)
    }

    /// Returns a row with a value that no other step writes.
    private func edited(_ row: ItemRow, _ edit: Edit, _ side: String) -> ItemRow {
        var row = row
        let number = nextKey * 2 + (side == "local alpha" ? 1 : 0)
        switch edit {
        case .note: row.note = "\(side) \(number)"
        case .price: row.price = Double(number) + 0.5
        case .stars: row.stars = number
        case .deletion: break
        }
        return row
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws { try twin?.check() }
}
