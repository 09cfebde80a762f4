/// A call in a situation on a ground.
struct Cell: Sendable {
    /// How a call must end.
    enum Outcome {
        /// With a result, or with an error of Squall.
        case any
        case returns
        case fails
    }

    let situation: Situation
    let ground: Ground
    let call: Call
    /// The number of the call among those of its name, from 1, if there are several.
    let variant: Int?

    /// The name of the call, with its number.
    var callName: String { call.name + (variant.map { " (\($0))" } ?? "") }

    var description: String { "\(callName) \(situation.name), \(ground.rawValue)" }

    /// How the call must end.
    var outcome: Outcome {
        switch situation.expectation {
        case .anything: .any
        case .success: ExpectedErrors.fails(callName, on: ground) ? .fails : .returns
        case .noConnection: canRunInHook ? .any : .fails
        }
    }

    private var canRunInHook: Bool {
        call.scope == .database || HookRules.worksInHooks(call.name, variant: variant)
    }

    /// The cells of a situation, in an order that is the same in every process.
    static func all(in situation: Situation) -> [Cell] {
        candidates(in: situation).filter { ImpossibleCells.rule(for: $0) == nil }
    }

    /// The cells of a situation, with those in which it cannot occur.
    static func candidates(in situation: Situation) -> [Cell] {
        numberedCalls.flatMap { call, variant in
            Ground.allCases.compactMap { ground in
                guard call.fits(ground), situation.fits(call, ground) else { return nil }
                return Cell(situation: situation, ground: ground, call: call, variant: variant)
            }
        }
    }

    private static let numberedCalls: [(Call, Int?)] = {
        let counts = CallList.all.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
        var numbers: [String: Int] = [:]
        return CallList.all.map { call in
            numbers[call.name, default: 0] += 1
            return (call, counts[call.name] == 1 ? nil : numbers[call.name])
        }
    }()
}
