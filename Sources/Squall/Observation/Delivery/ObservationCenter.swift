import Dispatch
import SquallSQLite

// # Observation
//
// Values and changes that follow a database: what a closure reads, read again after each commit that concerns it.
//
//     let names = database.observe("SELECT name FROM cars", as: [String].self)
//     for try await list in names { print(list) }
//     for await change in database.changes(in: .table("cars")) { print(change.tables) }
//
// A database has one `ObservationCenter`, made at its first use. `ObservationState` has the observers and their states,
// without a lock. `ChangeTracker` follows the writer while there are observers. `FileMonitor` notices the commits of
// other connections. `Values` has `ObservedValues` and `Live`, `Changes` has `DatabaseChanges` and the sets of changes.
//
// An observed value is read so:
// 1. An iteration registers as an observer. The first one of a database starts the tracker and the monitor.
// 2. It fetches with a reader. `RegionRecorder` records the tables and columns that the closure reads.
// 3. During a write, the tracker collects changes of rows, and compares the columns that are observed.
// 4. After the commit it publishes them. The state finds the observers whose region has changed.
// 5. Tasks that wait are resumed after the lock is released, and fetch again. Others fetch at their next call.
//
// Invariants: An observer is registered before it reads, and keeps the changes that are published meanwhile: it misses
// none. A writer never waits for an observer. Changes that are rolled back, to a savepoint too, are forgotten. A slow
// consumer gets the latest value. After a commit of another connection, everything counts as changed. The lock of the
// state is never held while the pool is called. Go on with `ObservationState.swift`.

/// Tells the observers of a database what has changed.
///
/// Observers and writers cannot wait for one another. A writer publishes after its commit, holds the lock only to find the
/// observers, and resumes them after it. An observer holds the lock only for its own state, and never while it waits for a
/// connection.
final class ObservationCenter: Sendable {
    private struct State {
        var observers = ObservationState()
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Whether following the writer begins.
        var isStarting = false
    }

    private struct Following {
        var token: DatabaseObserverToken?
        var monitor: FileMonitor?
    }

    private let usesPreUpdateHook: Bool
    private let state = Locked(State())
    /// Locked while following the writer begins or ends, which calls the pool.
    private let following = Locked(Following())

    init(usesPreUpdateHook: Bool = squall_has_preupdate() != 0) {
        self.usesPreUpdateHook = usesPreUpdateHook
    }

    /// The interest of all observers, and its version.
    var interest: (interest: Interest, version: Int) { withState { ($0.interest, $0.interestVersion) } }

    /// The commits of the database itself that have changed the file; `nil` while one is under way.
    var ownCommits: UInt32? { withState { $0.isCommitting ? nil : $0.ownCommits } }

    // Each commit of an observed database calls it several times.
    @inline(__always)
    private func withState<Result>(_ body: (inout ObservationState) -> Result) -> Result {
        state.withLock { body(&$0.observers) }
    }
}

// MARK: - Observers

extension ObservationCenter {
    /// Adds an observer that fetches.
    ///
    /// - Returns: Its number.
    func addFetching(to database: Database) -> Int {
        let number = withState { $0.addFetching() }
        start(on: database)
        return number
    }

    /// Adds an observer that collects the changes of a region.
    func addCollecting(_ region: Region, to database: Database) -> Int {
        let number = withState { $0.addCollecting(region) }
        start(on: database)
        return number
    }

    func remove(_ number: Int) {
        let isLast = withState { state in
            state.remove(number)
            return state.isEmpty
        }
        if isLast { stop() }
    }

    private func start(on database: Database) {
        following.withLock { following in
            guard following.token == nil, !withState({ $0.isClosed || $0.isEmpty }) else { return }
            // A commit before this call returns is before the observation, and need not be published.
            state.withLock { $0.isStarting = true }
            defer { state.withLock { $0.isStarting = false } }
            following.token = database.addObserver { [self] connection in
                let tracker = ChangeTracker(self, usesPreUpdateHook: usesPreUpdateHook)
                tracker.start(on: connection)
                return ObserverToken { [unowned connection] in tracker.stop(on: connection) }
            }
            following.monitor = FileMonitor(database, self)
        }
    }

