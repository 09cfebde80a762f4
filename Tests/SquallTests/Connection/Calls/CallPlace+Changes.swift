import SquallChanges
import Foundation
import Squall

// MARK: - Recorded changes and values in parts

extension CallPlace {
    static let changes: [CallPlace] = [
        CallPlace(name: "a filter of recorded tables", function: "sqlite3session_table_filter", rule: .nothing) {
            scene in
            let recorder = try scene.connection.startRecording(where: { [unowned scene] _ in
                scene.call()
                return true
            })
            try scene.run("UPDATE t SET a = 9")
            recorder.stop()
        },
        CallPlace(name: "the closure that writes a changeset", function: "sqlite3session_changeset_strm") { scene in
            let recorder = try scene.connection.startRecording(in: ["t"])
            // SQLite writes parts of a kilobyte.
            try scene.connection.run("UPDATE t SET b = hex(randomblob(2000))")
            try scene.whileArmed { try recorder.writeChangeset { [unowned scene] _ in scene.call() } }
        },
        apply("a conflict", "sqlite3changeset_apply_v2", conflicts: true) { scene, changes in
            try scene.connection.apply(changes, options: .withoutTriggers) { [unowned scene] _ in
                scene.call()
                return .omit
            }
        },
        apply("a conflict in a transaction with deferred keys", "sqlite3changeset_apply_v2", conflicts: true) {
            scene, changes in
            try scene.connection.execute("BEGIN; PRAGMA defer_foreign_keys = ON")
            try scene.connection.apply(changes) { [unowned scene] _ in
                scene.call()
                return .omit
            }
        },
        apply("a conflict of a stream", "sqlite3changeset_apply_v2_strm", conflicts: true) { scene, changes in
            // The stream is read before SQLite is called.
            var rest: Data? = changes.data
            let stream = ChangesetStream {
                defer { rest = nil }
                return rest
            }
            try scene.connection.apply(stream) { [unowned scene] _ in
                scene.call()
                return .omit
            }
        },
        blob("a pre-update hook of a written value") { scene in
            try scene.connection.addPreUpdateObserver { [unowned scene] _ in scene.call() }
        },
        blob("a commit hook of a written value") { scene in
            scene.connection.addCommitObserver { [unowned scene] in
                scene.call()
                return false
            }
        },
        blob("a progress handler of a value that is opened") { scene in
            try scene.connection.progressHandler(every: 1) { [unowned scene] in
                scene.call()
                return .proceed
            }
            return nil
        },
    ]

    private static func apply(
        _ name: String, _ function: String, conflicts: Bool = false,
        _ apply: @escaping @Sendable (CallScene, Changeset) throws -> Void
    ) -> CallPlace {
        CallPlace(name: name, function: function) { scene in
            let changes = try scene.connection.recordChanges(in: "t") { try $0.run("UPDATE t SET a = 77 WHERE id = 2") }
            try scene.connection.run("UPDATE t SET a = \(conflicts ? 78 : 2) WHERE id = 2")
            try scene.whileArmed { try apply(scene, changes) }
        }
    }

    private static func blob(
        _ name: String, _ install: @escaping @Sendable (CallScene) throws -> ObserverToken?
    ) -> CallPlace {
        CallPlace(name: name, function: "sqlite3_blob_open", rule: .nothing) { scene in
            _ = try install(scene)
            try scene.whileArmed {
                try scene.connection.withBlob(in: "t", column: "b", row: 1, mode: .readWrite) { blob in
                    try blob.write([65], at: 0)
                    _ = try blob.data()
                }
            }
        }
    }
}
