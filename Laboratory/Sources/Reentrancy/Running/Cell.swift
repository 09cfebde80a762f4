/// A call in a situation on a ground.
struct Cell: Sendable {
    let situation: Situation
    let ground: Ground
    let call: Call
    /// The number of the call among those of its name, from 1, if there are several.
    let variant: Int?

    var description: String {
        "\(call.name)\(variant.map { " (\($0))" } ?? "") \(situation.name), \(ground.rawValue)"
    }

    /// Whether it must return without an error.
    var mustSucceed: Bool { situation.mustSucceed && call.mustSucceed(on: ground) }

    /// The cells of a situation, in an order that is the same in every process.
    static func all(in situation: Situation) -> [Cell] {
        var variants: [String: Int] = [:]
        let numbered = CallList.all.map { call in
            variants[call.name, default: 0] += 1
            return (call, variants[call.name] ?? 1)
        }
        return numbered.flatMap { call, number in
            Ground.allCases.compactMap { ground in
                guard call.fits(ground), situation.fits(ground) else { return nil }
                if call.scope == .closure, situation.time == .after { return nil }
                let isOnly = variants[call.name] == 1
                return Cell(situation: situation, ground: ground, call: call, variant: isOnly ? nil : number)
            }
        }
    }
}