    private func stop() {
        following.withLock { following in
            guard withState({ $0.isClosed || $0.isEmpty }) else { return }
            following.token?.cancel()
            following.monitor?.stop()
            following = Following()
        }
    }

    /// Waits until an observer has something to do.
    ///
    /// - Returns: `.changed`, or `.ended` if its sequence ends.
    nonisolated(nonsending) func waitForChange(_ number: Int) async -> ObservationState.Phase {
        await wait(number) { $0 == .watching }
        return phase(of: number)
    }

    /// Waits for a duration.
    ///
    /// - Returns: Whether the observer has not ended in the meantime.
    nonisolated(nonsending) func pause(_ number: Int, for duration: Duration) async -> Bool {
        let end = Deadline(after: duration).dispatchTime
        await wait(number) {
            $0 != .ended
        } then: {
            DispatchQueue.global().asyncAfter(deadline: end) { [weak self] in self?.resume { _ in [number] } }
        }
        return phase(of: number) != .ended
    }

    /// Suspends the task until the observer is resumed, if it must wait in its phase.
    ///
    /// - Parameter isWaiting: Called when the observer can be resumed.
    private nonisolated(nonsending) func wait(
        _ number: Int, if mustWait: (ObservationState.Phase) -> Bool, then isWaiting: () -> Void = {}
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard mustWait(state.observers.phase(of: number)), !Task.isCancelled else { return false }
                    state.waiting[number] = continuation
                    return true
                }
                if waits { isWaiting() } else { continuation.resume() }
            }
        } onCancel: {
            end(number)
        }
    }

    func phase(of number: Int) -> ObservationState.Phase { withState { $0.phase(of: number) } }

    func hasEnded(_ number: Int) -> Bool { phase(of: number) == .ended }

    /// Ends an observer.
    func end(_ number: Int) {
        resume {
            $0.end(number)
            return [number]
        }
    }
}

// MARK: - Fetching

extension ObservationCenter {
    func beginFetch(_ number: Int) -> Bool { withState { $0.beginFetch(number) } }

    /// The number of published commits; `nil` while a commit is under way.
    var publishedCommits: UInt64? { withState { $0.isCommitting ? nil : $0.commits } }

    func settle(_ number: Int, since commits: UInt64) -> Bool { withState { $0.settle(number, since: commits) } }

    func endFetch(_ number: Int, _ region: Region) { withState { $0.endFetch(number, region) } }

    func changeRegion(of number: Int, _ region: Region) {
        withState { $0.changeRegion(of: number, region) }
    }

    func takeCollected(_ number: Int) -> (changes: CommitChanges, region: Region)? {
        withState { $0.takeCollected(number) }
    }
}

// MARK: - Commits

extension ObservationCenter {
    func willCommit() { withState { $0.willCommit() } }

    func didEndCommit() { withState { $0.didEndCommit() } }

    /// Publishes changes of which nothing else is known.
    func publish(_ changes: CommitChanges) {
        resume { $0.publish(changes, version: .max, isOwnCommit: false) }
    }

    /// A tracker has begun to follow the writer. If observers have begun before, as during a long write, its commits are not known.
    func didStartTracking() {
        resume(isStart: true) { $0.publish(.everything, version: .max, isOwnCommit: false) }
    }

    /// Ends a commit, and publishes its changes.
    func publishCommit(_ changes: CommitChanges, version: Int, writesFile: Bool) {
        resume {
            $0.didEndCommit()
            return $0.publish(changes, version: version, isOwnCommit: writesFile)
        }
    }

    /// Changes the state, and resumes the observers that the change returns, after the lock is released.
    ///
    /// - Parameter isStart: Whether nothing is changed while following the writer begins.
    @inline(__always)
    private func resume(isStart: Bool = false, _ change: (inout ObservationState) -> [Int]) {
        // Under the same lock: an observer that does not wait yet must not be resumed when it waits for the next change.
        let continuations = state.withLock { state in
            isStart && state.isStarting
                ? [] : change(&state.observers).compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in continuations { continuation.resume() }
    }
}

extension ObservationCenter: DatabaseCompanion {
    func databaseWillClose() {
        resume { $0.close() }
        stop()
    }

    /// Other processes may have written during the suspension.
    func databaseDidResume() { publish(.external) }
}

extension Database {
    var observationCenter: ObservationCenter { companions.companion { ObservationCenter() } }
}
