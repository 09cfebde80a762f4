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

    @Test func theChangesOfAModel() {
        var (before, after) = (Model(), Model())
        for id in 1...3 { before.items[Int64(id)] = ItemRow(id: Int64(id)) }
        after.items = before.items
        // Equal characters with other bytes.
        before.items[1]?.name = "\u{e9}"
        after.items[1]?.name = "e\u{301}"
        after.items[2]?.late = nil
        after.items[3] = nil
        after.authors[1] = "owner"
        #expect(
            before.changes(to: after) == [
                "delete items", "insert authors", "update items [\"late\"]", "update items [\"name\"]",
            ])
    }

    /// The steps 3 and 17 together fail.
    @Test func aFailureIsShrunkToItsSteps() {
        let steps = (0..<20).map { Pair.Step(actor: .common, seed: $0) }
        let failure = Pair.Failure(text: "broken", steps: steps, script: [])
        let shrunk = Pair.shrunk(failure) { steps in
            let seeds = steps.map(\.seed)
            guard seeds.contains(3), seeds.contains(17) else { return nil }
            return Pair.Failure(text: "broken", steps: steps, script: [])
        }
        #expect(shrunk.steps.map(\.seed) == [3, 17])
    }
}
