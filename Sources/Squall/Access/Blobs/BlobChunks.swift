import Dispatch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of one value, in chunks, all from one state of the database.
///
///     for try await chunk in database.blob(in: "files", column: "body", row: id) {
///         try await response.write(chunk)
///     }
///
/// Each loop over it opens a ``ReadSnapshot`` for its first chunk, and closes it when its iterator is released, or the deadline has passed.
/// Until then the write-ahead log grows while others write. One chunk is in memory.
public struct BlobChunks: AsyncSequence, Sendable {
    let database: Database
    let place: BlobPlace
    let chunkSize: Int
    let deadline: Duration?

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: BlobReader(self))
    }

    @_documentation(visibility: internal)
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: BlobReader

        /// Reads the next chunk.
        ///
        /// - Returns: The chunk; `nil` after the last byte.
        /// - Throws: ``SQLiteError``: as ``Connection/withBlob(in:column:row:database:mode:_:)`` and ``Database/snapshot(deadline:)``, and
        ///   `SQLITE_INTERRUPT` (9) when the deadline has passed; `CancellationError`. The sequence then ends.
        public mutating func next() async throws -> Data? {
            try await reader.next()
        }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            try await reader.next()
        }
    }
}

extension Database {
    /// Returns the bytes of one value, a BLOB or a TEXT, to be read in chunks by iterating them.
    ///
    ///     for try await chunk in database.blob(in: "files", column: "body", row: id) { … }
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - column: The name of the column.
    ///   - row: The rowid of the row.
    ///   - chunkSize: The number of bytes of each chunk but the last, at least 1.
    ///   - deadline: The maximum duration from the first chunk until the end; `nil` for no limit.
    public func blob(
        in table: String, column: String, row: Int64, chunkSize: Int = 65_536, deadline: Duration? = nil
    ) -> BlobChunks {
        BlobChunks(
            database: self,
            place: BlobPlace(database: "main", table: table, column: column, row: row),
            chunkSize: max(chunkSize, 1), deadline: deadline)
    }
}

/// Reads the chunks of one loop.
private final class BlobReader: Sendable {
    private enum Stage {
        case new
        case reading(ReadSnapshot)
        case ended
    }

    private struct State {
        /// The deadline closes the snapshot on another thread.
        var stage = Stage.new
        /// Set by the first call of the task that iterates.
        var end: Deadline?
    }

    private let chunks: BlobChunks
    private let state = Locked(State())
    // A separate variable, because reading holds its lock. After the state, whose snapshot closes the connection first.
    private let position = Locked(Position())

    private struct Position {
        var value: OpenValue?
        var offset = 0
    }

    private var end: Deadline? { state.withLock { $0.end } }

    init(_ chunks: BlobChunks) {
        self.chunks = chunks
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        do {
            guard let snapshot = try await snapshot() else { return nil }
            let chunk = try await read(from: snapshot)
            if chunk == nil { finish() }
            return chunk
        } catch {
            finish()
            // The deadline has closed the snapshot.
            if let end, end.hasPassed, !(error is CancellationError) { throw SQLiteError.interrupted(.deadline) }
            throw error
        }
    }

    /// Returns the snapshot, which the first call makes; `nil` at the end.
    private nonisolated(nonsending) func snapshot() async throws -> ReadSnapshot? {
        switch state.withLock({ $0.stage }) {
        case .reading(let snapshot): return snapshot
        case .ended:
            if let end, end.hasPassed { throw SQLiteError.interrupted(.deadline) }
            return nil
        case .new: break
        }
        if let deadline = chunks.deadline {
            let end = Deadline(after: deadline)
            state.withLock { $0.end = end }
            DispatchQueue.global().asyncAfter(deadline: end.dispatchTime) { [weak self] in self?.finish() }
        }
        let snapshot = try await chunks.database.snapshot(deadline: chunks.deadline)
        state.withLock { $0.stage = .reading(snapshot) }
        return snapshot
    }

    private nonisolated(nonsending) func read(from snapshot: ReadSnapshot) async throws -> Data? {
        try await snapshot.core.perform(deadline: end?.rest) { pooled, cancellation in
            pooled.enter(.reading)
            return try Lease(pooled: pooled, kind: .outermost).performRead(
                until: nil, cancellation,
                endingBy: { _ in
                    // The value stays open.
                    pooled.leaveTransactionOpen()
                    snapshot.core.release(pooled)
                }, read(on:))
        }
    }

    private func read(on connection: Connection) throws -> Data? {
        try position.withLock { position in
            let value = try position.value ?? OpenValue(chunks.place, mode: .readOnly, on: connection)
            position.value = value
            let offset = position.offset
            let count = min(chunks.chunkSize, try value.size() - offset)
            guard count > 0 else { return nil }
            var data = Data(count: count)
            try data.withUnsafeMutableBytes { try value.read(into: $0, at: offset) }
            position.offset += count
            return data
        }
    }

    /// Ends the loop. Closing the snapshot waits for a chunk that is being read.
    private func finish() {
        let last = state.withLock { state in
            defer { state.stage = .ended }
            return state.stage
        }
        if case .reading(let snapshot) = last { snapshot.core.close() }
    }
}
