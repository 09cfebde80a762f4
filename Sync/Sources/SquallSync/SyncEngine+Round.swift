import Foundation
import Squall
import SquallChanges

extension SyncEngine {
    /// The bytes of changes that are sent and received at once.
    private static let byteLimit = 1_000_000

    /// The number of times that changes which are made meanwhile are sent before changes are received.
    private static let mostRepetitions = 5

    func round() async throws -> SyncSummary {
        do {
            return try await exchange()
        } catch  where error.isOfReusedNumbers {
            try await renew()
            return try await exchange()
        }
    }

    private func exchange() async throws -> SyncSummary {
        var repetitions = 0
        repeat {
            try await send()
            repetitions += 1
        } while try await !receive(whileUnsent: repetitions >= Self.mostRepetitions)
        let summary = unfinished
        unfinished = SyncSummary()
        report(summary.conflicts.isEmpty ? .upToDate : .conflicts(summary.conflicts))
        return summary
    }

    /// Whether changes of this device have not been sent.
    func hasUnsent() async throws -> Bool {
        try await followed.flush()
        return try await database.read { [log, pushed] in try !log.changes(since: pushed, limit: 1, on: $0).isEmpty }
    }

    private func send() async throws {
        try await followed.flush()
        while true {
            let batch = try await database.read { [log, pushed] in
                try log.changes(since: pushed, byteLimit: Self.byteLimit, on: $0)
            }
            if batch.isEmpty { return }
            report(.sending(batch.count))
            do {
                let answer = try await transport.push(batch)
                // The hub has changes that this file does not.
                if answer.sequence > batch.cursor.sequence, try await hasEnded(before: answer) {
                    throw SyncRefusal.reused
                }
                pushed = answer
                unfinished.sent += batch.count
            } catch SyncRefusal.missing(let number) {
                // A hub that still lacks them would be asked for ever.
                let hasMore = try await isAhead(of: number)
                if pushed == nil, !hasMore { throw SyncRefusal.missing(after: number) }
                try await sendAgain(after: number)
            }
        }
    }

    private func hasEnded(before position: SyncCursor) async throws -> Bool {
        try await database.read { [log] in try log.end(on: $0).sequence < position.sequence }
    }

    /// Whether the hub once had later changes of this device.
    private func isAhead(of number: Int64) async throws -> Bool {
        try await database.read { [log] in try log.changes(limit: 0, on: $0).start.sequence > number }
    }

    /// Sends changes again that a hub has lost whose file was restored.
    private func sendAgain(after number: Int64) async throws {
        let isKept = try await database.write(isolated: true) { [log] in try log.sendAgain(after: number, on: $0) }
        if !isKept { throw SyncRefusal.reused }
        pushed = nil
    }

    /// Receives the changes of the hub.
    ///
    /// - Parameter whileUnsent: Whether changes are received while others of this device are unsent, for which this device then decides.
    /// - Returns: Whether everything was received. Otherwise there are changes that the hub should decide first.
    private func receive(whileUnsent: Bool) async throws -> Bool {
        while true {
            let cursor = try await cursor()
            let page = try await pull(since: cursor)
            // A batch without changes for this device moves its position.
            guard page.begins || page.batch.cursor != cursor else { return true }
            if page.begins, try await isAhead(of: page.known) {
                try await sendAgain(after: page.known)
                return false
            }
            if page.begins || !page.batch.isEmpty { report(.receiving) }
            let (pages, batches) = page.begins ? try await rows(since: page.batch) : ([], [page.batch])
            let merged = try await database.write(isolated: true) { [log, pushed] connection in
                if !whileUnsent, try !log.changes(since: pushed, limit: 1, on: connection).isEmpty {
                    return nil as SyncReport?
                }
                do {
                    if page.begins { return try log.begin(with: pages, batches, on: connection) }
                    return try log.merge(page.batch, on: connection)
                } catch let error as SQLiteError where error.problem(SyncProblem.self) == .unrecordedChanges {
                    return nil
                }
            }
            guard let merged else { return false }
            unfinished.received += merged.applied
            unfinished.conflicts += merged.conflicts
            if !page.hasMore { return true }
        }
    }

    private func pull(since cursor: SyncCursor?) async throws -> SyncPage {
        try await transport.pull(
            SyncPullRequest(origin: origin, version: version, cursor: cursor, byteLimit: Self.byteLimit))
    }

    /// Returns all rows of the hub, and its changes since a batch, until after the last rows were read.
    private func rows(since start: SyncBatch) async throws -> ([SyncRows], [SyncBatch]) {
        var pages: [SyncRows] = []
        for table in tables {
            var key: Data?
            repeat {
                let request = SyncRowsRequest(
                    origin: origin, version: version, cursor: start.cursor, table: table.name, key: key,
                    byteLimit: Self.byteLimit)
                pages.append(try await transport.rows(request))
                key = pages.last?.next
            } while key != nil
        }
        var batches = [start]
        while true {
            let page = try await pull(since: batches.last?.cursor)
            // The hub has removed entries in the meantime: the next round begins again.
            if page.begins { throw SyncRefusal.batch("the log was compacted") }
            batches.append(page.batch)
            if !page.hasMore { return (pages, batches) }
        }
    }

    /// The position up to which the device has the changes of its hub.
    func cursor() async throws -> SyncCursor? {
        try await database.read { [log] connection in
            let hub: String? = try connection.query("SELECT origin FROM main.squall_sync_cursors")
            return try hub.flatMap { try log.cursor(of: $0, on: connection) }
        }
    }
}

extension Error {
    /// Whether the file of the device was restored or copied, so that its numbers are those of other changes.
    fileprivate var isOfReusedNumbers: Bool {
        if self as? SyncRefusal == .reused { return true }
        if case .reusedNumbers? = (self as? SQLiteError)?.problem(SyncProblem.self) { return true }
        return false
    }
}
