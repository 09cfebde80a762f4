import Testing

@testable import Squall

/// The number of changed rows after which a database updates its statistics.
struct OptimizeScheduleTests {
    private static func due(upTo last: Int64, in step: Int64) -> [Int64] {
        var schedule = OptimizeSchedule(isOn: true)
        return stride(from: 0, through: last, by: Int(step)).filter { changes in
            guard schedule.isDue(changes: changes) else { return false }
            schedule.didBegin(changes: changes)
            return true
        }
    }

    @Test func itIsDueWhenTheNumberHasDoubled() {
        #expect(Self.due(upTo: 70_000, in: 1) == [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000])
    }

    @Test func itIsDueOnceInAHundredThousand() {
        #expect(Self.due(upTo: 500_000, in: 100).suffix(4) == [128_000, 228_000, 328_000, 428_000])
    }

    @Test func aLargeWriteIsFollowedByOne() {
        #expect(Self.due(upTo: 3_000_000, in: 1_000_000) == [1_000_000, 2_000_000, 3_000_000])
    }

    @Test func itIsNeverDueWhenItIsOff() {
        #expect(!OptimizeSchedule(isOn: false).isDue(changes: .max - 1))
    }
}
