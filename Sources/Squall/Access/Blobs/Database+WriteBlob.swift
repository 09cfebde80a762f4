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
        let handover = Handover<Data>()
        let source = Task {
            do {
                for try await chunk in chunks where !chunk.isEmpty {
                    await handover.waitUntilTaken()
                    if handover.add(Data(chunk)) != nil { return }
                }
                handover.finish()
            } catch {
                handover.finish(error)
            }
        }
        // A source that does not notice that it is cancelled is not waited for.
        defer {
            source.cancel()
            handover.stop(CancellationError())
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
    fileprivate func write(from handover: Handover<Data>, at offset: Int, _ connection: Connection) throws {
        // Also for a sequence without bytes.
        try check(offset, 0)
        let size = try size()
        var position = offset
        while let chunk = try handover.next({ try connection.checkMayBegin() }) {
            try chunk.withUnsafeBytes { try write($0, at: position) }
            position += chunk.count
        }
        if position < size {
            throw SQLiteError(.incomplete(written: position - offset, size: size - offset), at: place)
        }
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
