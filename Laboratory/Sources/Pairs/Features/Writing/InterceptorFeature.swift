import Foundation
import Squall

/// An interceptor that binds a value around asynchronous calls and refuses some, and an observer of events.
final class InterceptorFeature: FeatureParts {
    private let gate = Gate()
    private var tokens: [DatabaseObserverToken] = []

    func setUp(_ world: World) throws {}

    func start(_ world: World) throws {
        world.log("// An interceptor and an observer of events are added to db.")
        let gate = gate
        tokens = [
            world.database.addInterceptor(gate),
            world.database.addEventObserver { event in
                if case .callEnded(.write, _) = event { gate.count(writes: 1) }
            },
        ]
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        var new = world.model
        let change = Change.random(new, world.shape, &dice)
        change.apply(to: &new, world.shape)
        if world.shape.reference == .deferred, !new.hasAllAuthors { return }
        let refuses = dice.once(in: 3)
        world.log(
            "try await db.write { c in \(change.swift(world.shape)) }\(refuses ? "    // refused by the interceptor" : "")"
        )
        let (database, verbs, shape, gate) = (world.database, world.verbs, world.shape, gate)
        let before = gate.counts
        gate.isClosed = refuses
        do {
            try Waiting.forTask {
                try await database.write { connection in
                    try require(Gate.isInside, "a closure does not see the value of its interceptor")
                    try change.run(connection, verbs, shape)
                }
            }
            try require(!refuses, "a call that an interceptor refuses has returned")
        } catch is InjectedError where refuses {
            gate.isClosed = false
            try require(gate.counts.writes == before.writes, "a refused call has used the writer")
            return try world.check()
        }
        try require(gate.counts.calls == before.calls + 1, "an interceptor was not called once")
        try require(gate.counts.writes > before.writes, "no event has reported a write")
        try world.commit(new, by: self, .database)
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func stop() {
        for token in tokens { token.cancel() }
        tokens = []
    }
}

/// An interceptor that can refuse calls, and counts.
///
/// Sendable, because a lock protects its state.
private final class Gate: DatabaseInterceptor, @unchecked Sendable {
    @TaskLocal static var isInside = false

    private let lock = NSLock()
    private var state = (isClosed: false, calls: 0, writes: 0)

    var isClosed: Bool {
        get { lock.withLock { state.isClosed } }
        set { lock.withLock { state.isClosed = newValue } }
    }

    var counts: (calls: Int, writes: Int) { lock.withLock { (state.calls, state.writes) } }

    func count(calls: Int = 0, writes: Int = 0) {
        lock.withLock { (state.calls, state.writes) = (state.calls + calls, state.writes + writes) }
    }

    nonisolated(nonsending) func intercept<Result: Sendable>(
        _ operation: DatabaseOperation, on database: Database,
        _ call: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        if isClosed { throw InjectedError() }
        count(calls: 1)
        return try await Self.$isInside.withValue(true) { try await call() }
    }
}
