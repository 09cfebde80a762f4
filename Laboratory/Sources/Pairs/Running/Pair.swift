import Foundation

/// Features that meet, most often two, and the steps that they run.
struct Pair: Sendable {
    let features: [Feature]

    init(_ features: [Feature]) { self.features = features }

    init(_ features: Feature...) { self.init(features) }

    var name: String { features.map { "\($0)" }.joined(separator: " × ") }

    /// A step: one of common changes, of a feature, or a reopening, with the seed of its choices.
    struct Step: Sendable {
        enum Actor: Sendable {
            case common, feature(Int), reopening
        }

        let actor: Actor
        let seed: UInt64
    }

    /// The end of a run.
    enum Outcome: Sendable {
        case held(steps: Int)
        /// The library has refused the pair with a typed error.
        case refused(String)
        /// No table can have both.
        case impossible(String)
        case broken(Failure)
    }

    struct Failure: Sendable {
        let text: String
        /// The steps up to the one that failed.
        let steps: [Step]
        /// The path of the Swift that the steps execute.
        var script: String?
    }

    /// Draws steps. The names are a part of the seed: each pair has its own, whatever other pairs are run.
    func steps(_ count: Int, seed: UInt64) -> [Step] {
        var dice = Dice(seed: mixed(seed))
        return (0..<count).map { _ in
            let actor: Step.Actor =
                switch dice.number(below: 20) {
                case 0: .reopening
                case 1..<12: .common
                default: .feature(dice.number(below: features.count))
                }
            return Step(actor: actor, seed: dice.seed())
        }
    }

    /// Mixes a seed with the names.
    private func mixed(_ seed: UInt64) -> UInt64 {
        name.utf8.reduce(seed &* 0x0100_0000_01b3 ^ 0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01b3 }
    }

    /// Draws the surroundings of a run.
    func surroundings(seed: UInt64) -> Surroundings {
        var dice = Dice(seed: mixed(seed &+ 1))
        return Surroundings(&dice)
    }

    /// Makes the parts of the features, and the form of the tables that all of them ask for.
    func makeParts() -> (parts: [any FeatureParts], shape: TableShape) {
        let parts = zip(features, ["a", "b", "c"]).map { $0.parts($1) }
        var shape = TableShape()
        for part in parts { part.shape(&shape) }
        shape.close()
        return (parts, shape)
    }

    /// Makes a new database.
    func world(in folder: String) throws -> World {
        let (parts, shape) = makeParts()
        return try World(in: folder, parts, shape)
    }

    /// Additions to a run.
    struct Additions {
        /// Whether the tool inspects the file at the end.
        var isInspected = false
        /// A process that uses the file at the same time.
        var outsider: PairProcess?
        /// Takes the Swift that is run.
        var script: Script?
        var tally: Tally?
    }

    /// Runs steps on a new database.
    func run(_ steps: [Step], in folder: String, _ additions: Additions = Additions()) -> Outcome {
        let (parts, shape) = makeParts()
        if let reason = shape.contradiction { return .impossible(reason) }
        var world: World?
        var process: OutsiderProcess?
        var done = 0
        do {
            let made = try World(in: folder, parts, shape, additions.script)
            world = made
            if let reason = try made.setUp() {
                try require(Refusals.allows(self, reason), "refused with \(reason)")
                try made.close()
                return .refused(reason)
            }
            try require(Refusals.required(for: self).isEmpty, "not refused with \(Refusals.required(for: self))")
            if let outsider = additions.outsider {
                process = try made.start(outsider)
                if process != nil { additions.tally?.note(.outsider) }
            }
            for step in steps {
                done += 1
                try made.run(step)
            }
            for part in parts { try part.end(made) }
            try process?.end()
            try made.reopen()
            try made.close()
            if additions.isInspected, try made.inspect() { additions.tally?.note(.inspected) }
            additions.script?.end(made, nil)
            guard let reason = made.refusal else {
                let missed = Refusals.required(inStepsOf: self)
                try require(missed.isEmpty, "no step was refused with \(missed)")
                return .held(steps: steps.count)
            }
            try require(Refusals.allows(self, reason), "refused with \(reason)")
            return .refused(reason)
        } catch {
            if let world { additions.script?.end(world, "\(error)") }
            try? world?.close()
            return .broken(Failure(text: "\(error)", steps: Array(steps.prefix(done))))
        }
    }

    /// Drops the steps without which a failure still occurs: many at once first, then one after the other.
    ///
    /// - Parameter run: Runs steps, and returns the failure; `nil` if they hold.
    static func shrunk(_ failure: Failure, _ run: ([Step]) throws -> Failure?) rethrows -> Failure {
        var smallest = failure
        var size = max(1, failure.steps.count / 2)
        while true {
            var start = smallest.steps.count - size
            while start >= 0 {
                var fewer = smallest.steps
                fewer.removeSubrange(start..<start + size)
                if let smaller = try run(fewer) { smallest = smaller }
                start = min(start, smallest.steps.count) - size
            }
            if size == 1 { return smallest }
            size /= 2
        }
    }
}
