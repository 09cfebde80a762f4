import Foundation
import Squall

/// A database whose content is replaced by a copy with other rows, as a whole.
final class ReplacedContent: FeatureParts {
    private let suffix: String
    private let isInMemory: Bool

    init(_ suffix: String, inMemory isInMemory: Bool = false) {
        (self.suffix, self.isInMemory) = (suffix, isInMemory)
    }

    func configure(_ settings: inout WorldSettings) {
        if isInMemory { settings.isInMemory = true }
        // The copy does not have what another process commits after it was made.
        settings.allowsProcesses = false
    }

    func setUp(_ world: World) throws {}

    /// Changes rows of a copy, and makes its content that of the database: by a backup, or by the bytes where it is in memory.
    func step(_ world: World, _ dice: inout Dice) throws {
        let (verbs, shape) = (world.verbs, world.shape)
        var (new, changes) = (world.model, [Change]())
        for _ in 0...dice.number(below: 3) {
            let change = Change.random(new, shape, &dice)
            change.apply(to: &new, shape)
            changes.append(change)
        }
        if !world.allows(new) { return }
        let copiesBytes = world.settings.isInMemory && dice.once(in: 2)
        log(changes, copiesBytes, world)
        let path = "\(world.folder)/replacing_\(suffix).db"
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        try world.database.blocking.backup(to: path)
        let copy = try world.connection(path)
        defer { copy.close() }
        try copy.transaction { for change in changes { try change.run(copy, verbs, shape) } }
        try world.database.blocking.writeWithoutTransaction { connection in
            if copiesBytes {
                try connection.deserialize(copy.serialize())
            } else {
                try copy.backup(to: connection, pagesPerStep: -1).run()
            }
        }
        let content = try UsedCopy.content(of: copy)
        try require(UsedCopy.content(of: world.database), equals: content, "content of a database that was replaced")
        try world.commit(new, by: self, .outside)
    }

    private func log(_ changes: [Change], _ copiesBytes: Bool, _ world: World) {
        let path = "\"\\(folder)/replacing_\(suffix).db\""
        let replacing = copiesBytes ? "$0.deserialize(c.serialize())" : "c.backup(to: $0, pagesPerStep: -1).run()"
        world.log(
            """
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: \(path) + end) }
            try db.blocking.backup(to: \(path))
            do {
                let c = try Connection(\(path), mode: .existing, configuration: configuration)
                try prepare(c)
                try c.transaction {
            \(changes.map { "        \($0.swift(world.shape))" }.joined(separator: "\n"))
                }
                try db.blocking.writeWithoutTransaction { try \(replacing) }
                c.close()
            }
            """)
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}
}
