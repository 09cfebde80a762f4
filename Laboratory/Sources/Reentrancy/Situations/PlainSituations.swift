import Squall

extension Situation {
    static let plain: [Situation] = [
        Situation(name: "nothing else", requirement: .nothing, expectation: .success) { _, trigger in trigger.fire() },
        Situation(name: "another thread", scopes: [.connection, .closure], expectation: .success) { scene, trigger in
            scene.onOtherThread { trigger.fire() }
        },
        Situation(
            name: "another thread, beside a closure", requirement: .nothing, time: .after, scopes: [.database]
        ) { scene, trigger in
            scene.startThread { trigger.fire() }
        },
    ]

    static let statements: [Situation] = [
        Situation(name: "while iterating with forEach") { scene, trigger in
            try scene.requireConnection().forEach("SELECT id, name FROM items WHERE id < 5") { row in
                trigger.fire()
                let _: String = try row.get("name")
            }
        },
        Situation(name: "while iterating with a cursor") { scene, trigger in
            var cursor = try scene.requireConnection().rows("SELECT id, name FROM items WHERE id < 5")
            while let row = try cursor.next() {
                trigger.fire()
                let _: String = try row.get("name")
            }
        },
        Situation(name: "while iterating over records") { scene, trigger in
            try scene.requireConnection().forEach(Item.self) { _ in trigger.fire() }
        },
        Situation(name: "a statement at a row") { scene, trigger in
            let statement = try scene.requireConnection().prepare("SELECT id, name FROM items")
            try statement.step()
            trigger.fire()
            try statement.step()
            try statement.reset()
        },
        Situation(name: "a row of RETURNING") { scene, trigger in
            try scene.requireConnection().forEach("UPDATE items SET price = price + 1 WHERE id < 3 RETURNING id") { _ in
                trigger.fire()
            }
        }.limited(to: .writing),
        Situation(name: "in a transaction") { scene, trigger in
            let connection = try scene.requireConnection()
            try connection.transaction(transactionType: .immediate) {
                try connection.run("UPDATE items SET price = price + 1 WHERE id = 1")
                trigger.fire()
            }
        }.limited(to: .writing),
        Situation(name: "in a transaction that only reads", grounds: [.own, .memory, .writer, .queue, .pool]) {
            scene, trigger in
            let connection = try scene.requireConnection()
            try connection.transaction {
                let _: Int = try connection.query("SELECT count(*) FROM items")
                trigger.fire()
            }
        },
        Situation(name: "in a savepoint") { scene, trigger in
            let connection = try scene.requireConnection()
            try connection.savepoint {
                try connection.run("UPDATE items SET price = price + 1 WHERE id = 1")
                try connection.savepoint(named: "inner") { trigger.fire() }
            }
        }.limited(to: .writing),
        Situation(name: "in the transaction of a database", grounds: [.outside, .writer, .group]) { scene, trigger in
            try scene.requireDatabase().blocking.write { connection in
                try connection.run("UPDATE items SET price = price + 1 WHERE id = 1")
                trigger.fire()
            }
        }.limited(to: .nothing),
        Situation(name: "in a closure with a deadline") { scene, trigger in
            try scene.requireConnection().withDeadline(.seconds(30)) { trigger.fire() }
        },
        Situation(name: "after an interrupt") { scene, trigger in
            try scene.requireConnection().interrupt()
            trigger.fire()
        },
    ]

    private func limited(to requirement: Requirement) -> Situation {
        var situation = self
        situation.requirement = requirement
        return situation
    }
}
