import SquallChanges
import Foundation
import SQiftCompatibility
import Squall

extension Situation {
    /// The closures of a database, and of what belongs to it.
    static let databaseClosures: [Situation] = [
        database("in a preparation of a reader") { database, scene, trigger in
            scene.preparation.set { trigger.fire() }
            defer { scene.preparation.set(nil) }
            // The first reader has been opened already, perhaps.
            try database.blocking.read { _ in
                scene.onOtherThread { scene.attempt { try database.blocking.read { try $0.run("SELECT 1") } } }
            }
        },
        database("in a preparation of the writer") { database, scene, trigger in
            try database.blocking.suspend()
            scene.preparation.set { trigger.fire() }
            defer { scene.preparation.set(nil) }
            try database.blocking.resume()
        },
        database("in the progress closure of a backup") { database, scene, trigger in
            try database.blocking.backup(to: scene.freePath(), pagesPerStep: 1) { _ in trigger.fire() }
        },
        database("in a group of an undo history") { database, scene, trigger in
            let history = try UndoHistory(database, tables: ["items"])
            try history.blocking.write("Change") { connection in
                try connection.run("UPDATE items SET price = 90 WHERE id = 9")
                trigger.fire()
            }
        },
        database("in a step of a schema of a database") { database, scene, trigger in
            let schema = Schema("reentrant") { Version(1) { Execute { _ in trigger.fire() } } }
            try schema.migrate(database)
        },
        database("in an observer of commits of a database") { database, scene, trigger in
            let token = database.addCommitObserver {
                trigger.fire()
                return false
            }
            defer { token.cancel() }
            try database.blocking.write { try $0.run("UPDATE items SET price = 90 WHERE id = 9") }
        },
        database("in a trace of a database") { database, scene, trigger in
            let token = database.addTraceObserver { _ in trigger.fire() }
            defer { token.cancel() }
            try database.blocking.read { try $0.run("SELECT count(*) FROM items") }
        },
        database("in a read inside a write") { database, scene, trigger in
            try database.blocking.writeWithoutTransaction { connection in
                try connection.run("UPDATE items SET price = 90 WHERE id = 9")
                try database.blocking.read { _ in trigger.fire() }
            }
        },
    ]

    /// The release of objects that SQLite keeps for the program.
    static let releases: [Situation] = [
        Situation(name: "in the release of a function by close", grounds: [.own, .memory]) { scene, trigger in
            scene.isOver = true
            let connection = try scene.requireConnection()
            try addFunction(to: connection, Releasing(trigger))
            connection.close()
        },
        Situation(name: "in the release of a function by its removal", expectation: .noConnection) { scene, trigger in
            let connection = try scene.requireConnection()
            try addFunction(to: connection, Releasing(trigger))
            try connection.removeFunction(named: "released", argumentCount: 1)
        },
        Situation(name: "in the release of a module", expectation: .noConnection) { scene, trigger in
            let connection = try scene.requireConnection()
            try register(Releasing(trigger), on: connection)
            try connection.run("SELECT value FROM released")
            try connection.removeModule(named: "released")
            // The last statement that uses the module may be the one that is compiled next.
            try connection.run("SELECT 1")
        },
        Situation(name: "in the release of auxiliary data", expectation: .noConnection) { scene, trigger in
            let connection = try scene.requireConnection()
            try connection.addScalarFunction(named: "kept", argumentCount: 1) { context, _ in
                if context.auxilaryData[0] == nil { context.auxilaryData[0] = Releasing(trigger) }
                return .integer(1)
            }
            try connection.run("SELECT kept('constant') FROM items")
        },
        Situation(name: "in the release of the state of an aggregate") { scene, trigger in
            let connection = try scene.requireConnection()
            try connection.addAggregate("released", initial: Releasing(trigger)) { (_: inout Releasing, _: Int) in
            } final: { _ in
                1
            }
            try connection.run("SELECT released(id) FROM items")
        },
    ]

    private static func register(_ object: Releasing, on connection: Connection) throws {
        try connection.register(named: "released") { _ in
            withExtendedLifetime(object) { NumberTable(point: .drop, trigger: nil) }
        }
    }

    private static func addFunction(to connection: Connection, _ object: Releasing) throws {
        try connection.addFunction("released") { (number: Int) -> Int in
            withExtendedLifetime(object) { number }
        }
    }

    private static func database(
        _ name: String, _ enter: @escaping @Sendable (Database, Scene, Trigger) throws -> Void
    ) -> Situation {
        Situation(name: name, requirement: .nothing, grounds: [.outside], scopes: [.database]) { scene, trigger in
            try enter(scene.requireDatabase(), scene, trigger)
        }
    }
}

/// An object that makes the call while it is released.
private final class Releasing {
    // Weak: the call may own a statement, which keeps the function, which keeps this object.
    private weak var trigger: Trigger?

    init(_ trigger: Trigger) {
        self.trigger = trigger
    }

    deinit {
        trigger?.fire()
    }
}
