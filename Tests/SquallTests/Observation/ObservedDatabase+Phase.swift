import SquallTestSupport
import Testing

@testable import Squall

extension ObservedDatabase {
    /// The phase of the first observer. A write has published its changes when it returns.
    var phase: ObservationState.Phase { database.observationCenter.phase(of: 1) }

    /// Returns the phase of an observer of a query after a write.
    static func phase(
        of query: SQL, after write: SQL, with tables: SQL = "", usesPreUpdateHook: Bool = true
    ) async throws -> ObservationState.Phase {
        let cars = try ObservedDatabase(tables)
        _ = cars.database.companions.companion { ObservationCenter(usesPreUpdateHook: usesPreUpdateHook) }
        var values = cars.database.observe { try $0.query(query) as [Int64] }.makeAsyncIterator()
        _ = try await values.next()
        #expect(cars.phase == .watching)
        try? cars.write(write)
        return withExtendedLifetime(values) { cars.phase }
    }
}
