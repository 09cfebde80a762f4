import Testing

@testable import Squall

/// The states of observers, without a database.
final class ObservationStateTests {
    private var state = ObservationState()

    private static func region(_ table: Identifier, column: Int = 0) -> Region {
        var region = Region()
        region.insert(TableName(table), TableRegion(columns: ColumnMask(column: column)))
        return region
    }

    private static func change(_ table: Identifier, column: Int = 0, rowIDs: Set<Int64>? = []) -> CommitChanges {
        var changes = CommitChanges()
        changes.insert(TableName(table), RowChanges(columns: ColumnMask(column: column), rowIDs: rowIDs))
        return changes
    }

    @Test func rowIDsAreNeededOnlyByObserversOfRows() {
        var region = Self.region("cars")
        var interest = Interest()
        interest.insert(region, needsRowIDs: false)
        #expect(interest.tables.values.map(\.needsRowIDs) == [false])
        interest.insert(region, needsRowIDs: true)
        #expect(interest.tables.values.map(\.needsRowIDs) == [true])
        region.insert(TableName("cars"), TableRegion(columns: ColumnMask(column: 1)))
        interest.insert(region, needsRowIDs: false)
        #expect(interest.tables.values.map(\.needsRowIDs) == [true])
    }

    @Test func aRegionIsComparableIfBothAre() {
        for (one, other) in [(true, true), (true, false), (false, true)] {
            var region = TableRegion(columns: .all)
            var more = region
            (region.isComparable, more.isComparable) = (one, other)
            region.formUnion(more)
            #expect(region.isComparable == (one && other))
        }
    }

    /// Adds an observer that has read a region and waits.
    private func watch(_ region: Region) -> Int {
        let number = state.addFetching()
        #expect(beginFetch(number))
        #expect(settle(number, since: state.commits))
        state.endFetch(number, region)
        #expect(state.phase(of: number) == .watching)
        return number
    }

    // `#expect` cannot call a mutating method.
    private func beginFetch(_ number: Int) -> Bool { state.beginFetch(number) }
    private func settle(_ number: Int, since commits: UInt64) -> Bool { state.settle(number, since: commits) }
    private func takeCollected(_ number: Int) -> (changes: CommitChanges, region: Region)? {
        state.takeCollected(number)
    }
    private func close() -> [Int] { state.close() }

    private func publish(_ changes: CommitChanges, version: Int) -> [Int] {
        state.publish(changes, version: version, isOwnCommit: true)
    }

    private func publish(_ changes: CommitChanges) -> [Int] { publish(changes, version: state.interestVersion) }

    @Test func aChangeWakesThoseItConcerns() {
        let (cars, prices, orders) = (
            watch(Self.region("cars")), watch(Self.region("cars", column: 1)), watch(Self.region("orders"))
        )
        #expect(publish(Self.change("CARS")) == [cars])
        #expect(state.phase(of: cars) == .changed(isCertain: true))
        #expect(publish(Self.change("orders")) == [orders])
        #expect(state.phase(of: prices) == .watching)
        #expect(publish(.everything) == [prices])
        #expect(state.phase(of: prices) == .changed(isCertain: false))
        #expect(publish(CommitChanges()) == [])
    }

    @Test func observersOfTheSameRegionAreWokenTogether() {
        let numbers = [watch(Self.region("cars")), watch(Self.region("cars"))]
        #expect(Set(publish(Self.change("cars"))) == Set(numbers))
        // They watch no more until they have read again.
        #expect(publish(Self.change("cars")) == [])
    }

