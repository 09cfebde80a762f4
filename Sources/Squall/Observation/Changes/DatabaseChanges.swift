/// The changes of some tables: see ``Database/changes(in:)``.
///
/// Each iteration is an observer by itself. It begins with `makeAsyncIterator()`, which `for await` calls. For a slow consumer, the
/// changes of several commits are joined.
public struct DatabaseChanges: AsyncSequence, Sendable {
    public typealias Failure = Never

    fileprivate let database: Database
    fileprivate let regions: [DatabaseRegion]

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(observation: Observation(self))
    }

    /// An iteration, which observes the database until it is released.
    @_documentation(visibility: internal)
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let observation: Observation

        /// Waits for a change.
        ///
        /// - Returns: The changes since the last call; `nil` when the task is cancelled, or the database closed.
        public mutating func next() async -> DatabaseChange? { await observation.next() }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> DatabaseChange? {
            await observation.next()
        }
    }

    /// The observer of an iteration.
    ///
    /// Not Sendable: it is used by the task of its iterator.
    fileprivate final class Observation {
        private let database: Database
        private let center: ObservationCenter
        private let regions: [DatabaseRegion]
        private let number: Int
        private var isResolved = false

        init(_ changes: DatabaseChanges) {
            database = changes.database
            center = database.observationCenter
            regions = changes.regions
            // Until the columns are looked up, by the first call of `next`, all columns count.
            let region = regions.reduce(into: Region()) { $0.insert($1.table, .everything) }
            number = center.addCollecting(region, to: database)
        }

        deinit { center.remove(number) }

        nonisolated(nonsending) func next() async -> DatabaseChange? {
            await resolve()
            while case .changed = await center.waitForChange(number) {
                guard let (changes, region) = center.takeCollected(number) else { continue }
                // The schema may have changed, and with it the positions of the columns.
                if changes.isEverything { isResolved = false }
                if changes.concern(region) { return DatabaseChange(changes, in: region) }
            }
            return nil
        }

        /// Looks up the columns in the schema. Where this fails, as during a suspension, all columns count until the next call.
        private nonisolated(nonsending) func resolve() async {
            guard !isResolved else { return }
            let region = try? await database.performRead(nil) { [regions] pooled in
                regions.reduce(into: Region()) { region, next in
                    let columns = pooled.connection.tableRegion(next.table, columns: next.columns, unknown: .all)
                    region.insert(next.table, columns)
                }
            }
            guard let region else { return }
            isResolved = true
            center.changeRegion(of: number, region)
        }
    }
}

extension Database {
    /// Returns the changes of some tables: one element for one or more commits that concern them.
    ///
    ///     for await change in database.changes(
    ///         in: .table("cars", columns: "price"), .table("orders")
    ///     ) {
    ///         print(change.tables, change.rowIDs("cars") ?? [], change.isExternal)
    ///     }
    ///
    /// An iteration begins with `for await`, or with `makeAsyncIterator()`. Commits before it are not reported, and neither is the present
    /// content, which ``observe(coalescing:_:)`` reads. The sequence ends when its task is cancelled or the database is closed.
    /// <doc:FollowingChanges> lists what is seen.
    public func changes(in regions: DatabaseRegion...) -> DatabaseChanges {
        DatabaseChanges(database: self, regions: regions)
    }
}
