import Foundation
import Squall

/// Observers of many reads, one each, of which some come and go.
///
/// The text that an observer was told last must be that of a fresh read.
final class ObservedReads {
    enum Subject {
        /// All tables and views of the file, and some of the tables in which virtual tables keep their rows.
        case objects
        /// Some forms of reads of the common tables.
        case forms
        /// Only the lasting reads.
        case lasting
    }

    private struct Observer {
        let read: ObjectRead
        let told: ToldText
        let task: Task<Void, Never>
    }

    private let subject: Subject
    private let lasting: [ObjectRead]
    private let others: [ObjectRead]
    private var observers: [Observer] = []
    private var objects: [ObjectRead] = []
    private var schemaVersion: Int?
    /// The number of the first read of those that come and go.
    private var first: Int

    /// - Parameters:
    ///   - lasting: Reads that are always observed besides.
    ///   - others: Other reads that come and go.
    ///   - seed: A text that decides which reads are the first ones.
    init(_ subject: Subject, _ lasting: [ObjectRead], _ others: [ObjectRead], seed: String) {
        (self.subject, self.lasting, self.others) = (subject, lasting, others)
        first = seed.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff }
    }

    /// The number of reads that come and go.
    private var count: Int { subject == .forms ? 3 : 1 }

    /// Observes other reads from the next check on.
    func move() { first += 1 }

    /// Returns the reads that are observed now.
    private func reads(_ world: World) throws -> [ObjectRead] {
        let (fixed, rest): ([ObjectRead], [ObjectRead])
        switch subject {
        case .lasting: (fixed, rest) = (lasting, [])
        case .forms:
            // In a database in memory, a name without the database can be that of a TEMP table.
            let lookups = world.settings.isInMemory ? [] : ObjectRead.lookups(world.shape)
            (fixed, rest) = (lasting, others + ObjectRead.forms(world.shape) + lookups)
        case .objects:
            let version: Int = try world.database.blocking.read { try $0.query("PRAGMA main.schema_version") }
            if version != schemaVersion {
                schemaVersion = version
                objects = try world.database.blocking.read { try ObjectRead.objects(of: $0) }
            }
            (fixed, rest) = (lasting + objects.filter { !$0.isShadow }, objects.filter(\.isShadow) + others)
        }
        // Neighbours are of similar kinds.
        let stride = max(1, rest.count / count)
        return fixed + (0..<min(count, rest.count)).map { rest[(first + $0 * stride) % rest.count] }
    }

    /// Begins and ends observations, so that they are those of the reads.
    private func update(_ world: World) throws {
        let reads = try reads(world)
        let wanted = Set(reads.map(\.id))
        for observer in observers where !wanted.contains(observer.read.id) || observer.told.hasEnded {
            observer.task.cancel()
        }
        observers.removeAll { !wanted.contains($0.read.id) || $0.told.hasEnded }
        let known = Set(observers.map(\.read.id))
        for (index, read) in reads.enumerated() where !known.contains(read.id) {
            observers.append(observe(read, index, world.database))
        }
    }

    private func observe(_ read: ObjectRead, _ index: Int, _ database: Database) -> Observer {
        let told = ToldText()
        func follow<Value: Sendable>(
            _ values: ObservedValues<Value>, _ text: @escaping @Sendable (Value) -> String
        ) -> Observer {
            let task = Task.detached {
                do {
                    for try await value in values { told.set(text(value)) }
                } catch is CancellationError {
                } catch {
                    told.end(error)
                }
            }
            return Observer(read: read, told: told, task: task)
        }
        switch (read.way, index % 3) {
        case (.record(let key), _):
            return follow(database.observe(Owner.self, key)) { $0?.name.rawValue.hexadecimal ?? "" }
        case (.sql, 0):
            return follow(database.observe("SELECT CAST((\(raw: read.sql)) AS TEXT)", as: String.self)) { $0 }
        case (_, 1): return follow(database.observe(removingDuplicates: true) { try read.text($0) }) { $0 }
        default: return follow(database.observe(coalescing: .milliseconds(1)) { try read.text($0) }) { $0 }
        }
    }

    func check(_ world: World) throws {
        if world.hasOutsider { return }
        try update(world)
        let texts = try world.database.blocking.read { try ObjectRead.texts(of: observers.map(\.read), $0) }
        for (observer, text) in zip(observers, texts) { try observer.told.wait(for: text, observer.read.name) }
    }

    func stop() {
        for observer in observers { observer.task.cancel() }
        (observers, schemaVersion) = ([], nil)
    }
}

/// The text that an observer was told last.
///
/// Sendable, because a lock protects its state.
private final class ToldText: @unchecked Sendable {
    private let condition = NSCondition()
    private var text: String?
    private var failure: (any Error)?

    private func change(_ body: () -> Void) {
        condition.lock()
        defer { condition.unlock() }
        body()
        condition.broadcast()
    }

    func set(_ new: String) { change { text = new } }

    func end(_ error: any Error) { change { failure = error } }

    /// Whether the observation has ended with an error of the SQL: its object was not there for a time.
    var hasEnded: Bool { condition.withLock { failure.map { ResultCode.error ~= $0 } ?? false } }

    func wait(for expected: String, _ subject: String) throws {
        condition.lock()
        defer { condition.unlock() }
        let end = Patience.shared.end
        while true {
            if let failure { throw Violation(description: "the observation of \(subject) has ended: \(failure)") }
            if text == expected { return }
            if !Patience.shared.wait(condition, until: end) {
                throw Violation(
                    description:
                        "an observer of \(subject) was told \((text ?? "nothing").prefix(200)), and it is \(expected.prefix(200))"
                )
            }
        }
    }
}
