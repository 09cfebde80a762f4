import Squall

// MARK: - Hooks and handlers

extension CallPlace {
    static let hooks: [CallPlace] = [
        hook("an update hook", "sqlite3_update_hook", write) { scene in
            scene.connection.addUpdateObserver { [unowned scene] _, _, _, _ in scene.call() }
        },
        hook("a pre-update hook", "squall_preupdate_hook", write) { scene in
            try scene.connection.addPreUpdateObserver { [unowned scene] _ in scene.call() }
        },
        hook("a commit hook", "sqlite3_commit_hook", write) { scene in
            scene.connection.addCommitObserver { [unowned scene] in
                scene.call()
                return false
            }
        },
        hook("a commit hook that refuses", "sqlite3_commit_hook", write) { scene in
            scene.connection.addCommitObserver { [unowned scene] in
                scene.call()
                return scene.isEntered
            }
        },
        hook("a rollback hook", "sqlite3_rollback_hook", "BEGIN; DELETE FROM t; ROLLBACK") { scene in
            scene.connection.addRollbackObserver { [unowned scene] in scene.call() }
        },
        CallPlace(name: "a WAL hook", function: "sqlite3_wal_hook", isOnDisk: true) { scene in
            scene.connection.addWALObserver { [unowned scene] _, _ in scene.call() }
            try scene.whileArmed { try scene.connection.execute(write) }
        },
        CallPlace(name: "a WAL hook before a checkpoint", function: "sqlite3_wal_hook", isOnDisk: true) { scene in
            scene.connection.addWALObserver { [unowned scene] _, _ in scene.call() }
            try scene.connection.setWALAutoCheckpoint(pages: 1)
            try scene.whileArmed { try scene.connection.execute(write) }
        },
        hook("a trace of a statement", "sqlite3_trace_v2", read) { scene in
            scene.connection.addTraceObserver(mask: Connection.TraceEvent.statementMask) { [unowned scene] _ in
                scene.call()
            }
        },
        hook("a trace of a row", "sqlite3_trace_v2", read) { scene in
            scene.connection.addTraceObserver(mask: Connection.TraceEvent.rowMask) { [unowned scene] _ in scene.call() }
        },
        hook("a trace of the end of a statement", "sqlite3_trace_v2", read) { scene in
            scene.connection.addProfileObserver { [unowned scene] _ in scene.call() }
        },
        CallPlace(name: "a trace of close", function: "sqlite3_trace_v2", rule: .closing) { scene in
            scene.connection.addTraceObserver(mask: Connection.TraceEvent.connectionClosedMask) { [unowned scene] _ in
                scene.call()
            }
            try scene.whileArmed { scene.connection.close() }
        },
        hook("an authorizer", "sqlite3_set_authorizer", read) { scene in
            scene.connection.addAuthorizer { [unowned scene] _, _, _, _, _ in
                scene.call()
                return .ok
            }
        },
        hook("an authorizer of a schema that is read", "sqlite3_set_authorizer", read) { scene in
            try scene.connection.execute("PRAGMA writable_schema = RESET")
            return scene.connection.addAuthorizer { [unowned scene] _, _, _, _, _ in
                scene.call()
                return .ok
            }
        },
        hook("an authorizer of a plan", "sqlite3_set_authorizer", "EXPLAIN QUERY PLAN SELECT a FROM t") { scene in
            scene.connection.addAuthorizer { [unowned scene] _, _, _, _, _ in
                scene.call()
                return .ok
            }
        },
        CallPlace(name: "an authorizer of a plan with triggers", function: "sqlite3_set_authorizer", rule: .nothing) {
            scene in
            scene.connection.addAuthorizer { [unowned scene] _, _, _, _, _ in
                scene.call()
                return .ok
            }
            try scene.whileArmed {
                try scene.connection.withTriggerPlans { try scene.connection.run("EXPLAIN QUERY PLAN SELECT a FROM t") }
            }
        },
        hook("a progress handler", "sqlite3_progress_handler", "SELECT count(*) FROM t, t, t") { scene in
            try scene.connection.progressHandler(every: 1) { [unowned scene] in
                scene.call()
                return .proceed
            }
            return nil
        },
        CallPlace(name: "a busy handler", function: "sqlite3_busy_handler", rule: .nothing, isOnDisk: true) { scene in
            try withLock("BEGIN IMMEDIATE", in: scene) {
                try scene.whileArmed { try scene.connection.execute(write) }
            }
        },
        CallPlace(
            name: "a busy handler of a checkpoint", function: "sqlite3_busy_handler", rule: .nothing, isOnDisk: true
        ) { scene in
            try scene.connection.execute("INSERT INTO t(a) VALUES(4)")
            try withLock("BEGIN; SELECT * FROM t", in: scene) {
                try scene.whileArmed { _ = try scene.connection.checkpoint(mode: .truncate) }
            }
        },
    ]

    private static let read: SQL = "SELECT a, b FROM t"
    private static let write: SQL = "INSERT INTO t(a) VALUES(4)"

    private static func hook(
        _ name: String, _ function: String, _ script: SQL,
        _ install: @escaping @Sendable (CallScene) throws -> ObserverToken?
    ) -> CallPlace {
        CallPlace(name: name, function: function, rule: .nothing) { scene in
            _ = try install(scene)
            try scene.whileArmed { try scene.connection.execute(script) }
        }
    }

    /// Calls a closure while another connection has a lock.
    private static func withLock(_ script: SQL, in scene: CallScene, _ body: () throws -> Void) throws {
        let other = try Connection(scene.path ?? "", configuration: .sqlite)
        defer { other.close() }
        try other.execute("BEGIN; SELECT count(*) FROM t; COMMIT")
        let reader = try other.prepare("SELECT a FROM t")
        if script == "BEGIN IMMEDIATE" { try other.execute(script) } else { try reader.step() }
        try scene.connection.busyHandler(
            .custom { [unowned scene] _ in
                scene.call()
                return false
            })
        try body()
    }
}
