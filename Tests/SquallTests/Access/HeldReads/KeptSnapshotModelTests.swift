import Testing

/// All states of a snapshot that is kept in a slot. The controls are models with a mistake.
struct KeptSnapshotModelTests {
    @Test func aKeptSnapshotEndsAndIsNotInTheWay() {
        let result = KeptSnapshotModel().search()
        print("KeptSnapshotModelTests: \(result.states) states")
        #expect(result.broken == nil)
        #expect(result.states > 300)
    }

    @Test(arguments: KeptSnapshotModel.Mistake.allCases)
    func aMistakeBreaksItsRule(mistake: KeptSnapshotModel.Mistake) {
        let rule: KeptSnapshotModel.Rule =
            switch mistake {
            case .putsWithoutTimer, .forgetsThatTimerEnded: .neverEnds
            case .putsDuringCheckpoint, .checkpointsBesideSnapshots: .blocksCheckpoint
            case .takesWithSnapshot, .releasesWithSnapshot: .keptOutsideSlot
            case .startsSecondTimer: .timers
            }
        #expect(KeptSnapshotModel(mistake: mistake).search().broken == rule)
    }
}
