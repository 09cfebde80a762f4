import SquallChanges
import Foundation
import Squall

extension CallList {
    mutating func addSessionCalls() {
        begin("ChangeRecorder")
        recorder("changeset()") { _ = try $0.changeset() }
        recorder("patchset()") { _ = try $0.patchset() }
        recorder("isEmpty") { _ = $0.isEmpty }
        recorder("isIndirect") { $0.isIndirect = !$0.isIndirect }
        recorder("isPaused") { $0.isPaused = !$0.isPaused }
        recorder("memoryUsed") { _ = $0.memoryUsed }
        recorder("stop()") { $0.stop() }
        recorder("writeChangeset(to:)") { try $0.writeChangeset { _ in } }
        recorder("writePatchset(to:)") { try $0.writePatchset { _ in } }
        begin("ChangesetStream")
        connection("init(_:)") { _ in _ = ChangesetStream { nil } }
        object("forEach(_:)") { _ in
            Changesets.stream()
        } _: {
            try $0.forEach { _ in }
        }
        object("invert(to:)") { _ in
            Changesets.stream()
        } _: {
            try $0.invert { _ in }
        }
        addLog()
        addTokens()
        addBackups()
    }

    private mutating func recorder(_ name: String, _ body: @escaping @Sendable (ChangeRecorder) throws -> Void) {
        object(name) { connection in
            let recorder = try connection.startRecording(in: ["items"])
            if !connection.isReader { try connection.run("UPDATE items SET price = price + 5 WHERE id = 7") }
            return recorder
        } _: {
            try body($0)
        }
    }

    private mutating func addLog() {
        begin("SyncLog")
        connection("init(_:origin:role:tables:version:runsTriggers:)") { _ = try Self.log($0) }
        log("changes(since:limit:on:)") { _ = try $0.changes(on: $1) }
        log("changes(since:byteLimit:on:)") { _ = try $0.changes(since: nil, byteLimit: 10, on: $1) }
        log("end(on:)") { _ = try $0.end(on: $1) }
        log("rows(of:in:after:byteLimit:at:on:)") { _ = try $0.rows(of: "notes", byteLimit: 10, on: $1) }
        refused("start(of:at:on:)") { _ = try $0.start(of: "b", on: $1) }
        refused("netChanges(after:upTo:on:)") { log, connection in
            let end = try log.end(on: connection)
            _ = try log.netChanges(after: end, upTo: end, on: connection)
        }
        refused("batch(of:after:upTo:for:on:)") { log, connection in
            let end = try log.end(on: connection)
            _ = try log.batch(of: [], after: end, upTo: end, for: "b", on: connection)
        }
        refused("merge(_:on:refusing:showsRow:)") { log, connection in
            _ = try log.merge(log.changes(on: connection), on: connection, refusing: { _, _ in nil })
        }
        refused("sendAgain(after:on:)") { _ = try $0.sendAgain(after: 1, on: $1) }
        refused("conflicts(on:)") { _ = try $0.conflicts(on: $1) }
        refused("resolve(_:keeping:on:)") { log, connection in
            for conflict in try log.conflicts(on: connection) {
                try log.resolve(conflict, keeping: .hub, on: connection)
            }
        }
        log("begin(with:_:on:)") { log, connection in
            try log.begin(with: [], [log.changes(on: connection)], on: connection)
        }
        log("compact(through:on:)") { log, connection in
            if let cursor = try log.cursor(of: "b", on: connection) { try log.compact(through: cursor, on: connection) }
        }
        log("cursor(of:on:)") { _ = try $0.cursor(of: "b", on: $1) }
        log("merge(_:on:)") { log, connection in
            let other = try Connection()
            try other.execute("CREATE TABLE notes(id TEXT PRIMARY KEY NOT NULL, text TEXT, updated_at INTEGER)")
            let source = try SyncLog(other, origin: "b", tables: ["notes": .lastWriter(by: "updated_at")])
            try source.record(on: other) { try $0.run("INSERT INTO notes VALUES('b', 'text', 2)") }
            try log.merge(source.changes(on: other), on: connection)
        }
        log("pending(on:)") { _ = try $0.pending(on: $1) }
        log("record(on:_:)") { log, connection in
            try log.record(on: connection) { try $0.run("INSERT INTO notes VALUES('a', 'text', 2)") }
        }
        log("migrate(_:to:from:columns:lastWriter:on:)") { _, connection in
            try SyncLog.migrate("notes", to: 1, on: connection)
        }
        log("remove(_:on:)") { _, connection in try SyncLog.remove("notes", on: connection) }
        log("version") { log, _ in _ = log.version }
        log("origin") { log, _ in _ = log.origin }
        log("role") { log, _ in _ = log.role }
        log("runsTriggers") { log, _ in _ = log.runsTriggers }
        task("follow(_:origin:role:tables:version:runsTriggers:)") { database, _ in _ = try await Self.follow(database)
        }
        begin("FollowedLog")
        task("flush()") { database, _ in try await Self.follow(database).flush() }
        task("renewed(origin:)") { database, _ in
            let followed = try await Self.follow(database)
            do { _ = try await followed.renewed(origin: "b") } catch let error as SQLiteError
                where error.problem(SyncProblem.self) == .wrongRole("peer")
            {}
        }
        task("stop()") { database, _ in try await Self.follow(database).stop() }
        task("database") { database, _ in _ = try await Self.follow(database).database }
        task("log") { database, _ in _ = try await Self.follow(database).log }
    }

