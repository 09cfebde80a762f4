import LaboratorySupport
import Squall

/// Observers of each kind on all connections, of which some come and go.
final class ObserversFeature: FeatureParts {
    private var tokens: [DatabaseObserverToken] = []

    func setUp(_ world: World) throws {}

    func start(_ world: World) throws { try add(to: world) }

    private func add(to world: World) throws {
        world.log("// observers of each kind are added to db")
        let database = world.database
        tokens += [
            database.addUpdateObserver { _, _, _, _ in },
            try database.addPreUpdateObserver { _ in },
            database.addCommitObserver { false },
            database.addRollbackObserver {},
            database.addWALObserver { _, _ in },
            database.addAuthorizer { _, _, _, _, _ in .ok },
            database.addTraceObserver { _ in },
            database.addProfileObserver { _ in },
            database.addSlowStatementObserver(from: .zero) { _ in },
            database.addEventObserver { _ in },
        ]
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        for token in tokens where dice.once(in: 2) { token.cancel() }
        try world.write([Change.random(world.model, world.shape, &dice)], nil, &dice)
        stop()
        try add(to: world)
        try world.check()
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func stop() {
        for token in tokens { token.cancel() }
        tokens = []
    }
}
