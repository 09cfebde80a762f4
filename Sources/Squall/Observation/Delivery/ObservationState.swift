/// The observers of a database and their states. It has neither a lock nor closures: ``ObservationCenter`` has both.
///
/// An observer is registered first, then it fetches, and then it waits. Changes that are published during its fetch are kept, and
/// compared with the region that it has read. Nothing is missed.
struct ObservationState {
    /// The state of an observer.
    enum Phase: Equatable {
        /// It reads. The changes since its snapshot began are kept.
        case fetching(missed: CommitChanges)
        /// It waits for a change of its region.
        case watching
        /// Its region has changed since it was read; or, where anything may have changed, perhaps.
        case changed(isCertain: Bool)
        /// Its sequence ends.
        case ended
    }

    private struct Observer {
        var phase: Phase
        /// Whether it is known which commits the snapshot of the last fetch has.
        var isSettled = false
        /// The region that was read last.
        var region = Region()
        /// The number of the group of observers that watch the region; `nil` while the observer does not watch.
        var group: Int?
        /// The changes that the observer has not taken yet; `nil` for one that only fetches again.
        var collected: CommitChanges?
        let needsRowIDs: Bool
    }

    /// The observers that watch the same region: one look-up finds them all.
    private struct Group {
        let region: Region
        var observers: Set<Int> = []
        /// The version of the interest from which changes are followed closely enough for the region.
        var version = 0
    }

    private var observers: [Int: Observer] = [:]
    private var lastNumber = 0
    private var fetching: Set<Int> = []
    private var groups: [Int: Group] = [:]
    private var groupNumbers: [Region: Int] = [:]
    /// The groups whose region has a table, and those whose region is everything.
    private var groupsOfTables: [TableName: Set<Int>] = [:]
    private var groupsOfEverything: Set<Int> = []

    /// The interest of all observers, and of some that were removed.
    private(set) var interest = Interest()
    /// The number of observers that were removed since the interest was found.
    private var removals = 0
    private(set) var interestVersion = 0

    /// The number of published commits.
    private(set) var commits: UInt64 = 0
    /// The number of commits of the database itself that have changed the file.
    private(set) var ownCommits: UInt32 = 0
    /// Whether the writer is between its commit hook and the publication of its commit.
    private(set) var isCommitting = false
    private(set) var isClosed = false

    var isEmpty: Bool { observers.isEmpty }
}

// MARK: - Observers

extension ObservationState {
    /// Adds an observer that fetches.
    mutating func addFetching() -> Int { add(Observer(phase: .watching, needsRowIDs: false)) }

    /// Adds an observer that collects the changes of a region.
    mutating func addCollecting(_ region: Region) -> Int {
        let number = add(Observer(phase: .watching, collected: CommitChanges(), needsRowIDs: true))
        if !isClosed { watch(number, region) }
        return number
    }

    /// Changes the region of an observer that collects changes.
    mutating func changeRegion(of number: Int, _ region: Region) {
        guard observers[number].map({ $0.phase != .ended }) == true else { return }
        unwatch(number)
        watch(number, region)
    }

    private mutating func add(_ observer: Observer) -> Int {
        lastNumber += 1
        observers[lastNumber] = observer
        if isClosed { observers[lastNumber]?.phase = .ended }
        return lastNumber
    }

    mutating func remove(_ number: Int) {
        unwatch(number)
        fetching.remove(number)
        observers[number] = nil
        removals += 1
        // Not each time: a thousand observers may end at once.
        guard removals > observers.count else { return }
        removals = 0
        interest = Interest()
        for observer in observers.values { interest.insert(observer.region, needsRowIDs: observer.needsRowIDs) }
    }

    func phase(of number: Int) -> Phase { observers[number]?.phase ?? .ended }

    mutating func end(_ number: Int) {
        unwatch(number)
        fetching.remove(number)
        observers[number]?.phase = .ended
    }

    /// Ends all observers.
    ///
    /// - Returns: Their numbers.
    mutating func close() -> [Int] {
        isClosed = true
        let numbers = Array(observers.keys)
        for number in numbers { end(number) }
        return numbers
    }
}

// MARK: - Fetching

extension ObservationState {
    /// An observer is about to read.
    ///
    /// - Returns: Whether it may: it has not ended.
    mutating func beginFetch(_ number: Int) -> Bool {
        guard let phase = observers[number]?.phase, phase != .ended else { return false }
        unwatch(number)
        fetching.insert(number)
        observers[number]?.isSettled = false
        observers[number]?.phase = .fetching(missed: CommitChanges())
        return true
    }

    /// The snapshot of a fetch has begun. If no commit was published or under way since `commits`, the snapshot has exactly the
    /// changes that were published, and those that were kept are forgotten.
    ///
    /// - Returns: Whether this is so.
    mutating func settle(_ number: Int, since commits: UInt64) -> Bool {
        guard self.commits == commits, !isCommitting else { return false }
        guard case .fetching = phase(of: number) else { return true }
        observers[number]?.phase = .fetching(missed: CommitChanges())
        observers[number]?.isSettled = true
        return true
    }

