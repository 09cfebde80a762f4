import LaboratorySupport
import Testing

@testable import Pairs

/// The frame of the lane `pairs`: seeds, shrinking and refusals.
struct PairTests {
    private func outcome(_ pair: Pair, _ steps: [Pair.Step]) throws -> Pair.Outcome {
        let scratch = try ScratchFolder()
        return try pair.run(steps, in: scratch.emptyFolder("pair"))
    }

    @Test func theSeedOfAPairDecidesItsSteps() {
        let pair = Pair(.undo, .searchExternal)
        #expect(pair.steps(20, seed: 7).map(\.seed) == pair.steps(20, seed: 7).map(\.seed))
        #expect(pair.steps(20, seed: 7).map(\.seed) != pair.steps(20, seed: 8).map(\.seed))
        #expect(pair.steps(20, seed: 7).map(\.seed) != Pair(.undo, .spatial).steps(20, seed: 7).map(\.seed))
    }

    @Test func aPairHolds() throws {
        let pair = Pair(.undo, .searchExternal)
        guard case .held(let count) = try outcome(pair, pair.steps(10, seed: 1)) else {
            Issue.record("the pair did not hold")
            return
        }
        #expect(count == 10)
    }

    @Test func aPairIsRefusedOrCannotBe() throws {
        guard case .refused(let reason) = try outcome(Pair(.undo, .storedColumn), []) else {
            Issue.record("the pair was not refused")
            return
        }
        #expect(reason == "RecordingProblem.generatedColumns")
        guard case .impossible(let contradiction) = try outcome(Pair(.textKey, .uuidKey), []) else {
            Issue.record("the pair was set up")
            return
        }
        #expect(contradiction == "one table has one primary key")
    }

    /// The steps 3 and 17 together fail.
    @Test func aFailureIsShrunkToItsSteps() {
        let steps = (0..<20).map { Pair.Step(actor: .common, seed: $0) }
        let failure = Pair.Failure(text: "broken", steps: steps)
        let shrunk = Pair.shrunk(failure) { steps in
            let seeds = steps.map(\.seed)
            guard seeds.contains(3), seeds.contains(17) else { return nil }
            return Pair.Failure(text: "broken", steps: steps)
        }
        #expect(shrunk.steps.map(\.seed) == [3, 17])
    }
}
