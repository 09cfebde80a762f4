import Foundation
import LaboratorySupport
import Squall

/// The objects of one cell, on a copy of the same database.
///
/// Sendable, because a cell uses its scene on one thread at a time, except what has the lock.
final class Scene: @unchecked Sendable {
    let ground: Ground
    let path: String
    /// The connection of the ground, while its closure runs.
    var connection: Connection?
    private(set) var database: Database?
    private(set) var openSnapshot: ReadSnapshot?
    /// The closure that is called with each connection of the database.
    let preparation = Preparation()
    /// Whether the situation has closed what the cell uses, or suspended it.
    var isOver = false

    private let lock = NSLock()
    private var results: [CallResult] = []
    private var isAwaited: [DispatchSemaphore] = []
    private var later: [() -> Void] = []
    private var names = 0

    init(_ ground: Ground, copying template: String, to path: String) throws {
        self.ground = ground
        self.path = path
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.copyItem(atPath: template, toPath: path)
        switch ground {
        case .own: connection = try Self.connection(path)
        case .memory:
            connection = try Self.connection(":memory:")
            try Content.fill(requireConnection())
        case .outside, .writer, .group, .reader, .snapshot, .queue, .pool:
            let preparation = preparation
            var configuration = Self.configuration
            configuration.groupCommit = ground == .group
            database = try Database(
                path, configuration: configuration, drainDelay: 60, writerConnectionPreparation: preparation.call,
                readerConnectionPreparation: preparation.call)
        }
        if ground == .snapshot { openSnapshot = try requireDatabase().blocking.snapshot() }
    }

    static let configuration: Configuration = {
        var configuration = Configuration.recommended
        configuration.busyTimeout = .milliseconds(20)
        configuration.synchronous = .off
        return configuration
    }()

    static func connection(_ path: String) throws -> Connection {
        try Connection(path, configuration: configuration)
    }

    /// Calls a closure where the scene has its connection.
    func onGround(_ body: () throws -> Void) throws {
        switch ground {
        case .own, .memory, .outside: try body()
        case .writer: try requireDatabase().blocking.writeWithoutTransaction { try with($0, body) }
        case .group: try requireDatabase().transaction { try with($0, body) }
        case .reader: try requireDatabase().blocking.read { try with($0, body) }
        case .snapshot: try requireSnapshot().blocking.read { try with($0, body) }
        case .queue: try requireDatabase().writerConnectionQueue.execute { try with($0, body) }
        case .pool: try requireDatabase().readerConnectionPool.execute { try with($0, body) }
        }
    }

    private func with(_ connection: Connection, _ body: () throws -> Void) rethrows {
        self.connection = connection
        defer { if later.isEmpty { self.connection = nil } }
        try body()
    }

    func requireConnection() throws -> Connection {
        guard let connection else { throw SceneError("the scene has no connection") }
        return connection
    }

    func requireDatabase() throws -> Database {
        guard let database else { throw SceneError("the scene has no database") }
        return database
    }

    func requireSnapshot() throws -> ReadSnapshot {
        guard let openSnapshot else { throw SceneError("the scene has no snapshot") }
        return openSnapshot
    }

    /// A path beside the database, which no file has.
    func freePath() -> String {
        lock.withLock {
            names += 1
            return "\(path)-other\(names)"
        }
    }

    // MARK: Ending

    /// Releases the objects of the scene, except those that the call itself keeps.
    func releaseOwners() {
        connection = nil
        openSnapshot = nil
        database = nil
    }

    // MARK: Calls

    /// Runs a closure after the closure of the ground has returned.
    func runLater(_ body: @escaping () -> Void) {
        later.append(body)
    }

    /// Makes the call, and notes how it has ended.
    func attempt(_ body: () throws -> Void) {
        do {
            try body()
            note(.returned)
        } catch {
            note(.threw(error))
        }
    }

    func note(_ result: CallResult) {
        lock.withLock { results.append(result) }
    }

    /// Starts a task of the call, which ends after the closure of the ground.
    func startTask(_ body: @escaping @Sendable () async throws -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        lock.withLock { isAwaited.append(isDone) }
        Task.detached {
            do {
                try await body()
                self.note(.returned)
            } catch {
                self.note(.threw(error))
            }
            isDone.signal()
        }
    }

    /// Starts a thread, which may end after the closure of the ground.
    func startThread(_ body: @escaping () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        lock.withLock { isAwaited.append(isDone) }
        Self.run(body) { isDone.signal() }
    }

    /// Runs a closure on another thread, and waits for it.
    func onOtherThread(_ body: @escaping () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        Self.run(body) { isDone.signal() }
        isDone.wait()
    }

    private static func run(_ body: @escaping () -> Void, then done: @escaping () -> Void) {
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) let done = done
        let thread = Thread {
            body()
            done()
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Adds a wait for something that the call has begun.
    func awaitLater(_ isDone: DispatchSemaphore) {
        lock.withLock { isAwaited.append(isDone) }
    }

    /// Runs what was put off, and waits for what was begun. Returns how the calls have ended.
    func finish() -> [CallResult] {
        let bodies = later
        later = []
        for body in bodies { body() }
        while let next = lock.withLock({ isAwaited.popLast() }) { next.wait() }
        return lock.withLock { results }
    }
}

/// A preparation of a database that a situation sets.
///
/// Sendable, because the property is used under the lock.
final class Preparation: @unchecked Sendable {
    private let lock = NSLock()
    private var body: (() -> Void)?

    func set(_ body: (() -> Void)?) {
        lock.withLock { self.body = body }
    }

    func call(_ connection: Connection) {
        lock.withLock { body }?()
    }
}

/// How a call has ended.
enum CallResult: Sendable {
    case returned
    case threw(any Error)

    /// The result in one line.
    var line: String {
        switch self {
        case .returned: "returned"
        case .threw(let error): "threw \(error)".replacing("\n", with: " ")
        }
    }
}

/// An error of the laboratory itself.
struct SceneError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
