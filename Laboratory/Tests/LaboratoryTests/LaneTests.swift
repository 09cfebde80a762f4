import LaboratorySupport
import Testing

/// The table of a lane and the exit status that it leads to.
struct LaneTests {
    @Test func aLaneWithoutViolationsSucceeds() {
        var lane = Lane("faults")
        lane.run("write error") { (points: 12, violations: []) }
        #expect(lane.exitStatus == 0)
        #expect(lane.summary == "faults: 1 faults, 12 points, 0 violations")
        #expect(lane.markdown.hasSuffix("| write error | 12 | 0 |"))
    }

    @Test func aSkippedRowIsPrintedAndNotCounted() {
        var lane = Lane("faults")
        lane.skip("full disk", because: "mounting needs root")
        #expect(lane.exitStatus == 1)
        lane.run("write error") { (points: 2, violations: []) }
        #expect(lane.exitStatus == 0)
        #expect(lane.summary == "faults: 1 faults, 2 points, 0 violations, 1 skipped")
        #expect(lane.markdown.contains("| full disk | skipped: mounting needs root | |"))
    }

    @Test func aViolationAnErrorAndAnEmptyLaneFail() {
        struct Broken: Error {}
        #expect(Lane("empty").exitStatus == 1)
        var violated = Lane("violated")
        violated.run("read error") { (points: 3, violations: ["point 2: half a transaction"]) }
        #expect(violated.exitStatus == 1)
        var broken = Lane("broken")
        broken.run("no memory") { throw Broken() }
        #expect(broken.violationCount == 1)
        var untried = Lane("untried")
        untried.run("nothing") { (points: 0, violations: []) }
        #expect(untried.violationCount == 1)
    }
}
