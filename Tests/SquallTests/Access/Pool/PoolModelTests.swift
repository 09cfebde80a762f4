import SquallTestSupport
import Testing

/// All states that the threads of a pool can reach, step by step. The controls are models with a mistake, which the search
/// must find.
// The model has one thread and no pointers: under a sanitizer it would only take minutes.
@Suite(.enabled(if: !Sanitizers.areInUse))
struct PoolModelTests {
    typealias Model = PoolModel

    private static func model(_ change: (inout Model) -> Void) -> Model {
        var model = Model()
        change(&model)
        return model
    }

    private static func changed(_ model: Model, _ change: (inout Model) -> Void) -> Model {
        var model = model
        change(&model)
        return model
    }

    @Test(arguments: [
        ("four clients, one connection", model { ($0.clients, $0.withdraws) = (4, true) }, 1_500),
        ("two connections", model { ($0.pool, $0.clients, $0.requests) = (.opening(maximum: 2), 3, 2) }, 6_000),
        ("three requests each", model { ($0.requests, $0.withdraws, $0.discards) = (3, true, true) }, 900),
        (
            "opening fails",
            model { ($0.pool, $0.clients, $0.requests, $0.openingFails) = (.opening(maximum: 2), 3, 2, true) }, 12_000
        ),
        ("closures close", model { ($0.pool, $0.clients, $0.discards) = (.opening(maximum: 2), 3, true) }, 2_000),
        ("the writer", model { ($0.pool, $0.clients, $0.requests, $0.withdraws) = (.only, 3, 2, true) }, 1_600),
    ])
    func clientsKeepTheRules(name: String, model: Model, leastStates: Int) {
        expectTheRules(name, model, leastStates)
    }

    private static let readers = model {
        ($0.pool, $0.clients, $0.openingFails, $0.withdraws) = (.opening(maximum: 2), 3, true, true)
    }

    @Test(arguments: [
        ("a checkpoint", changed(readers) { ($0.holds, $0.holdTimesOut) = (true, true) }, 8_000),
        ("a drain", changed(readers) { $0.drains = true }, 4_500),
        ("a suspension", changed(readers) { $0.suspends = true }, 5_000),
        ("closing", changed(readers) { $0.closes = true }, 4_000),
        (
            "a checkpoint and a suspension",
            model { ($0.holds, $0.holdTimesOut, $0.suspends, $0.requests) = (true, true, true, 2) }, 4_500
        ),
        ("a checkpoint and closing", model { ($0.holds, $0.closes, $0.withdraws) = (true, true, true) }, 1_000),
        ("a suspension and closing", model { ($0.suspends, $0.closes, $0.requests) = (true, true, 2) }, 2_000),
        (
            "everything",
            model { ($0.holds, $0.suspends, $0.drains, $0.closes, $0.discards) = (true, true, true, true, true) },
            15_000
        ),
        (
            "a suspended writer",
            model { ($0.pool, $0.clients, $0.requests, $0.suspends) = (.only, 3, 2, true) }, 6_000
        ),
        (
            "a suspended writer that is closed",
            model { ($0.pool, $0.requests, $0.suspends, $0.closes) = (.only, 2, true, true) }, 2_000
        ),
    ])
    func otherThreadsKeepTheRules(name: String, model: Model, leastStates: Int) {
        expectTheRules(name, model, leastStates)
    }

    private func expectTheRules(_ name: String, _ model: Model, _ leastStates: Int) {
        let result = model.search()
        print("PoolModelTests: \(name): \(result.states) states")
        #expect(result.broken == nil, "\(result.path)")
        #expect(result.states > leastStates)
    }

    @Test(
        arguments: [
            ("waits beside open slots", .waiterBesideFreeConnection, model { $0.mistake = .waitsBesideOpenSlots }),
            ("uses closed slots", .waiterBesideFreeConnection, model { $0.mistake = .usesClosedSlots }),
            ("returns twice", .connectionHasTwoUsers, model { $0.mistake = .returnsTwice }),
            ("returns the permit early", .permits, model { ($0.mistake, $0.discards) = (.returnsPermitEarly, true) }),
            ("opens beyond the maximum", .tooManyConnections, model { $0.mistake = .opensBeyondMaximum }),
            ("forgets the refused", .lostWaiter, model { ($0.mistake, $0.closes) = (.forgetsRefused, true) }),
            ("forgets the callbacks", .neverEnds, model { ($0.mistake, $0.closes) = (.forgetsCallbacks, true) }),
            ("serves the last", .order, model { ($0.mistake, $0.clients) = (.servesLast, 3) }),
            ("holds beside open slots", .exclusive, model { ($0.mistake, $0.holds) = (.holdsBesideOpenSlots, true) }),
            ("forgets the end of a hold", .lostWaiter, model { ($0.mistake, $0.holds) = (.forgetsEndOfHold, true) }),
            (
                "keeps connections open", .openDuringSuspension,
                model { ($0.mistake, $0.suspends) = (.keepsOpenInSuspension, true) }
            ),
            ("ends before it is closed", .notClosed, model { ($0.mistake, $0.closes) = (.endsBeforeClosed, true) }),
        ] as [(String, Model.Rule, Model)])
    func aMistakeBreaksItsRule(name: String, rule: Model.Rule, model: Model) {
        #expect(model.search().broken == rule)
    }
}

extension PoolModel: CustomTestStringConvertible {
    var testDescription: String { "a model of \(clients) clients" }
}