    /// An observer has read a region.
    mutating func endFetch(_ number: Int, _ region: Region) {
        guard fetching.remove(number) != nil, case .fetching(var missed) = phase(of: number) else { return }
        missed.insertVirtualTables { region.tables[$0]?.isVirtual == true }
        observers[number]?.phase = .watching
        watch(number, region)
        guard missed.concern(region) else { return }
        let isSettled = observers[number]?.isSettled == true
        change(number, missed)
        // The value may have the changes already.
        if !isSettled { observers[number]?.phase = .changed(isCertain: false) }
    }

    private mutating func watch(_ number: Int, _ region: Region) {
        guard let observer = observers[number] else { return }
        var wanted = interest
        wanted.insert(region, needsRowIDs: observer.needsRowIDs)
        if wanted != interest {
            interest = wanted
            interestVersion += 1
        }
        let group = groupNumbers[region] ?? addGroup(region)
        groups[group]?.observers.insert(number)
        // A transaction that began with an older interest has not followed the region closely.
        groups[group]?.version = interestVersion
        observers[number]?.region = region
        observers[number]?.group = group
    }

    private mutating func addGroup(_ region: Region) -> Int {
        lastNumber += 1
        groups[lastNumber] = Group(region: region)
        groupNumbers[region] = lastNumber
        for table in region.tables.keys { groupsOfTables[table, default: []].insert(lastNumber) }
        if region.isEverything { groupsOfEverything.insert(lastNumber) }
        return lastNumber
    }

    private mutating func unwatch(_ number: Int) {
        guard let group = observers[number]?.group else { return }
        observers[number]?.group = nil
        groups[group]?.observers.remove(number)
        guard let region = groups[group]?.region, groups[group]?.observers.isEmpty == true else { return }
        groups[group] = nil
        groupNumbers[region] = nil
        groupsOfEverything.remove(group)
        for table in region.tables.keys {
            groupsOfTables[table]?.remove(group)
            if groupsOfTables[table]?.isEmpty == true { groupsOfTables[table] = nil }
        }
    }
}

// MARK: - Commits

extension ObservationState {
    mutating func willCommit() { isCommitting = true }

    mutating func didEndCommit() { isCommitting = false }

    /// Publishes changes that were committed.
    ///
    /// - Parameters:
    ///   - version: The version of the interest with which the changes were followed.
    ///   - isOwnCommit: Whether the database itself has written to the file.
    /// - Returns: The observers that must be woken.
    mutating func publish(_ changes: CommitChanges, version: Int, isOwnCommit: Bool) -> [Int] {
        commits &+= 1
        if isOwnCommit { ownCommits &+= 1 }
        var changes = changes
        // A virtual table that was observed later has not been followed.
        if version < interestVersion { changes.insertVirtualTables { interest.isVirtual($0) } }
        for number in fetching {
            guard case .fetching(var missed) = phase(of: number) else { continue }
            missed.formUnion(changes.withoutRowIDs)
            observers[number]?.phase = .fetching(missed: missed)
        }
        var woken: [Int] = []
        for group in concerned(by: changes, version) {
            let observers = groups[group]?.observers ?? []
            let isFollowed = groups[group].map { $0.version <= version } ?? true
            for number in observers { change(number, isFollowed ? changes : changes.withoutRowIDs) }
            woken += observers
        }
        return woken
    }

    /// The groups whose region may have changed.
    private func concerned(by changes: CommitChanges, _ version: Int) -> Set<Int> {
        if changes.isEverything { return Set(groups.keys) }
        var found = changes.isEmpty ? [] : groupsOfEverything
        for (name, change) in changes.tables {
            for number in groupsOfTables[name] ?? [] where !found.contains(number) {
                guard let group = groups[number], let table = group.region.tables[name] else { continue }
                if group.version > version || change.concerns(table) { found.insert(number) }
            }
        }
        return found
    }

    private mutating func change(_ number: Int, _ changes: CommitChanges) {
        // An observer that collects changes goes on watching.
        if observers[number]?.collected?.formUnion(changes) == nil { unwatch(number) }
        observers[number]?.phase = .changed(isCertain: !changes.isEverything)
    }

    /// Returns the changes that an observer has collected, of the tables of its region, and forgets them.
    mutating func takeCollected(_ number: Int) -> (changes: CommitChanges, region: Region)? {
        guard let observer = observers[number], let collected = observer.collected, case .changed = observer.phase
        else { return nil }
        observers[number]?.collected = CommitChanges()
        observers[number]?.phase = .watching
        // The columns may have other positions now.
        if collected.isEverything { changeRegion(of: number, observer.region.withAllColumns) }
        return (collected, observer.region)
    }
}
