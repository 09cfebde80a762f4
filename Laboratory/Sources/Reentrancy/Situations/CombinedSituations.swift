import SquallChanges
import Foundation
import Squall

extension Situation {
    /// Situations in which the connection has been closed, its transaction has ended, or its time is over.
    static let combined: [Situation] = [
        closing(
            query("in a function that has closed its connection", "SELECT reenter(id) FROM items") {
                connection, trigger in
                try connection.addFunction("reenter") { [unowned connection] (number: Int) -> Int in
                    connection.close()
                    trigger.fire()
                    return number
                }
            }),
        closing(
            query("in a table function that has closed its connection", "SELECT value FROM reenter(3)") {
                connection, trigger in
                try connection.addTableFunction("reenter", columns: "value") { [unowned connection] (count: Int) in
                    connection.close()
                    trigger.fire()
                    return 0..<count
                }
            }),
        closing(
            Situation(name: "in an update hook that has closed its connection", requirement: .writing) {
                scene, trigger in
                let connection = try scene.requireConnection()
                let token = connection.addUpdateObserver { [unowned connection] _, _, _, _ in
                    connection.close()
                    trigger.fire()
                }
                defer { token.cancel() }
                try connection.run("UPDATE items SET price = price + 1 WHERE id < 4")
            }),
        closing(
            Situation(name: "while iterating, after close") { scene, trigger in
                let connection = try scene.requireConnection()
                try connection.forEach("SELECT id, name FROM items") { row in
                    connection.close()
                    trigger.fire()
                    let _: String = try row.get("name")
                }
            }),
        closing(
            Situation(name: "in a transaction, after close", requirement: .writing) { scene, trigger in
                let connection = try scene.requireConnection()
                try connection.transaction {
                    try connection.run("UPDATE items SET price = price + 1 WHERE id < 4")
                    connection.close()
                    trigger.fire()
                }
            }),
        closing(
            Situation(name: "in a withBlob closure, after close") { scene, trigger in
                let connection = try scene.requireConnection()
                try connection.withBlob(in: "files", column: "content", row: 1) { blob in
                    connection.close()
                    trigger.fire()
                    _ = try blob.data()
                }
            }),
        closing(
            Situation(name: "in a closure that records changes, after close", requirement: .writing) { scene, trigger in
                _ = try scene.requireConnection().recordChanges(in: "items") { connection in
                    try connection.run("UPDATE items SET price = price + 1 WHERE id = 1")
                    connection.close()
                    trigger.fire()
                }
            }),
        Situation(name: "in a transaction that SQLite has ended", requirement: .writing) { scene, trigger in
            let connection = try scene.requireConnection()
            try connection.transaction {
                try connection.run("UPDATE items SET price = price + 1 WHERE id < 4")
                try connection.execute("ROLLBACK")
                trigger.fire()
            }
        },
        Situation(name: "while iterating, after a rollback", requirement: .writing) { scene, trigger in
            let connection = try scene.requireConnection()
            try connection.transaction {
                try connection.run("UPDATE items SET price = price + 1 WHERE id < 4")
                try connection.forEach("SELECT id FROM items") { _ in
                    try connection.execute("ROLLBACK")
                    trigger.fire()
                }
            }
        },
        Situation(name: "in a closure whose deadline has passed") { scene, trigger in
            let connection = try scene.requireConnection()
            try connection.withDeadline(.milliseconds(1)) {
                Thread.sleep(forTimeInterval: 0.002)
                trigger.fire()
            }
        },
        query("in a function that a function calls", "SELECT calling(id) FROM items WHERE id < 4") {
            connection, trigger in
            try connection.addFunction("reenter") { (number: Int) -> Int in
                trigger.fire()
                return number
            }
            try connection.addFunction("calling") { [unowned connection] (number: Int) -> Int in
                try connection.query("SELECT reenter(\(number))")
            }
        },
        Situation(name: "in a function that a trigger calls", requirement: .writing) { scene, trigger in
            let connection = try scene.requireConnection()
            try connection.addFunction("reenter", directOnly: false, innocuous: true) { (number: Int) -> Int in
                trigger.fire()
                return number
            }
            try connection.execute(
                "CREATE TEMP TRIGGER t AFTER UPDATE ON main.items BEGIN SELECT reenter(new.id); END")
            try connection.run("UPDATE items SET price = price + 1 WHERE id < 4")
        },
    ]

    /// A situation after which the connection is closed.
    private static func closing(_ situation: Situation) -> Situation {
        var situation = situation
        let enter = situation.enter
        situation.enter = { scene, trigger in
            scene.isOver = true
            try enter(scene, trigger)
        }
        return situation
    }
}
