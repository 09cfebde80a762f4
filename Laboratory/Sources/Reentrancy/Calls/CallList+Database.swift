import Foundation
import Squall
import SquallEncryption

extension CallList {
    mutating func addDatabaseCalls() {
        begin("Database")
        addClosures()
        addAsynchronousClosures()
        addObservers()
        addObservations()
        addDatabaseUpkeep()
        addEnds()
        database("fileName") { database, _ in _ = database.fileName }
        database("readerConnectionPool") { database, _ in _ = database.readerConnectionPool.connections }
        database("writerConnectionQueue") { database, _ in _ = database.writerConnectionQueue.waiting }
        database("statistics") { database, _ in _ = database.statistics }
        database(
            "init(_:mode:configuration:maximumReaders:drainDelay:preparation:writerConnectionPreparation:readerConnectionPreparation:)"
        ) { database, _ in
            try Database(database.fileName, configuration: Scene.configuration).blocking.read { try $0.run("SELECT 1") }
        }
        database(
            "init(storageLocation:tableLockPolicy:multiThreaded:sharedCache:drainDelay:writerConnectionPreparation:readerConnectionPreparation:)"
        ) { database, _ in
            try Database(storageLocation: .onDisk(database.fileName)).blocking.read { try $0.run("SELECT 1") }
        }
        database(
            "init(storageLocation:tableLockPolicy:flags:drainDelay:writerConnectionPreparation:readerConnectionPreparation:)"
        ) { database, _ in
            try Database(storageLocation: .onDisk(database.fileName), flags: 2).blocking.read { try $0.run("SELECT 1") }
        }
        database("temporary(configuration:maximumReaders:preparation:)") { _, _ in
            try Database.temporary().blocking.read { try $0.run("SELECT 1") }
        }
        addBlockingVerbs()
    }

    private mutating func addClosures() {
        database("blocking") { database, _ in _ = database.blocking }
    }

    /// The verbs that block the thread.
    private mutating func addBlockingVerbs() {
        begin("Database.Blocking")
        database("read(deadline:_:)") { database, _ in
            try database.blocking.read { let _: Int = try $0.query("SELECT count(*) FROM items") }
        }
        database("writeWithoutTransaction(deadline:_:)") { database, _ in
            try database.blocking.writeWithoutTransaction { try $0.run("UPDATE items SET price = 4 WHERE id = 4") }
        }
        database("write(deadline:isolated:_:)") { database, _ in
            try database.blocking.write { try $0.run("UPDATE items SET price = 4 WHERE id = 4") }
        }
        database("snapshot(deadline:)") { database, _ in
            let snapshot = try database.blocking.snapshot()
            _ = try snapshot.blocking.read { try $0.count(Item.self) }
            try snapshot.close()
        }
        database("backup(to:pagesPerStep:progress:)") { database, scene in
            try database.blocking.backup(to: scene.freePath(), pagesPerStep: 5)
        }
        database("checkpoint(_:holdingReaders:deadline:)") { database, _ in
            try database.blocking.checkpoint(holdingReaders: .milliseconds(20))
        }
        database("vacuum(deadline:)") { database, _ in try database.blocking.vacuum() }
        database("optimize(deadline:)") { database, _ in try database.blocking.optimize() }
        database("vacuum(into:deadline:)") { database, scene in
            try database.blocking.vacuum(into: scene.freePath())
        }
        database("copy(to:encryption:deadline:)") { database, scene in
            try database.blocking.copy(to: scene.freePath(), encryption: nil)
        }
        database("rekey(to:deadline:)") { database, _ in
            do {
                try database.blocking.rekey(to: .rawKey([UInt8](repeating: 1, count: 32)))
            } catch let error as SQLiteError where error.problem(EncryptionProblem.self) == .notEncrypted {}
        }
        database("migrate(_:to:options:waiting:progress:)") { database, _ in
            try database.blocking.migrate(Content.schema, waiting: .milliseconds(50))
        }
        database("close()") { database, scene in
            scene.isOver = true
            try database.blocking.close()
        }
        database("suspend(interruptingAfter:deadline:)") { database, _ in
            try database.blocking.suspend(interruptingAfter: .milliseconds(5))
            try database.blocking.resume()
        }
        database("resume()") { database, _ in try database.blocking.resume() }
    }

    private mutating func addAsynchronousClosures() {
        task("read(deadline:_:)") { database, _ in _ = try await database.read { try $0.count(Item.self) } }
        task("write(deadline:isolated:_:)") { database, _ in
            try await database.write { try $0.run("UPDATE items SET price = 4 WHERE id = 4") }
        }
        task("writeWithoutTransaction(deadline:_:)") { database, _ in
            try await database.writeWithoutTransaction { try $0.run("UPDATE items SET price = 4 WHERE id = 4") }
        }
        task("snapshot(deadline:)") { database, _ in
            let snapshot = try await database.snapshot()
            _ = try await snapshot.read { try $0.count(Item.self) }
        }
        task("blob(in:column:row:chunkSize:deadline:)") { database, _ in
            for try await _ in database.blob(in: "files", column: "content", row: 1, chunkSize: 40) {}
        }
        task("writeBlob(in:column:row:at:deadline:from:)") { database, _ in
            let chunks = AsyncStream<[UInt8]> { continuation in
                continuation.yield([UInt8](repeating: 1, count: 100))
                continuation.finish()
            }
            try await database.writeBlob(in: "files", column: "content", row: 1, from: chunks)
        }
    }

