import SquallChanges
import Foundation
import Squall

extension Situation {
    static let closures: [Situation] = [
        apply("in the conflict closure of apply") { connection, changes, trigger in
            try connection.apply(changes) { _ in
                trigger.fire()
                return .omit
            }
        },
        apply("in the filter of apply") { connection, changes, trigger in
            try connection.apply(changes) { _ in
                trigger.fire()
                return true
            } _: { _ in
                .omit
            }
        },
        apply("in the stream of apply") { connection, changes, trigger in
            var rest: Data? = changes.data
            let stream = ChangesetStream {
                trigger.fire()
                defer { rest = nil }
                return rest
            }
            try connection.apply(stream) { _ in .omit }
        },
        Situation(name: "in the closure that writes a changeset", requirement: .writing) { scene, trigger in
            let connection = try scene.requireConnection()
            let recorder = try connection.startRecording(in: ["items"])
            try connection.run("UPDATE items SET name = hex(randomblob(1000))")
            try recorder.writeChangeset { _ in trigger.fire() }
        },
        Situation(name: "in the filter of recorded tables", requirement: .writing, expectation: .noConnection) {
            scene, trigger in
            let connection = try scene.requireConnection()
            // Before, the closure is asked which tables can be recorded, and may use the connection.
            var isRecording = false
            let recorder = try connection.startRecording(where: { table in
                if isRecording { trigger.fire() }
                // Not the tables of a log that the call has made, whose keys cannot be recorded.
                return table == "items"
            })
            isRecording = true
            defer { recorder.stop() }
            try connection.run("UPDATE items SET price = price + 1 WHERE id = 1")
        },
        Situation(name: "in a withBlob closure") { scene, trigger in
            try scene.requireConnection().withBlob(in: "files", column: "content", row: 1) { blob in
                trigger.fire()
                _ = try blob.data()
            }
        },
        Situation(name: "in a closure that records changes", requirement: .writing) { scene, trigger in
            let connection = try scene.requireConnection()
            _ = try connection.recordChanges(in: "items") { connection in
                try connection.run("UPDATE items SET price = price + 1 WHERE id = 1")
                trigger.fire()
            }
        },
        Situation(name: "in a closure of a sync log", requirement: .writing) { scene, trigger in
            let connection = try scene.requireConnection()
            let log = try SyncLog(connection, origin: "a", tables: ["notes": .lastWriter(by: "updated_at")])
            try log.record(on: connection) { connection in
                try connection.run("INSERT INTO notes VALUES('n', 'text', 1)")
                trigger.fire()
            }
        },
        Situation(name: "in the bindingValue of a parameter") { scene, trigger in
            try scene.requireConnection().run("SELECT ?", ReentrantValue(trigger: trigger))
        },
        Situation(name: "in the init(from:) of a record") { scene, trigger in
            ReentrantRecord.trigger = trigger
            defer { ReentrantRecord.trigger = nil }
            let _: [ReentrantRecord] = try scene.requireConnection().query("SELECT id FROM items WHERE id < 4")
        },
        Situation(name: "in the sequence of inserted records", requirement: .writing) { scene, trigger in
            let records = (100..<103).lazy.map { (id: Int64) -> Item in
                trigger.fire()
                return Item(id: id, name: "new", price: 1)
            }
            try scene.requireConnection().insert(contentsOf: records)
        },
        Situation(name: "in a step of a schema", requirement: .writing, grounds: [.own, .writer]) { scene, trigger in
            let connection = try scene.requireConnection()
            let schema = Schema("reentrant") { Version(1) { Execute { _ in trigger.fire() } } }
            try schema.migrate(connection)
        },
        Situation(name: "source of a running backup", grounds: [.own]) { scene, trigger in
            let other = try Connection()
            try scene.requireConnection().backup(to: other, pagesPerStep: 1).run { _ in trigger.fire() }
        },
        Situation(name: "destination of a running backup", grounds: [.own]) { scene, trigger in
            let path = scene.freePath()
            try FileManager.default.copyItem(atPath: scene.path, toPath: path)
            let other = try Scene.connection(path)
            let target = try scene.requireConnection()
            try other.backup(to: target, pagesPerStep: 1).run { _ in trigger.fire() }
        },
    ]

    private static func apply(
        _ name: String, _ apply: @escaping @Sendable (Connection, Changeset, Trigger) throws -> Void
    ) -> Situation {
        Situation(name: name, requirement: .writing) { scene, trigger in
            let connection = try scene.requireConnection()
            let changes = try connection.recordChanges(in: "items") {
                try $0.run("UPDATE items SET price = 77 WHERE id = 2")
            }
            try connection.run("UPDATE items SET price = 78 WHERE id = 2")
            try apply(connection, changes, trigger)
        }
    }
}

/// A value that makes the call while it is bound.
struct ReentrantValue: Bindable {
    let trigger: Trigger

    var bindingValue: BindingValue {
        trigger.fire()
        return .integer(1)
    }
}

/// A record that makes the call while it is decoded.
struct ReentrantRecord: Decodable {
    // Set and read on the thread of the cell.
    nonisolated(unsafe) static var trigger: Trigger?

    let id: Int64

    init(from decoder: any Decoder) throws {
        Self.trigger?.fire()
        id = try decoder.container(keyedBy: Keys.self).decode(Int64.self, forKey: .id)
    }

    private enum Keys: String, CodingKey {
        case id
    }
}
