import Foundation

enum MutationError: Error, CustomStringConvertible {
    case failed(String)

    var description: String {
        switch self {
        case .failed(let text): text
        }
    }
}

/// A run over the mutants of one seed. Its state is a file, so that a run that was ended goes on where it stopped. With other tests,
/// it goes on with the mutants that survived. With another seed or size, or other sources, it starts again.
final class MutationRun {
    struct State: Codable {
        var seed: UInt64
        var count: Int
        /// Numbers that change with the sources and the tests.
        var sources: UInt64
        var tests: UInt64
        var mutants: [Mutant] = []
        /// The mutants that did not compile.
        var dropped: Set<Int> = []
        var isBuilt = false
        var suites: [TestSuites.Suite]?
        var failingSuites: [String] = []
        /// The suite that noticed each mutant; an empty text if none did.
        var outcomes: [Int: String] = [:]

        /// Forgets what other tests may change.
        mutating func testsChanged(to tests: UInt64) {
            self.tests = tests
            (isBuilt, suites, failingSuites) = (false, nil, [])
            outcomes = outcomes.filter { !$0.value.isEmpty }
        }
    }

    private let copy: MutatedCopy
    private let file: URL
    private let count: Int
    private(set) var state: State

    init(copy: MutatedCopy, seed: UInt64, count: Int) throws {
        self.copy = copy
        self.count = count
        file = copy.folder.appending(path: "state.json")
        state = State(
            seed: seed, count: count, sources: try MutatedCopy.fingerprint(of: "Sources", in: copy.root),
            tests: try MutatedCopy.fingerprint(of: "Tests", in: copy.root))
        guard let saved = try? JSONDecoder().decode(State.self, from: Data(contentsOf: file)), saved.seed == seed,
            saved.count == count, saved.sources == state.sources
        else { return }
        let tests = state.tests
        state = saved
        if tests == saved.tests { return }
        state.testsChanged(to: tests)
        try copy.copyTests()
    }

    /// The mutants that compiled, as many as were asked for.
    var mutants: [Mutant] { Array(state.mutants.filter { !state.dropped.contains($0.id) }.prefix(count)) }

    func run() throws {
        if state.mutants.isEmpty { try choose() }
        try build()
        try measureSuites()
        try testMutants()
    }

    private func choose() throws {
        let candidates = try MutatedCopy.candidates(in: copy.root)
        // Some do not compile.
        state.mutants = MutantChoice(seed: state.seed).choose(count + count / 3, from: candidates)
        try copy.make()
        print("\(candidates.count) places, \(state.mutants.count) chosen by seed \(state.seed)")
        try save()
    }

    private func build() throws {
        if state.isBuilt { return }
        for round in 1...12 {
            let kept = state.mutants.filter { !state.dropped.contains($0.id) }
            let lines = try copy.write(kept, replacing: state.mutants)
            let log = copy.folder.appending(path: "build.log")
            print("build \(round), \(kept.count) mutants")
            if try ChildProcess.run(["swift", "build", "--build-tests"], in: copy.folder, output: log) == .exit(0) {
                state.isBuilt = true
                return try save()
            }
            let broken = try brokenMutants(log, kept, lines)
            if broken.isEmpty { throw MutationError.failed("the copy does not build: see \(log.path)") }
            state.dropped.formUnion(broken)
            try save()
        }
        throw MutationError.failed("the copy does not build")
    }

    /// Returns the mutants in whose lines the compiler reports errors. An error in another line, such as a missing
    /// `return`, is that of the mutant before it.
    private func brokenMutants(_ log: URL, _ kept: [Mutant], _ lines: [Int: ClosedRange<Int>]) throws -> Set<Int> {
        var broken: Set<Int> = []
        for line in Set(try String(contentsOf: log, encoding: .utf8).split(separator: "\n")) {
            guard let found = line.firstMatch(of: /\/Sources\/([^:]+):(\d+):\d+: error:/), let row = Int(found.2)
            else { continue }
            let before = kept.filter { $0.file == found.1 && lines[$0.id].map { $0.lowerBound <= row } == true }
            let inLine = before.filter { lines[$0.id]?.contains(row) == true }
            let last = before.max { lines[$0.id]?.lowerBound ?? 0 < lines[$1.id]?.lowerBound ?? 0 }
            broken.formUnion((inLine.isEmpty ? [last].compactMap(\.self) : inLine).map(\.id))
        }
        return broken
    }

    private func measureSuites() throws {
        if state.suites != nil { return }
        let tests = TestSuites(of: copy)
        var suites: [TestSuites.Suite] = []
        for name in try tests.names() {
            if let suite = try tests.measure(name) {
                suites.append(suite)
            } else {
                state.failingSuites.append(name)
            }
        }
        print("\(suites.count) suites; left out, because they fail in the copy: \(state.failingSuites)")
        state.suites = suites
        try save()
    }

    private func testMutants() throws {
        let tests = TestSuites(of: copy)
        for mutant in mutants where state.outcomes[mutant.id] == nil {
            // The fast ones first.
            let suites = (state.suites ?? []).filter { $0.reached.contains(mutant.id) }.sorted {
                $0.seconds < $1.seconds
            }
            let noticing = try suites.first { try tests.notices($0, mutant.id) }
            state.outcomes[mutant.id] = noticing?.name ?? ""
            try save()
            let outcome = noticing.map(\.name) ?? "SURVIVED (\(suites.count) suites reach it)"
            print("\(mutant.id) \(mutant.description): \(outcome)")
        }
    }

    private func save() throws {
        // So that a log shows how far the run is.
        fflush(nil)
        try JSONEncoder().encode(state).write(to: file, options: .atomic)
    }
}
