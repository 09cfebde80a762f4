import SquallTestSupport

@testable import Squall

extension ObservedDatabase {
    /// The phase of the first observer. A write has published its changes when it returns.
    var phase: ObservationState.Phase { database.observationCenter.phase(of: 1) }
}
