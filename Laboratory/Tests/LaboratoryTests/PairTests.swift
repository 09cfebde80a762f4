import Foundation
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
        guard case .impossible = try outcome(Pair(.searchConditional, .touch), []) else {
            Issue.record("a pair that a guide excludes was set up")
            return
        }
        let pair = Pair(.searchConditional, .olderTouch)
        guard case .held = try outcome(pair, pair.steps(10, seed: 1)) else {
            Issue.record("the order that the guide requires did not hold")
            return
        }
    }

    /// The rows and the model after one statement that a foreign key refuses, or changes.
    @Test func theModelKnowsTheActionsOfForeignKeys() {
        func shape(_ reference: TableShape.Reference) -> TableShape {
            var shape = TableShape()
            shape.require(reference)
            return shape
        }
        var model = Model()
        model.authors = [0: "owner", 1: "owner"]
        model.items[5] = ItemRow(id: 5)
        model.items[5]?.owner = 1
        #expect(model.refuses(.deleteAuthor(1), shape(.restrict)))
        #expect(model.refuses(.replaceAuthor(1), shape(.restrict)))
        #expect(!model.refuses(.replaceAuthor(1), shape(.noAction)))
        #expect(!model.refuses(.deleteAuthor(1), shape(.setDefault)))
        Change.deleteAuthor(1).apply(to: &model, shape(.setDefault))
        #expect(model.items[5]?.owner == 0)
        #expect(model.refuses(.deleteAuthor(0), shape(.setDefault)))
        Change.moveAuthor(0, to: 9).apply(to: &model, shape(.updateCascade))
        #expect(model.items[5]?.owner == 9)
    }

    /// A key that another row has is taken from it, as UPDATE OR REPLACE does.
    @Test func theModelMovesRows() {
        var model = Model()
        for id in [1, 5] { model.items[Int64(id)] = ItemRow(id: Int64(id)) }
        model.items[5]?.late = nil
        guard let row = model.items[5] else { return }
        Change.move(row, to: 7, replacing: false, .record).apply(to: &model, TableShape())
        #expect(model.items.keys.sorted() == [1, 7])
        #expect(model.items[7]?.part == 1 && model.items[7]?.late == nil)
        guard let row = model.items[7] else { return }
        let change = Change.move(row, to: 1, replacing: true, .sql)
        change.apply(to: &model, TableShape())
        #expect(model.rows.map(\.id) == [1])
        #expect(
            change.swift(TableShape())
                == "try c.execute(#\"UPDATE OR REPLACE items SET id = 1, part = 1 WHERE id = 7\"#)")
    }

    /// The Swift of a run is a test that compiles: it is a file of this target. With `SQUALL_RECORD=1`, the test writes it.
    @Test func aRunIsWrittenAsATest() throws {
        let pair = Pair(.undo, .searchExternal)
        let (script, scratch) = (Script(pair), try ScratchFolder())
        _ = try pair.run(pair.steps(5, seed: 12), in: scratch.emptyFolder("pair"), Pair.Additions(script: script))
        let text = try #require(script.test).text
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Golden/undo-searchExternal.swift")
        if ProcessInfo.processInfo.environment["SQUALL_RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try text == String(contentsOf: file, encoding: .utf8), "SQUALL_RECORD=1")
    }

    @Test func surroundingsFollowFromTheSeed() {
        let pair = Pair(.undo, .searchExternal)
        let drawn = (0..<1_000).map { pair.surroundings(seed: $0) }
        #expect(drawn == (0..<1_000).map { pair.surroundings(seed: $0) })
        for processes in [Surroundings.Processes.killed, .outsider] {
            #expect((60...140).contains(drawn.count { $0.processes == processes }))
        }
        #expect((60...140).contains(drawn.count { $0.isInspected }))
    }

    @Test func aChildIsStartedWithItsPairAndSteps() throws {
        let process = PairProcess(.steps, Pair(.undo, .sync), stepCount: 30, seed: 7, folder: "/tmp/a b")
        let child = try #require(PairProcess(process.arguments))
        #expect(child.arguments == process.arguments)
        #expect(child.pair.features == [.undo, .sync])
        #expect(PairProcess(["steps", "undo"]) == nil)
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

    /// A peer that writes over a row wins over it, whatever its clock is.
    @Test func theGreatestVersionOfPeersWins() {
        func version(_ stamp: Int64?, _ previous: PeerVersion?, _ origin: String) -> PeerVersion {
            PeerVersion(stamp.map { ["1", "'a'", "0", "\($0)"] }, over: previous, by: origin)
        }
        let first = version(5, nil, "a")
        #expect(first < version(5, nil, "b"))
        #expect(version(3, first, "a") > version(5, nil, "b"))
        #expect(version(nil, first, "a") > first && version(nil, first, "a") < version(6, nil, "a"))
    }

    /// A change of one column meets a row with another value there, or in another column.
    @Test func theModelAppliesChangesToACopy() {
        var (before, copy) = (Model(), Model())
        for id in 1...2 { before.items[Int64(id)] = ItemRow(id: Int64(id)) }
        (copy, before.authors, copy.authors) = (before, [1: "owner"], [1: "renamed"])
        var after = before
        for id in [1, 2] { after.items[Int64(id)]?.note = "new" }
        after.authors = [:]
        copy.items[1]?.note = "other"
        copy.items[2]?.stars = 9
        func applied(_ replaces: Bool) -> AppliedChanges {
            AppliedChanges(of: before, to: after, in: copy, replaces: replaces, runsActions: true, TableShape())
        }
        #expect(applied(false).kinds == [.data] && applied(false).model.authors == [1: "renamed"])
        #expect(applied(false).model.rows.map(\.note) == ["other", "new"])
        #expect(applied(true).model.rows.map(\.note) == ["new", "new"] && applied(true).model.authors.isEmpty)
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
