import Squall

extension Situation {
    static let hooks: [Situation] = [
        write("in an update hook") { connection, trigger in
            connection.addUpdateObserver { _, _, _, _ in trigger.fire() }
        },
        write("in a pre-update hook") { connection, trigger in
            try connection.addPreUpdateObserver { _ in trigger.fire() }
        },
        write("in a commit hook") { connection, trigger in
            connection.addCommitObserver {
                trigger.fire()
                return false
            }
        },
        Situation(name: "in a rollback hook", requirement: .writing, expectation: .noConnection) { scene, trigger in
            let connection = try scene.requireConnection()
            let token = connection.addRollbackObserver { trigger.fire() }
            defer { token.cancel() }
            _ = try? connection.transaction {
                try connection.run("UPDATE items SET price = price + 1 WHERE id = 1")
                throw SceneError("a reason to roll back")
            }
        },
        // The transaction has ended: the connection can be used. A database in memory has no log.
        write("in a WAL hook", grounds: [.own, .writer, .group, .queue], expectation: .anything) {
            connection, trigger in
            connection.addWALObserver { _, _ in trigger.fire() }
        },
        read("in a trace hook") { connection, trigger in connection.addTraceObserver { _ in trigger.fire() } },
        read("in a profile hook") { connection, trigger in connection.addProfileObserver { _ in trigger.fire() } },
        read("in an authorizer") { connection, trigger in
            connection.addAuthorizer { _, _, _, _, _ in
                trigger.fire()
                return .ok
            }
        },
        Situation(name: "in a progress handler", expectation: .noConnection) { scene, trigger in
            let connection = try scene.requireConnection()
            try connection.progressHandler(every: 10) {
                trigger.fire()
                return .proceed
            }
            defer { try? connection.progressHandler(nil) }
            try connection.run("SELECT count(*) FROM items, parts, items AS others")
        },
        Situation(name: "in a busy handler", requirement: .writing, expectation: .noConnection) { scene, trigger in
            let connection = try scene.requireConnection()
            let other = try Scene.connection(scene.path)
            try other.execute("BEGIN IMMEDIATE")
            defer { other.close() }
            try connection.busyHandler(
                .custom { _ in
                    trigger.fire()
                    return false
                })
            defer { try? connection.busyHandler(.defaultBehavior) }
            try connection.run("UPDATE items SET price = price + 1 WHERE id = 1")
        },
    ]

    private static func write(
        _ name: String, grounds: [Ground]? = nil, expectation: Expectation = .noConnection,
        _ install: @escaping @Sendable (Connection, Trigger) throws -> ObserverToken
    ) -> Situation {
        Situation(name: name, requirement: .writing, grounds: grounds, expectation: expectation) { scene, trigger in
            let connection = try scene.requireConnection()
            let token = try install(connection, trigger)
            defer { token.cancel() }
            try connection.run("UPDATE items SET price = price + 1 WHERE id < 4")
        }
    }

    private static func read(
        _ name: String, _ install: @escaping @Sendable (Connection, Trigger) throws -> ObserverToken
    ) -> Situation {
        Situation(name: name, expectation: .noConnection) { scene, trigger in
            let connection = try scene.requireConnection()
            let token = try install(connection, trigger)
            defer { token.cancel() }
            try connection.run("SELECT name FROM items WHERE price > 3")
        }
    }
}
