import Foundation
import Squall
import SquallChanges

/// Changes that are recorded and applied to a twin of the common tables.
final class RecordedChanges: FeatureParts {
    /// The form of the changes.
    enum Way {
        case changeset, patchset
        /// A changeset in parts.
        case stream
    }

    private let suffix: String
    private let way: Way
    private var twin: Twin?
    private var recorded: Changeset?
    /// The parts of a changeset.
    private var pieces: [Data] = []
    /// The number of changesets.
    private var number = 0

    init(_ suffix: String, _ way: Way = .changeset) { (self.suffix, self.way) = (suffix, way) }

    /// The variables in the Swift of the run.
    private var twinName: String { "twin_\(way)_\(suffix)" }
    private var changesName: String { "changes_\(way)_\(suffix)" }

    func setUp(_ world: World) throws {
        twin = try Twin(world, twinName)
        world.log("var \(changesName): Changeset!")
    }

    func resume(_ world: World, as former: any FeatureParts) throws {
        twin = try Twin(resuming: twinName, world)
    }

    func surround(_ connection: Connection, _ body: (Connection) throws -> Void) throws {
        recorded = nil
        switch way {
        case .changeset: recorded = try connection.recordChanges(in: "authors", "items") { try body($0) }
        case .patchset: recorded = try connection.recordPatchset(in: "authors", "items") { try body($0) }
        case .stream:
            let recorder = try connection.startRecording(in: ["authors", "items"])
            defer { recorder.stop() }
            try body(connection)
            recorded = try recorder.changeset()
            pieces = []
            try recorder.writeChangeset { self.pieces.append($0) }
        }
    }

    var swift: FeatureSwift {
        let verb = way == .patchset ? "recordPatchset" : "recordChanges"
        return FeatureSwift(
            surrounding: "\(changesName) = try c.\(verb)(in: \"authors\", \"items\")",
            expectations: ["#expect(try Set(\(twinName).table(items).all()) == Set(expected))"])
    }

    func committed(_ commit: Commit, _ world: World) throws {
        guard let twin else { return }
        let changes = commit.origin == .surrounded ? recorded : nil
        if let changes { try requireChanges(of: changes, commit, world) }
        if let recorded = changes, !commit.before.hasExchangedCodes(with: commit.after) {
            world.log("try \(twinName).apply(\(changesName))")
            if way == .stream {
                try twin.connection.apply(Self.stream(pieces))
            } else {
                try twin.connection.apply(recorded)
            }
            if way != .patchset, number % 3 == 0 { try takeBack(recorded, commit, world) }
            number += 1
            self.recorded = nil
        } else {
            try twin.copyAll(world)
        }
        try world.checkCopiedRows(twin.connection, "the twin")
    }

    /// Requires that a recording has the rows and the columns that differ, and no others.
    private func requireChanges(of recorded: Changeset, _ commit: Commit, _ world: World) throws {
        var found: [String] = []
        let columns = (TableShape.columns + ["late"]).filter { $0 != "id" && $0 != "part" }
        let hasOtherColumns = world.shape.hasColumnsOfFeatures
        try recorded.forEach { change in
            let isUpdate = change.operation == .update && change.table == "items"
            let names = columns.filter { name in
                let column = name == "late" ? world.shape.lateColumn : name
                return column.map { change.new[$0] != nil } ?? false
            }
            if isUpdate, names.isEmpty, hasOtherColumns { return }
            found.append("\(change.operation) \(change.table)" + (isUpdate ? " \(names.sorted())" : ""))
        }
        try require(found.sorted(), equals: commit.before.changes(to: commit.after), "changes of a \(way)")
    }

    /// Takes changes back in the twin, and applies them again.
    private func takeBack(_ changes: Changeset, _ commit: Commit, _ world: World) throws {
        guard let twin else { return }
        world.log(
            """
            try \(twinName).apply(\(changesName).inverted())
            try \(twinName).apply(\(changesName))
            """)
        if way == .stream {
            var inverted: [Data] = []
            try Self.stream(pieces).invert { inverted.append($0) }
            try twin.connection.apply(Self.stream(inverted))
        } else {
            try twin.connection.apply(changes.inverted())
        }
        try twin.require(commit.before, world, "rows of the twin without the changes")
        try twin.connection.apply(changes)
    }

    /// Returns a stream that gives one part after the other.
    private static func stream(_ pieces: [Data]) -> ChangesetStream {
        var rest = pieces[...]
        return ChangesetStream { rest.popFirst() }
    }

    /// Records changes and takes them back at once.
    func step(_ world: World, _ dice: inout Dice) throws {
        var draft = world.model
        let changes = (0..<3).map { _ in
            let change = Change.random(draft, world.shape, &dice)
            change.apply(to: &draft, world.shape)
            return change
        }
        if way == .patchset { return try world.write(world.allows(draft) ? changes : [], nil, &dice) }
        if world.shape.hasTriggers || !world.allows(draft) { return }
        world.log("try db.blocking.write { c in let changes = try c.recordChanges(in: \"authors\", \"items\") { c in")
        for change in changes { world.log("    " + change.swift(world.shape)) }
        world.log("}; try c.apply(changes.inverted()) }")
        do {
            try world.database.blocking.write { connection in
                let recorded = try connection.recordChanges(in: "authors", "items") { connection in
                    for change in changes { try change.run(connection, world.verbs, world.shape) }
                }
                try connection.apply(recorded.inverted())
            }
        } catch ResultCode.abort where draft.hasExchangedCodes(with: world.model) {
            // The transaction is rolled back, which leaves the same rows.
        }
        try world.commit(world.model, by: self, .database)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func check(_ world: World) throws { try twin?.check() }
}
