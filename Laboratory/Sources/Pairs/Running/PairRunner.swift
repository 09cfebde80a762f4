import Foundation
import LaboratorySupport

/// Runs pairs on all cores.
struct PairRunner: Sendable {
    private let options: LaneOptions
    private let scratch: ScratchFolder
    private let stepCount: Int
    let tally = Tally()
    /// The surroundings of each run; `nil` if they are drawn.
    private let forced: String?

    init(_ options: LaneOptions, _ scratch: ScratchFolder) {
        (self.options, self.scratch) = (options, scratch)
        let steps = ProcessInfo.processInfo.environment["STEPS"].flatMap { Int($0) }
        forced = ProcessInfo.processInfo.environment["WITH"]
        stepCount = steps ?? (options.isShort ? 12 : 500)
    }

    /// Draws some triples of features, of which `ROWS` names one, or all where it has several names. The short form has none.
    func triples() -> [Pair] {
        if options.isShort { return [] }
        var dice = Dice(seed: options.seed)
        let features = Feature.allCases.filter { options.rows.isEmpty || options.includes("\($0)") }
        let others = options.rows.count > 1 ? features : Feature.allCases
        return (0..<1_000).map { _ in
            Pair(dice.choice(of: features), dice.choice(of: others), dice.choice(of: others))
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
            outcomes.set(index, Result { try run(pairs[index], number: index) })
        }
        return try outcomes.all()
    }

    /// - Parameter number: A number for the folder: a triple can be drawn twice.
    private func run(_ pair: Pair, number: Int) throws -> Pair.Outcome {
        let name = "\(number)-" + pair.features.map { "\($0)" }.joined(separator: "-")
        defer { scratch.remove(name) }
        let surroundings =
            forced != nil || options.isShort ? Surroundings(forced) : pair.surroundings(seed: options.seed)
        let steps = pair.steps(stepCount, seed: options.seed)
        if let outcome = try run(pair, steps, surroundings.processes, name) { return outcome }
        let additions = Pair.Additions(isInspected: surroundings.isInspected, tally: tally)
        let outcome = pair.run(steps, in: try scratch.emptyFolder(name), additions)
        guard case .broken(let failure) = outcome else {
            if surroundings.writesSwift { _ = try script(of: pair, steps, name) }
            return outcome
        }
        var smallest = try Pair.shrunk(failure) { steps in
            guard case .broken(let smaller) = pair.run(steps, in: try scratch.emptyFolder(name), additions) else {
                return nil
            }
            return smaller
        }
        smallest.script = try script(of: pair, smallest.steps, name)
        return .broken(smallest)
    }

    /// Runs steps again, writes their Swift into a file, and returns its path.
    private func script(of pair: Pair, _ steps: [Pair.Step], _ name: String) throws -> String? {
        let script = Script(pair)
        _ = pair.run(steps, in: try scratch.emptyFolder(name), Pair.Additions(script: script))
        let folder = URL(filePath: FileManager.default.currentDirectoryPath).appending(path: ".build/pairs")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "\(name).swift")
        try script.test?.text.write(to: file, atomically: true, encoding: .utf8)
        return script.test == nil ? nil : file.path
    }

    /// Runs steps with another process.
    ///
    /// - Returns: The outcome; `nil` where there is no other process, or where the steps may fail without it too.
    private func run(
        _ pair: Pair, _ steps: [Pair.Step], _ processes: Surroundings.Processes, _ name: String
    ) throws -> Pair.Outcome? {
        if processes == .one { return nil }
        let folder = try scratch.emptyFolder(name)
        let process = PairProcess(
            processes == .killed ? .steps : .outsider, pair, stepCount: stepCount, seed: options.seed, folder: folder)
        let other = "\(name)-reference"
        defer { scratch.remove(other) }
        let outcome =
            processes == .killed
            ? try KilledRun(
                pair: pair, steps: steps, process: process, folder: scratch.emptyFolder(other), tally: tally
            ).run()
            : pair.run(steps, in: folder, Pair.Additions(outsider: process, tally: tally))
        guard case .broken(let failure)? = outcome else { return outcome }
        if case .broken = pair.run(failure.steps, in: try scratch.emptyFolder(name)) { return nil }
        // The moment decides, so that fewer steps tell nothing.
        let text = "with another process: \(failure.text)"
        return .broken(
            Pair.Failure(text: text, steps: failure.steps, script: try script(of: pair, failure.steps, name)))
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
