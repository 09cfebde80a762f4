#if os(Linux)
    import NIOConcurrencyHelpers
    import SquallCluster

    /// The writes of the load and their outcomes.
    final class Ledger: Sendable {
        enum Outcome: Hashable, Sendable {
            case acknowledged
            /// The client does not know.
            case unknown
            /// The client was told that the write had no effect.
            case refused
        }

        struct Counts: Sendable {
            var acknowledged = 0
            var unknown = 0
            var repeated = 0
            var sums = 0
            var linearizable = 0
            var errors: [String: Int] = [:]
        }

        fileprivate struct State {
            /// The writes by their names. Those with a key have the key as their name.
            var keyed: [String: Outcome] = [:]
            var plain: [String: Outcome] = [:]
            var wrongSums: [Int] = []
            var counts = Counts()
        }

        private let state = NIOLockedValueBox(State())

        var keyed: [String: Outcome] { state.withLockedValue(\.keyed) }

        var plain: [String: Outcome] { state.withLockedValue(\.plain) }

        var wrongSums: [Int] { state.withLockedValue(\.wrongSums) }

        var counts: Counts { state.withLockedValue(\.counts) }

        /// The keys whose last write was not acknowledged.
        var openKeys: [String] { keyed.filter { $0.value != .acknowledged }.map(\.key) }

        /// Returns the key of a write that was acknowledged.
        func anyKey() -> String? { state.withLockedValue { $0.keyed.randomElement() }.map(\.key) }

        func note(_ name: String, hasKey: Bool, _ error: (any Error)?) {
            let outcome = Self.outcome(error)
            state.withLockedValue { state in
                if hasKey {
                    // A write that was acknowledged once has happened, whatever a repetition reports.
                    if state.keyed[name] != .acknowledged { state.keyed[name] = outcome }
                } else {
                    state.plain[name] = outcome
                }
                state.note(outcome, hasKey: hasKey, error)
            }
        }

        /// Notes a write that has no name: of the bank, or of the register.
        func note(_ error: (any Error)?) {
            state.withLockedValue { $0.note(Self.outcome(error), hasKey: false, error) }
        }

        func noteRepetition() { state.withLockedValue { $0.counts.repeated += 1 } }

        func noteLinearizableRead() { state.withLockedValue { $0.counts.linearizable += 1 } }

        func note(sum: Int, expected: Int) {
            state.withLockedValue { state in
                state.counts.sums += 1
                if sum != expected { state.wrongSums.append(sum) }
            }
        }

        func noteReadError(_ error: any Error) {
            state.withLockedValue { $0.counts.errors["read: \(error)", default: 0] += 1 }
        }

        static func outcome(_ error: (any Error)?) -> Outcome {
            guard let error else { return .acknowledged }
            if case ClusterError.commitOutcomeUnknown = error { return .unknown }
            return .refused
        }
    }

    extension Ledger.State {
        fileprivate mutating func note(_ outcome: Ledger.Outcome, hasKey: Bool, _ error: (any Error)?) {
            switch outcome {
            case .acknowledged: counts.acknowledged += 1
            case .unknown where !hasKey: counts.unknown += 1
            case .unknown, .refused: break
            }
            if let error { counts.errors["\(hasKey ? "write with a key" : "write"): \(error)", default: 0] += 1 }
        }
    }
#endif
