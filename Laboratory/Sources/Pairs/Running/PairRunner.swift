import Foundation
import LaboratorySupport

/// Runs pairs on all cores.
struct PairRunner: Sendable {
    private let options: LaneOptions
    private let scratch: ScratchFolder
    private let stepCount: Int

    init(_ options: LaneOptions, _ scratch: ScratchFolder) {
        (self.options, self.scratch) = (options, scratch)
        let steps = ProcessInfo.processInfo.environment["STEPS"].flatMap { Int($0) }
        stepCount = steps ?? (options.isShort ? 12 : 500)
    }

    /// Draws some triples of features. The short form has none.
    func triples() -> [Pair] {
        if options.isShort { return [] }
        var dice = Dice(seed: options.seed)
        let features = Feature.allCases.filter { options.rows.isEmpty || options.includes("\($0)") }
        return (0..<1_000).map { _ in
            Pair(dice.choice(of: features), dice.choice(of: features), dice.choice(of: features))
        }
    }

    /// Whether a pair is run: `ROWS` names one of its features, or both where it has several names.
    func includes(_ pair: Pair) -> Bool {
        let included = pair.features.count { options.includes("\($0)") }
        return options.rows.count > 1 ? included == pair.features.count : included > 0
    }

    /// Runs pairs, and returns their outcomes in the same order.
    func run(_ pairs: [Pair]) throws -> [Pair.Outcome] {
        let outcomes = Outcomes(count: pairs.count)
        DispatchQueue.concurrentPerform(iterations: pairs.count) { index in
            outcomes.set(index, Result { try run(pairs[index], index) })
        }
        return try outcomes.all()
    }

    /// - Parameter index: A part of the name of the folder: a triple can be drawn twice.
    private func run(_ pair: Pair, _ index: Int) throws -> Pair.Outcome {
        let number = "\(index)-" + pair.features.map { "\($0)" }.joined(separator: "-")
        let outcome = pair.run(pair.steps(stepCount, seed: options.seed), in: try scratch.emptyFolder(number))
        var final = outcome
        if case .broken(let failure) = outcome {
            final = .broken(
                try Pair.shrunk(failure) { steps in
                    guard case .broken(let smaller) = pair.run(steps, in: try scratch.emptyFolder(number)) else {
                        return nil
                    }
                    return smaller
                })
        }
        try? FileManager.default.removeItem(atPath: "\(scratch.path)/\(number)")
        return final
    }
}

/// The outcomes of pairs that run at the same time.
///
/// Sendable, because a lock protects its state.
private final class Outcomes: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [Result<Pair.Outcome, any Error>?]

    init(count: Int) { results = Array(repeating: nil, count: count) }

    func set(_ index: Int, _ result: Result<Pair.Outcome, any Error>) {
        lock.withLock { results[index] = result }
    }

    func all() throws -> [Pair.Outcome] {
        try lock.withLock { results }.compactMap { try $0?.get() }
    }
}
