import Foundation
import Squall

extension Situation {
    static let ends: [Situation] = [
        Situation(name: "after close of the connection") { scene, trigger in
            scene.isOver = true
            try scene.requireConnection().close()
            trigger.fire()
        },
        Situation(
            name: "after the closure has returned", time: .after,
            grounds: [.writer, .group, .reader, .snapshot, .queue, .pool]
        ) { scene, trigger in
            scene.runLater { trigger.fire() }
        },
        Situation(name: "after the owner was released", requirement: .nothing, time: .after) { scene, trigger in
            scene.isOver = true
            scene.runLater {
                scene.releaseOwners()
                trigger.fire()
            }
        },
        Situation(name: "after close of the database", requirement: .database, time: .after) { scene, trigger in
            scene.isOver = true
            scene.runLater {
                scene.attempt { try scene.requireDatabase().close() }
                trigger.fire()
            }
        },
        Situation(name: "after suspend", requirement: .database, time: .after) { scene, trigger in
            scene.runLater {
                scene.attempt { try scene.requireDatabase().suspend() }
                trigger.fire()
                scene.attemptResume()
            }
        },
        Situation(
            name: "in a closure of a suspended database", grounds: [.writer, .group, .reader, .snapshot, .queue, .pool]
        ) { scene, trigger in
            let database = try scene.requireDatabase()
            let connection = try scene.requireConnection()
            scene.startThread {
                scene.attempt { try database.blocking.suspend(interruptingAfter: .zero) }
                scene.attemptResume()
            }
            let end = Date.now + 5
            while (try? connection.run("SELECT 1")) != nil, Date.now < end { Thread.sleep(forTimeInterval: 0.001) }
            trigger.fire()
        },
        Situation(
            name: "in a closure of a database that is being closed", grounds: [.writer, .group, .reader, .queue, .pool]
        ) { scene, trigger in
            scene.isOver = true
            let database = try scene.requireDatabase()
            scene.startThread { scene.attempt { try database.blocking.close() } }
            let end = Date.now + 5
            var isClosing = false
            while !isClosing, Date.now < end {
                scene.onOtherThread {
                    isClosing =
                        (try? database.blocking.read(deadline: .milliseconds(20)) { _ in }) == nil
                        && (try? database.blocking.writeWithoutTransaction(deadline: .milliseconds(20)) { _ in }) == nil
                }
                if !isClosing { Thread.sleep(forTimeInterval: 0.001) }
            }
            trigger.fire()
        },
    ]
}

extension Scene {
    /// Resumes the database after a situation, so that the cell can check it.
    func attemptResume() {
        guard let database = try? requireDatabase() else { return }
        do { try database.blocking.resume() } catch { note(.threw(error)) }
    }
}