    private mutating func addObservers() {
        database("addAuthorizer(_:)") { database, _ in database.addAuthorizer { _, _, _, _, _ in .ok } }
        database("addCommitObserver(_:)") { database, _ in database.addCommitObserver { false } }
        database("addRollbackObserver(_:)") { database, _ in database.addRollbackObserver {} }
        database("addUpdateObserver(_:)") { database, _ in database.addUpdateObserver { _, _, _, _ in } }
        database("addPreUpdateObserver(_:)") { database, _ in try database.addPreUpdateObserver { _ in } }
        database("addWALObserver(_:)") { database, _ in database.addWALObserver { _, _ in } }
        database("addTraceObserver(mask:_:)") { database, _ in database.addTraceObserver { _ in } }
        database("addProfileObserver(_:)") { database, _ in database.addProfileObserver { _ in } }
        database("addSlowStatementObserver(from:includingValues:_:)") { database, _ in
            database.addSlowStatementObserver(from: .zero, includingValues: true) { _ in }
        }
        database("addEventObserver(_:)") { database, _ in database.addEventObserver { _ in } }
        database("addInterceptor(_:)") { database, _ in database.addInterceptor(PassingInterceptor()) }
        begin("DatabaseObserverToken")
        shared("cancel()") {
            $0.addUpdateObserver { _, _, _, _ in }
        } _: { token, _ in
            token.cancel()
        }
        shared("cancel()") {
            $0.addAuthorizer { _, _, _, _, _ in .ok }
        } _: { token, _ in
            token.cancel()
        }
        begin("Database")
    }

    private mutating func addObservations() {
        task("changes(in:)") { database, _ in
            // Only begun: a change that it waits for may not come.
            let sequence = database.changes()
            let task = Task { for await _ in sequence { break } }
            task.cancel()
            await task.value
        }
        task("observe(_:as:coalescing:)") { database, _ in
            for try await _ in database.observe("SELECT count(*) FROM items", as: Int.self).prefix(1) {}
        }
        task("observe(_:as:coalescing:removingDuplicates:)") { database, _ in
            let values = database.observe("SELECT count(*) FROM items", as: Int.self, removingDuplicates: true)
            for try await _ in values.prefix(1) {}
        }
        task("observe(coalescing:_:)") { database, _ in
            for try await _ in database.observe({ try $0.count(Item.self) }).prefix(1) {}
        }
        task("observe(_:_:_:coalescing:)") { database, _ in
            for try await _ in database.observe(Item.self, 1).prefix(1) {}
        }
        task("observe(coalescing:removingDuplicates:_:)") { database, _ in
            for try await _ in database.observe(removingDuplicates: true, { try $0.count(Item.self) }).prefix(1) {}
        }
        task("observeDifferences(keyedBy:coalescing:_:)") { database, _ in
            for try await _ in database.observeDifferences(keyedBy: \Item.id, { try $0.all(Item.self) }).prefix(1) {}
        }
        task("observeDifferences(keyedBy:sectionedBy:coalescing:_:)") { database, _ in
            let differences = database.observeDifferences(keyedBy: \Item.id, sectionedBy: \Item.name) {
                try $0.all(Item.self)
            }
            for try await _ in differences.prefix(1) {}
        }
    }

    private mutating func addDatabaseUpkeep() {
        task("backup(to:pagesPerStep:)") { database, scene in
            for try await _ in database.backup(to: scene.freePath(), pagesPerStep: 5) {}
        }
        task("checkpoint(_:holdingReaders:deadline:)") { database, _ in
            try await database.checkpoint(holdingReaders: .milliseconds(20))
        }
        task("vacuum(deadline:)") { database, _ in try await database.vacuum() }
        task("optimize(deadline:)") { database, _ in try await database.optimize() }
        task("vacuum(into:deadline:)") { database, scene in try await database.vacuum(into: scene.freePath()) }
        task("copy(to:encryption:deadline:)") { database, scene in
            try await database.copy(to: scene.freePath(), encryption: nil)
        }
        task("rekey(to:deadline:)") { database, _ in
            do {
                try await database.rekey(to: .rawKey([UInt8](repeating: 1, count: 32)))
            } catch let error as SQLiteError where error.problem(EncryptionProblem.self) == .notEncrypted {}
        }
        task("migrate(_:to:options:waiting:progress:)") { database, _ in
            try await database.migrate(Content.schema, waiting: .milliseconds(50))
        }
    }

    private mutating func addEnds() {
        database("interrupt()") { database, _ in database.interrupt() }
        task("close()") { database, scene in
            scene.isOver = true
            try await database.close()
        }
        task("suspend(interruptingAfter:deadline:)") { database, _ in
            try await database.suspend(interruptingAfter: .milliseconds(5))
            try await database.resume()
        }
        task("resume()") { database, _ in try await database.resume() }
    }
}

/// An interceptor that runs the call.
private struct PassingInterceptor: DatabaseInterceptor {
    nonisolated(nonsending) func intercept<Result: Sendable>(
        _ operation: DatabaseOperation, on database: Database,
        _ call: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await call()
    }
}
