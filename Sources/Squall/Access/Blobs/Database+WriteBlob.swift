#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Database {
    /// Writes one value from a sequence of chunks: `[UInt8]`, `Data` or other collections of bytes.
    ///
    ///     let id = try await database.write {
    ///         try $0.insert(into: "files", ["name": name, "body": ZeroBlob(count: size)])
    ///     }
    ///     try await database.writeBlob(
    ///         in: "files", column: "body", row: id, from: request.body)
    ///
    /// It is one transaction: after an error nothing is written. Other writes wait until the sequence has ended, so that a source that may
    /// be slow needs a short deadline, or a file between it and the database. Two chunks are in memory.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - column: The name of the column.
    ///   - row: The rowid of the row.
    ///   - offset: The position of the first byte, from 0.
    ///   - deadline: The maximum duration of the call, including waits for the writer and for chunks; `nil` for no limit.
    ///   - chunks: The chunks, which must have as many bytes as the value has from `offset`.
    /// - Throws: ``SQLiteError``: as ``Connection/withBlob(in:column:row:database:mode:_:)``;
    ///   ``BlobProblem/outOfRange(offset:count:size:)`` and ``BlobProblem/incomplete(written:size:)`` for another number
    ///   of bytes; as ``write(deadline:isolated:_:)``; the error of the sequence; `CancellationError`.
    public nonisolated(nonsending) func writeBlob<Chunks: AsyncSequence & SendableMetatype>(
        in table: String, column: String, row: Int64, at offset: Int = 0, deadline: Duration? = .seconds(60),
        from chunks: sending Chunks
    ) async throws
    where Chunks.Element: Collection<UInt8> & SendableMetatype, Chunks.AsyncIterator: SendableMetatype {
        let place = BlobPlace(database: "main", table: table, column: column, row: row)
        let handover = ChunkHandover()
        let source = Task {
            do {
                for try await chunk in chunks where !chunk.isEmpty {
                    try await handover.put(Data(chunk))
                }
                await handover.finish(nil)
            } catch {
                await handover.finish(error)
            }
        }
        // A source that does not notice that it is cancelled is not waited for.
        defer {
            source.cancel()
            handover.stop()
        }
        try await write(deadline: deadline, isolated: true) { connection in
            let value = try OpenValue(place, mode: .readWrite, on: connection)
            do {
                try value.write(from: handover, at: offset, connection)
            } catch {
                value.close()
                throw error
            }
            try value.closeAndCommit()
        }
    }

    /// Writes one value from a sequence of bytes; see ``writeBlob(in:column:row:at:deadline:from:)-(_,_,_,_,_,Chunks)``.
    ///
    /// - Throws: As ``writeBlob(in:column:row:at:deadline:from:)-(_,_,_,_,_,Chunks)``.
    public nonisolated(nonsending) func writeBlob<Bytes: AsyncSequence & SendableMetatype>(
        in table: String, column: String, row: Int64, at offset: Int = 0, deadline: Duration? = .seconds(60),
        from bytes: sending Bytes
    ) async throws where Bytes.Element == UInt8, Bytes.AsyncIterator: SendableMetatype {
        try await writeBlob(
            in: table, column: column, row: row, at: offset, deadline: deadline, from: ChunkedBytes(bytes: bytes))
    }
}

extension OpenValue {
    fileprivate func write(from handover: ChunkHandover, at offset: Int, _ connection: Connection) throws {
        // Also for a sequence without bytes.
        try check(offset, 0)
        let size = try size()
        var position = offset
        while let chunk = try handover.take(orEndBy: connection) {
            try chunk.withUnsafeBytes { try write($0, at: position) }
            position += chunk.count
        }
        if position < size {
            throw SQLiteError(.incomplete(written: position - offset, size: size - offset), at: place)
        }
    }
}

/// Hands chunks from the task that reads them to the thread that writes them.
///
/// Sendable, because all properties are used under the lock.
private final class ChunkHandover: @unchecked Sendable {
    private enum Stage {
        case empty
        case full(Data)
        /// The sequence has ended, with or without an error, and all chunks were taken.
        case finished((any Error)?)
        /// The writer has ended.
        case stopped
    }

    private let lock = Lock()
    private let changed = ConditionVariable()
    private var state = Stage.empty
    /// The reader, which waits until its chunk has been taken.
    private var reader: CheckedContinuation<Void, Never>?

    /// Adds a chunk, when the one before has been taken.
    ///
    /// - Throws: `CancellationError` when the writer has ended.
    func put(_ chunk: Data) async throws {
        await waitUntilTaken()
        try lock.withLock {
            guard case .empty = state else { throw CancellationError() }
            state = .full(chunk)
            changed.broadcast()
        }
    }

    /// Ends the sequence, when the last chunk has been taken.
    func finish(_ error: (any Error)?) async {
        await waitUntilTaken()
        lock.withLock {
            guard case .empty = state else { return }
            state = .finished(error)
            changed.broadcast()
        }
    }

    private func waitUntilTaken() async {
        await withCheckedContinuation { continuation in
            let isTaken = lock.withLock {
                guard case .full = state else { return true }
                reader = continuation
                return false
            }
            if isTaken { continuation.resume() }
        }
    }

    /// Ends the wait of the reader, and refuses its chunks.
    func stop() {
        let reader = lock.withLock {
            state = .stopped
            defer { self.reader = nil }
            return self.reader
        }
        reader?.resume()
    }

    /// Blocks the thread until there is a chunk. Returns `nil` after the last one.
    ///
    /// - Throws: The error of the sequence; ``SQLiteError`` when the work of the connection must end.
    func take(orEndBy connection: Connection) throws -> Data? {
        let (chunk, waiting): (Data?, CheckedContinuation<Void, Never>?) = try lock.withLock {
            while true {
                switch state {
                case .full(let chunk):
                    state = .empty
                    defer { reader = nil }
                    return (chunk, reader)
                case .finished(nil), .stopped: return (nil, nil)
                case .finished(let error?): throw error
                case .empty: break
                }
                try connection.checkMayBegin()
                // In slices, as the busy handler waits: a deadline and a cancellation do not wake this thread.
                changed.wait(with: lock, atMost: .milliseconds(20))
            }
        }
        waiting?.resume()
        return chunk
    }
}

/// Bytes that are read one by one, in chunks.
private struct ChunkedBytes<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
    let bytes: Bytes

    func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var bytes: Bytes.AsyncIterator

        mutating func next() async throws -> [UInt8]? {
            var chunk: [UInt8] = []
            chunk.reserveCapacity(65_536)
            while chunk.count < 65_536, let byte = try await bytes.next() { chunk.append(byte) }
            return chunk.isEmpty ? nil : chunk
        }
    }
}
