import Squall

extension CallList {
    /// Calls of the asynchronous sequences, and of their iterators, before their first element and after it.
    mutating func addIteratorCalls() {
        addBackupIterator()
        // A change that an iterator waits for may not come: its task is cancelled.
        sequence("DatabaseChanges", waiting: .always) { database, _ in database.changes() }
        sequence("ObservedValues", waiting: .afterFirst) { database, _ in
            database.observe { try $0.count(Item.self) }
        }
        sequence("ObservedDifferences", waiting: .afterFirst) { database, _ in
            database.observeDifferences(keyedBy: \Item.id) { try $0.all(Item.self) }
        }
        sequence("BlobChunks", waiting: .never) { database, _ in
            database.blob(in: "files", column: "content", row: 1, chunkSize: 40)
        }
        sequence("DatabaseBackup", iterator: "Iterator", isIsolated: false, waiting: .never) { database, scene in
            database.backup(to: scene.freePath(), pagesPerStep: 5)
        }
    }

    /// The iterator belongs to the connection: it is used on the thread of the situation.
    private mutating func addBackupIterator() {
        begin("Backup")
        object("makeAsyncIterator()") {
            $0.backup(to: try Connection(), pagesPerStep: 5)
        } _: {
            _ = $0.makeAsyncIterator()
        }
        begin("Backup.Iterator")
        object("next()") {
            IteratorBox($0.backup(to: try Connection(), pagesPerStep: 5).makeAsyncIterator())
        } _: { box in
            try ThreadExecutor.run { while try await box.iterator.next() != nil {} }
        }
        object("next()") { connection in
            let box = IteratorBox(connection.backup(to: try Connection(), pagesPerStep: 5).makeAsyncIterator())
            try ThreadExecutor.run { _ = try await box.iterator.next() }
            return box
        } _: { box in
            try ThreadExecutor.run { while try await box.iterator.next() != nil {} }
        }
        object("next(isolation:)") {
            IteratorBox($0.backup(to: try Connection(), pagesPerStep: 5).makeAsyncIterator())
        } _: { box in
            try ThreadExecutor.run { while try await box.iterator.next(isolation: nil) != nil {} }
        }
    }

    private enum Waiting {
        case never, afterFirst, always
    }

    private mutating func sequence<Elements: AsyncSequence & Sendable>(
        _ type: String, iterator: String = "AsyncIterator", isIsolated: Bool = true, waiting: Waiting,
        _ make: @escaping @Sendable (Database, Scene) -> Elements
    ) where Elements.AsyncIterator: SendableMetatype {
        begin(type)
        database("makeAsyncIterator()") { database, scene in _ = make(database, scene).makeAsyncIterator() }
        begin("\(type).\(iterator)")
        steps("next()", waiting, make) { _ = try await $0.iterator.next() }
        guard isIsolated else { return }
        steps("next(isolation:)", waiting, make) { _ = try await $0.iterator.next(isolation: nil) }
    }

    /// Adds a call of a new iterator, and one of an iterator that has begun before the situation.
    private mutating func steps<Elements: AsyncSequence & Sendable>(
        _ name: String, _ waiting: Waiting, _ make: @escaping @Sendable (Database, Scene) -> Elements,
        _ next: @escaping @Sendable (IteratorBox<Elements.AsyncIterator>) async throws -> Void
    ) where Elements.AsyncIterator: SendableMetatype {
        database(name) { database, scene in
            let box = IteratorBox(make(database, scene).makeAsyncIterator())
            scene.startTask { try await Self.call(cancels: waiting == .always) { try await next(box) } }
        }
        add(name, .database) { scene, inSituation in
            let box = IteratorBox(make(try scene.requireDatabase(), scene).makeAsyncIterator())
            if waiting != .always { try scene.makeOnOtherThread { try ThreadExecutor.run { try await next(box) } } }
            try inSituation { [unowned scene] in
                scene.startTask { try await Self.call(cancels: waiting != .never) { try await next(box) } }
            }
        }
    }

    private static func call(cancels: Bool, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task(operation: body)
        if cancels {
            try? await Task.sleep(for: .milliseconds(1))
            task.cancel()
        }
        try await task.value
    }
}