    @Test(arguments: [true, false]) func aChangeDuringAFetch(isSettled: Bool) {
        let number = watch(Self.region("cars"))
        #expect(beginFetch(number))
        if isSettled { #expect(settle(number, since: state.commits)) }
        #expect(publish(Self.change("cars")) == [])
        #expect(publish(Self.change("orders")) == [])
        state.endFetch(number, Self.region("cars"))
        #expect(state.phase(of: number) == .changed(isCertain: isSettled))
    }

    @Test func aChangeDuringAFetchOfAnotherRegion() {
        let number = watch(Self.region("cars"))
        #expect(beginFetch(number))
        #expect(publish(Self.change("cars")) == [])
        // It has read another table this time.
        state.endFetch(number, Self.region("orders"))
        #expect(state.phase(of: number) == .watching)
        #expect(publish(Self.change("cars")) == [])
        #expect(publish(Self.change("orders")) == [number])
    }

    /// A snapshot that begins after a commit has its changes.
    @Test func aSnapshotForgetsTheChangesBeforeIt() {
        let number = watch(Self.region("cars"))
        #expect(beginFetch(number))
        #expect(publish(Self.change("cars")) == [])
        #expect(settle(number, since: state.commits))
        state.endFetch(number, Self.region("cars"))
        #expect(state.phase(of: number) == .watching)
    }

    @Test func aSnapshotBesideACommitIsNotSettled() {
        let number = state.addFetching()
        #expect(beginFetch(number))
        let commits = state.commits
        state.willCommit()
        #expect(!settle(number, since: commits))
        state.didEndCommit()
        #expect(settle(number, since: commits))
        #expect(publish(Self.change("cars")) == [])
        #expect(!settle(number, since: commits))
    }

    /// A transaction that began before the observer did has not followed its columns.
    @Test func aTransactionThatIsOlderThanAnObserver() {
        let prices = watch(Self.region("cars", column: 1))
        let version = state.interestVersion
        let names = watch(Self.region("cars", column: 0))
        #expect(state.interestVersion > version)
        #expect(publish(Self.change("cars", column: 2), version: version) == [names])
        #expect(state.phase(of: prices) == .watching)
    }

    @Test func collectedChanges() {
        var region = Self.region("cars")
        region.insert(TableName("orders"), .everything)
        let number = state.addCollecting(region)
        #expect(takeCollected(number) == nil)
        #expect(publish(Self.change("cars", rowIDs: [1])) == [number])
        #expect(publish(Self.change("cars", rowIDs: [2])) == [number])
        let collected = takeCollected(number)
        #expect(collected?.changes == Self.change("cars", rowIDs: [1, 2]))
        #expect(collected?.region == region)
        #expect(takeCollected(number) == nil)
        // The rowids were not followed for it.
        #expect(publish(Self.change("cars", rowIDs: [3]), version: 0) == [number])
        #expect(takeCollected(number)?.changes == Self.change("cars", rowIDs: nil))
    }

    @Test func theInterestOfThoseThatAreLeft() {
        let numbers = (0..<10).map { watch(Self.region(Identifier("t\($0)"))) }
        #expect(state.interest.tables.count == 10)
        for number in numbers.dropLast() { state.remove(number) }
        state.remove(watch(Self.region("t0")))
        #expect(state.interest.tables.count < 10)
        #expect(publish(Self.change("t9")) == [numbers[9]])
        #expect(publish(Self.change("t0")) == [])
        #expect(state.phase(of: numbers[0]) == .ended)
        state.remove(numbers[9])
        #expect(state.isEmpty)
        #expect(state.interest == Interest())
    }

    @Test func ownCommitsAreCounted() {
        _ = publish(Self.change("cars"))
        _ = state.publish(.external, version: .max, isOwnCommit: false)
        #expect(state.commits == 2)
        #expect(state.ownCommits == 1)
    }

    @Test func closingEndsAll() {
        let (watching, fetching) = (watch(Self.region("cars")), state.addFetching())
        #expect(beginFetch(fetching))
        #expect(Set(close()) == [watching, fetching])
        state.endFetch(fetching, Self.region("cars"))
        let (late, collecting) = (state.addFetching(), state.addCollecting(Self.region("cars")))
        for number in [watching, fetching, late, collecting] {
            #expect(state.phase(of: number) == .ended)
            #expect(!beginFetch(number))
        }
        #expect(publish(.everything) == [])
        #expect(takeCollected(collecting) == nil)
    }
}