    private static func follow(_ database: Database) async throws -> FollowedLog {
        try await SyncLog.follow(database, origin: "a", tables: ["notes": .lastWriter(by: "updated_at")])
    }

    private static func log(_ connection: Connection) throws -> SyncLog {
        try SyncLog(connection, origin: "a", tables: ["notes": .lastWriter(by: "updated_at")])
    }

    private mutating func log(_ name: String, _ body: @escaping @Sendable (SyncLog, Connection) throws -> Void) {
        add(name, .connection, grounds: [.own, .writer]) { scene, inSituation in
            let connection = try scene.requireConnection()
            let log = try Self.log(connection)
            try inSituation { try body(log, connection) }
        }
    }

    /// A method of a hub or a replica. The log is that of a peer.
    private mutating func refused(_ name: String, _ body: @escaping @Sendable (SyncLog, Connection) throws -> Void) {
        log(name) { log, connection in
            _ = try log.end(on: connection)
            do { try body(log, connection) } catch let error as SQLiteError
                where error.problem(SyncProblem.self) == .wrongRole("peer")
            {}
        }
    }

    private mutating func addTokens() {
        begin("ObserverToken")
        let hooks: [@Sendable (Connection) throws -> ObserverToken] = [
            { $0.addUpdateObserver { _, _, _, _ in } }, { try $0.addPreUpdateObserver { _ in } },
            { $0.addCommitObserver { false } }, { $0.addRollbackObserver {} }, { $0.addWALObserver { _, _ in } },
            { $0.addTraceObserver { _ in } }, { $0.addProfileObserver { _ in } },
            { $0.addAuthorizer { _, _, _, _, _ in .ok } },
        ]
        for hook in hooks { object("cancel()", hook) { $0.cancel() } }
        begin("InterruptHandle")
        object("interrupt()") {
            $0.interruptHandle
        } _: {
            $0.interrupt()
        }
        begin("Limits")
        object("subscript(_:)") {
            $0.limits
        } _: {
            var limits = $0
            limits[.attached] = limits[.attached]
        }
    }

    private mutating func addBackups() {
        begin("Backup")
        object("run(_:)") {
            $0.backup(to: try Connection(), pagesPerStep: 5)
        } _: {
            try $0.run { _ in }
        }
    }
}

extension Connection {
    /// Whether a closure that reads has the connection.
    var isReader: Bool { (try? run("UPDATE items SET price = price WHERE id = 7")) == nil }
}
