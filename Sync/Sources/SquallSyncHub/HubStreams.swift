import Foundation
import Squall
import SquallBase
import SquallChanges
import SquallSync

/// The streams of events of a hub. One task looks at each commit for all of them, while there are streams.
final class HubStreams: Sendable {
    private struct Stream {
        let principal: SyncPrincipal
        let continuation: AsyncThrowingStream<SyncCursor, any Error>.Continuation
        /// The number of the last entry that was looked at; `nil` before the first position.
        var last: Int64?
    }

    private struct State {
        var streams: [UUID: Stream] = [:]
        var task: Task<Void, Never>?
        var wake: AsyncStream<Void>.Continuation?
    }

    private let followed: FollowedLog
    private let scopes: HubScopes
    /// The tables whose changes are in the log.
    private let tables: [String]
    private let state = Locked(State())

    init(_ followed: FollowedLog, _ scopes: HubScopes, _ tables: [String]) {
        self.followed = followed
        self.scopes = scopes
        self.tables = tables
    }

    func stream(for principal: SyncPrincipal) -> AsyncThrowingStream<SyncCursor, any Error> {
        let (positions, continuation) = AsyncThrowingStream.makeStream(
            of: SyncCursor.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { _ in self.remove(id) }
        state.withLock { state in
            state.streams[id] = Stream(principal: principal, continuation: continuation)
            if let wake = state.wake { return _ = wake.yield() }
            let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            state.wake = wake
            state.task = Task { await self.serve(wakes, wake) }
        }
        return positions
    }

    private func remove(_ id: UUID) {
        state.withLock { state in
            state.streams[id] = nil
            guard state.streams.isEmpty else { return }
            state.task?.cancel()
            (state.task, state.wake) = (nil, nil)
        }
    }

    private func serve(_ wakes: AsyncStream<Void>, _ wake: AsyncStream<Void>.Continuation) async {
        var failure: (any Error)?
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [tables, followed] in
                    try await followed.database.forEachCommit(in: tables) { wake.yield() }
                    wake.finish()
                }
                for await _ in wakes { try await tell() }
                group.cancelAll()
            }
        } catch {
            failure = error
        }
        if Task.isCancelled { return }
        let ended = state.withLock { state in
            defer { state = State() }
            return state.streams
        }
        for stream in ended.values { stream.continuation.finish(throwing: failure) }
    }

    /// Tells the streams of commits that they have not been told of.
    private func tell() async throws {
        try await followed.flush()
        let streams = state.withLock(\.streams)
        let (end, positions) = try await followed.database.read { [log = followed.log, scopes] connection in
            try Self.positions(of: streams, log, scopes, on: connection)
        }
        state.withLock { state in
            for id in streams.keys { state.streams[id]?.last = end }
        }
        for (id, position) in positions {
            switch position {
            case .success(let cursor): streams[id]?.continuation.yield(cursor)
            // It ends the stream of this principal, and those of others go on.
            case .failure(let error): streams[id]?.continuation.finish(throwing: error)
            }
        }
    }

    /// Returns the end of the log, and the streams that are told.
    private static func positions(
        of streams: [UUID: Stream], _ log: SyncLog, _ scopes: HubScopes, on connection: Connection
    ) throws -> (Int64, [UUID: Result<SyncCursor, SQLiteError>]) {
        var positions: [UUID: Result<SyncCursor, SQLiteError>] = [:]
        guard let first = streams.values.first else { return (0, [:]) }
        var reading = try ScopedLog(log, scopes, first.principal, on: connection)
        var changes: [Int64: ScopeReader.Undo?] = [:]
        var seen: [SyncPrincipal: [Int64: Result<Bool, SQLiteError>]] = [:]
        for (id, stream) in streams where stream.last != reading.end.sequence {
            if reading.principal != stream.principal { try reading.turn(to: stream.principal) }
            guard let last = stream.last else {
                positions[id] = .success(reading.end)
                continue
            }
            if changes[last] == nil { changes[last] = .some(try reading.changesIfKept(since: last)) }
            let isSeen = try seen[stream.principal]?[last] ?? reading.isSeen(changes[last] ?? nil)
            seen[stream.principal, default: [:]][last] = isSeen
            let end = reading.end
            if case .success(false) = isSeen { continue }
            positions[id] = isSeen.map { _ in end }
        }
        return (reading.end.sequence, positions)
    }
}

extension ScopedLog {
    /// Whether the principal sees some of all changes, or the error of its condition.
    fileprivate func isSeen(_ changes: ScopeReader.Undo?) throws -> Result<Bool, SQLiteError> {
        guard let changes else { return .success(true) }
        do { return .success(try sees(changes)) } catch let error as SQLiteError where error.isOfCondition {
            return .failure(error)
        }
    }

    /// All changes since a position; `nil` if the log does not have them any more.
    fileprivate func changesIfKept(since sequence: Int64) throws -> ScopeReader.Undo? {
        do { return try changes(since: sequence) } catch let error as SQLiteError
            where error.problem(SyncProblem.self) == .entriesRemoved
        { return nil }
    }
}
