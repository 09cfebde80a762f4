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
    var mustSucceed: Bool { situation.expectation == .success && call.mustSucceed(on: ground) }

    /// Whether the situation must occur.
    var mustOccur: Bool {
        // Some situations begin a transaction: the closure of a group is in one, and beside a blob that is open for writing none can end.
        situation.isCertain && ground != .group && call.name != "Blob.write(_:at:)"
    }

    /// Whether it must throw.
    var mustThrow: Bool {
        situation.expectation == .noConnection && call.scope != .database && !HookRules.worksInHooks(call.name)
    }

    /// The cells of a situation, in an order that is the same in every process.
    static func all(in situation: Situation) -> [Cell] {
        var variants: [String: Int] = [:]
        let numbered = CallList.all.map { call in
            variants[call.name, default: 0] += 1
            return (call, variants[call.name] ?? 1)
        }
        return numbered.flatMap { call, number in
            Ground.allCases.compactMap { ground in
                guard call.fits(ground), situation.fits(call, ground) else { return nil }
                let isOnly = variants[call.name] == 1
                return Cell(situation: situation, ground: ground, call: call, variant: isOnly ? nil : number)
            }
        }
    }
}
