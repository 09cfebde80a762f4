import Testing

/// All states that readers with kept transactions can reach beside writers and checkpoints. The controls are models with a
/// defect, which the search must find.
struct HeldReadsModelTests {
    typealias Model = HeldReadsModel

    private static func model(_ change: (inout Model) -> Void) -> Model {
        var model = Model()
        change(&model)
        return model
    }

    // MARK: Every read sees all that was committed before its call

    @Test(arguments: [
        (model { _ in }, 150_000),
        // On ARM, a reader may load the words in another order.
        (model { ($0.capacity, _) = (1, $0.words.reverse()) }, 90_000),
        (model { ($0.capacity, $0.kills) = (1, 1) }, 180_000),
    ])
    func noReadIsStaleOrOverwritten(model: Model, leastStates: Int) {
        let result = model.search()
        #expect(result.defect == nil, "\(result.path)")
        #expect(result.states > leastStates)
        #expect(result.restarts == 1)
    }

    @Test(arguments: [
        ("never compares", model { $0.renews = false }),
        // The transaction is older than the copy.
        ("copies after the read", model { $0.copiesBeforeRead = false }),
        // After a restart, the log has as many frames as before.
        ("compares the frames", model { $0.words = [.frames, .secondFrames] }),
        // The frames of one header and the salt of the next can be those of a later header. With SQLite's counter of
        // commits, one copy of the header is enough, in any order of the words.
        ("compares the first header", model { $0.words = [.frames, .salt, .copiedFrames] }),
        ("compares the second header", model { $0.words = [.secondFrames, .secondSalt, .copiedFrames] }),
        // In this order, two copies are no better than one. The counter helps here too.
        ("loads by fields", model { $0.words = [.frames, .secondFrames, .salt, .secondSalt, .copiedFrames] }),
    ])
    func aReaderThatComparesLessIsStale(name: String, model: Model) {
        #expect(model.search().defect == .staleRead)
    }

    /// The reset race that SQLite 3.51.3 ended.
    @Test func theModelFindsADefectOfSQLite() {
        #expect(Self.model { $0.words = [] }.search().defect == nil)
        #expect(Self.model { ($0.words, $0.hasResetRace) = ([], true) }.search().defect == .overwrittenPage)
    }

    // MARK: Checkpoints finish

    private static let waitingCheckpoint = model {
        ($0.capacity, $0.lastVersion, $0.hasRestartCheckpoints, $0.hasIdleReaders) = (1, 1, true, false)
    }

    /// Without a limit of age, a reader that is never idle keeps its mark until the index changes. There are two times at which
    /// it can begin, and after which a checkpoint that waits does not change the index:
    ///
    /// - The checkpoint waits for a mark that was lower than the log. The reader begins again, and uses this mark.
    /// - All frames are copied, and the file is not unlocked yet. The reader uses a mark, although it does not need the log.
    @Test func aCheckpointCanWaitForeverForATransactionThatIsKeptForever() {
        let result = Self.waitingCheckpoint.search()
        #expect(result.waiting > 30_000)
        #expect(result.stuck > 0 && result.stuck == result.stuckBesideLock)
    }

    /// It can finish, which does not say how soon: its attempts must meet the time between two transactions.
    @Test func aCheckpointFinishesIfTransactionsAreNotKeptForever() {
        var model = Self.waitingCheckpoint
        model.limitsAge = true
        let result = model.search()
        #expect(result.waiting > 30_000)
        #expect(result.stuck == 0)
    }

    @Test func aCheckpointDoesNotFinishIfReadersDoNotCompareTheCopiedFrames() {
        var model = Self.waitingCheckpoint
        model.words.removeLast()
        let result = model.search()
        #expect(result.stuck > result.stuckBesideLock)
    }

    @Test func aCheckpointFinishesBesideReadersThatKeepNothing() {
        var model = Self.waitingCheckpoint
        model.words = []
        #expect(model.search().stuck == 0)
    }

    // MARK: The log is reset

    private static let turns = model {
        ($0.takesTurns, $0.hasIdleReaders, $0.capacity, $0.lastVersion, $0.lastSalt) = (true, false, 6, 15, 3)
    }

    @Test func theLogIsResetBesideReadersThatAreNeverIdle() {
        var model = Self.turns
        model.bound = 2
        let result = model.search()
        #expect(result.states > 1_000)
        // The frame with which readers stop keeping transactions, and the one that the next commit appends.
        #expect(result.longestLog == model.bound + 2)
        #expect(result.restarts == model.lastSalt)
    }

    @Test func withoutABoundTheLogIsNeverReset() {
        var model = Self.turns
        model.bound = model.capacity
        let result = model.search()
        #expect(result.longestLog == model.capacity)
        #expect(result.restarts == 0)
    }
}

extension HeldReadsModel: CustomTestStringConvertible {
    var testDescription: String { "a model of \(capacity) frames" }
}
