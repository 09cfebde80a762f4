import SquallChanges
import Foundation
import Squall

extension CallList {
    /// Calls of what belongs to a database.
    mutating func addAccessCalls() {
        addSnapshots()
        addQueues()
        addHistories()
    }

    private mutating func addSnapshots() {
        begin("ReadSnapshot.Blocking")
        shared("read(deadline:_:)") {
            try $0.blocking.snapshot()
        } _: { snapshot, _ in
            _ = try snapshot.blocking.read { try $0.count(Item.self) }
        }
        begin("ReadSnapshot")
        shared("blocking") {
            try $0.blocking.snapshot()
        } _: { snapshot, _ in
            _ = snapshot.blocking
        }
        sharedTask("read(deadline:_:)") {
            try $0.blocking.snapshot()
        } _: { snapshot, _ in
            _ = try await snapshot.read { try $0.count(Item.self) }
        }
        shared("close()") {
            try $0.blocking.snapshot()
        } _: { snapshot, _ in
            try snapshot.close()
        }
        add("close()", .database, grounds: [.snapshot]) { scene, inSituation in
            let snapshot = try scene.requireSnapshot()
            try inSituation { try snapshot.close() }
        }
        begin("ReadSnapshot.Blocking")
        add("read(deadline:_:)", .database, grounds: [.snapshot]) { scene, inSituation in
            let snapshot = try scene.requireSnapshot()
            try inSituation { _ = try snapshot.blocking.read { try $0.count(Item.self) } }
        }
    }

    private mutating func addQueues() {
        begin("ConnectionQueue")
        queue("execute(closure:)") { queue in
            try queue.execute { try $0.run("UPDATE items SET price = 4 WHERE id = 4") }
        }
        queue("executeInTransaction(transactionType:closure:)") { queue in
            try queue.executeInTransaction { try $0.run("UPDATE items SET price = 4 WHERE id = 4") }
        }
        queue("executeInSavepoint(named:closure:)") { queue in
            try queue.executeInSavepoint(named: "inner") { try $0.run("UPDATE items SET price = 4 WHERE id = 4") }
        }
        queue("waiting") { _ = $0.waiting }
        queue("==(_:_:)") { _ = $0 == $0 }
        queue("hash(into:)") { _ = $0.hashValue }
        database("init(connection:)") { database, _ in
            try ConnectionQueue(connection: Connection(database.fileName)).execute { try $0.run("SELECT 1") }
        }
        begin("ConnectionPool")
        pool("execute(closure:)") { pool in _ = try pool.execute { try $0.count(Item.self) } }
        pool("connections") { _ = $0.connections }
        pool("busyConnections") { _ = $0.busyConnections }
        pool("maximumConnections") { _ = $0.maximumConnections }
        pool("waiting") { _ = $0.waiting }
        database("defaultMaximum") { _, _ in _ = ConnectionPool.defaultMaximum }
        database(
            "init(storageLocation:tableLockPolicy:availableConnectionDrainDelay:maximumConnections:sharedCache:configuration:connectionPreparation:)"
        ) { database, _ in
            try ConnectionPool(storageLocation: .onDisk(database.fileName)).execute { try $0.run("SELECT 1") }
        }
    }

    private mutating func queue(_ name: String, _ body: @escaping @Sendable (ConnectionQueue) throws -> Void) {
        shared(name) {
            $0.writerConnectionQueue
        } _: { queue, _ in
            try body(queue)
        }
    }

    private mutating func pool(_ name: String, _ body: @escaping @Sendable (ConnectionPool) throws -> Void) {
        shared(name) {
            $0.readerConnectionPool
        } _: { pool, _ in
            try body(pool)
        }
    }

    private mutating func addHistories() {
        begin("UndoHistory")
        history("canRedo") { history, _ in _ = history.canRedo }
        history("canUndo") { history, _ in _ = history.canUndo }
        history("database") { history, _ in _ = history.database }
        history("limit") { history, _ in _ = history.limit }
        history("tables") { history, _ in _ = history.tables }
        history("undoName") { history, _ in _ = history.undoName }
        history("redoName") { history, _ in _ = history.redoName }
        history("removeAll()") { history, _ in history.removeAll() }
        history("blocking") { history, _ in _ = history.blocking }
        historyTask("write(_:deadline:_:)") { history in
            try await history.write("Change") { try $0.run("UPDATE items SET price = 4 WHERE id = 4") }
        }
        historyTask("undo()") { try await $0.undo() }
        historyTask("redo()") { try await $0.redo() }
        database("init(_:tables:limit:)") { database, _ in _ = try UndoHistory(database, tables: ["items"]) }
        task("init(_:tables:limit:)") { database, _ in _ = try await UndoHistory(database, tables: ["items"]) }
        begin("UndoHistory.Blocking")
        history("undo()") { history, _ in try history.blocking.undo() }
        history("redo()") { history, _ in try history.blocking.redo() }
        history("write(_:deadline:_:)") { history, _ in
            try history.blocking.write("Change") { try $0.run("UPDATE items SET price = 4 WHERE id = 4") }
        }
    }

    private mutating func history(_ name: String, _ body: @escaping @Sendable (UndoHistory, Scene) throws -> Void) {
        add(name, .database, grounds: [.outside]) { scene, inSituation in
            let history = try scene.requireHistory()
            try inSituation { [unowned scene] in try body(history, scene) }
        }
        add(name, .database, grounds: [.writer, .reader]) { scene, inSituation in
            // The database of the history is that of the ground, which has begun: its writer has no history yet.
            let history = try scene.historyBesideGround()
            try inSituation { [unowned scene] in try body(history, scene) }
        }
    }

    private mutating func historyTask(_ name: String, _ body: @escaping @Sendable (UndoHistory) async throws -> Void) {
        history(name) { history, scene in scene.startTask { try await body(history) } }
    }
}

extension Scene {
    /// A history with a step.
    fileprivate func requireHistory() throws -> UndoHistory {
        let history = try UndoHistory(requireDatabase(), tables: ["items"])
        try requireDatabase().blocking.write { try $0.run("UPDATE items SET price = 90 WHERE id = 9") }
        return history
    }

    /// A history that is made while a closure of the ground runs.
    fileprivate func historyBesideGround() throws -> UndoHistory {
        let database = try requireDatabase()
        return try makeOnOtherThread { try UndoHistory(database, tables: ["items"]) }
    }
}
