import Foundation
import Squall
import SquallTestSupport
import Testing

/// Values in chunks. Writes have no deadline, because a sanitizer on a busy machine takes longer than the default one.
@Suite(.timeLimit(.minutes(10)))
struct BlobChunksTests {
    private static func files(_ size: Int, on database: Database) async throws -> Data {
        let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        try await database.write {
            try $0.execute("CREATE TABLE files(id INTEGER PRIMARY KEY, body)")
            try $0.run("INSERT INTO files VALUES(1, \(bytes)), (2, x''), (3, NULL), (4, zeroblob(\(size)))")
        }
        return bytes
    }

    /// Chunks of a collection, with a suspension between them.
    private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var rest: Data
        let size: Int
        var failure: (any Error)?

        func makeAsyncIterator() -> Chunks { self }

        mutating func next() async throws -> Data? {
            await Task.yield()
            if rest.isEmpty, let failure { throw failure }
            defer { rest = Data(rest.dropFirst(size)) }
            return rest.isEmpty ? nil : rest.prefix(size)
        }
    }

    @Test(arguments: [1_000, 4_096, 100_000, 1_000_000]) func chunksAreTheValue(_ chunkSize: Int) async throws {
        let database = try Database.temporary()
        let bytes = try await Self.files(100_000, on: database)
        var (read, sizes): (Data, [Int]) = (Data(), [])
        for try await chunk in database.blob(in: "files", column: "body", row: 1, chunkSize: chunkSize) {
            read += chunk
            sizes.append(chunk.count)
        }
        #expect(read == bytes)
        #expect(sizes.dropLast().allSatisfy { $0 == chunkSize } && sizes.count == (99_999 + chunkSize) / chunkSize)
        for try await _ in database.blob(in: "files", column: "body", row: 2) { Issue.record("there are no bytes") }
    }

    @Test func chunksAreOfOneState() async throws {
        let database = try Database.temporary()
        let bytes = try await Self.files(100_000, on: database)
        var read = Data()
        for try await chunk in database.blob(in: "files", column: "body", row: 1, chunkSize: 10_000) {
            try await database.write {
                try $0.run("UPDATE files SET body = randomblob(5) WHERE id = 1")
                try $0.run("DELETE FROM files WHERE id = 1")
                try $0.run("INSERT INTO files VALUES(1, x'00')")
            }
            read += chunk
        }
        #expect(read == bytes)
    }

    @Test func aDatabaseInMemory() async throws {
        let database = try Database()
        let bytes = try await Self.files(10_000, on: database)
        var read = Data()
        for try await chunk in database.blob(in: "files", column: "body", row: 1, chunkSize: 999) { read += chunk }
        #expect(read == bytes)
        try await database.writeBlob(
            in: "files", column: "body", row: 4, deadline: nil, from: Chunks(rest: bytes, size: 700))
        #expect(try await database.read { try $0.query("SELECT body FROM files WHERE id = 4") } == bytes)
    }

    @Test func theErrorEndsTheSequence() async throws {
        let database = try Database.temporary()
        _ = try await Self.files(10, on: database)
        for (row, problem) in [(9, BlobProblem.unknownRow), (3, .null)] {
            var chunks = database.blob(in: "files", column: "body", row: Int64(row)).makeAsyncIterator()
            let error = await #expect(throws: SQLiteError.self) { try await chunks.next() }
            #expect(error?.kind == .problem(problem, of: .value(in: "files", column: "body", row: Int64(row))))
            #expect(try await chunks.next() == nil)
        }
    }

    @Test func aLoopThatIsLeftReleasesItsSnapshot() async throws {
        let database = try Database.temporary()
        _ = try await Self.files(100_000, on: database)
        for try await _ in database.blob(in: "files", column: "body", row: 1, chunkSize: 10) { break }
        try await database.write { try $0.run("DELETE FROM files") }
        try await database.checkpoint(.truncate)
        let size = try FileManager.default.attributesOfItem(atPath: database.fileName + "-wal")[.size] as? Int
        #expect(size == 0)
    }

    @Test func aCancelledTask() async throws {
        let database = try Database.temporary()
        _ = try await Self.files(100_000, on: database)
        let task = Task {
            var count = 0
            for try await _ in database.blob(in: "files", column: "body", row: 1, chunkSize: 10) {
                count += 1
                if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return count
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await database.checkpoint(.truncate)
    }

    @Test func theDeadlineEndsALoopThatStandsStill() async throws {
        let database = try Database.temporary()
        _ = try await Self.files(100_000, on: database)
        // On a machine that is busy, the first chunk may come after a short deadline.
        var deadline = Duration.milliseconds(50)
        var chunks = database.blob(in: "files", column: "body", row: 1, chunkSize: 10, deadline: deadline)
            .makeAsyncIterator()
        while try await Self.isLate(&chunks) {
            deadline *= 4
            chunks = database.blob(in: "files", column: "body", row: 1, chunkSize: 10, deadline: deadline)
                .makeAsyncIterator()
        }
        try await database.write { try $0.run("DELETE FROM files") }
        // Until the deadline, the snapshot prevents a checkpoint from truncating the log.
        while (try? await database.checkpoint(.truncate)) == nil {}
        let error = await #expect(throws: SQLiteError.self) { try await chunks.next() }
        #expect(error?.kind == .interrupted(.deadline))
    }

    /// Whether the deadline passes before the first chunk.
    private static func isLate(_ chunks: inout BlobChunks.AsyncIterator) async throws -> Bool {
        do {
            #expect(try await chunks.next()?.count == 10)
            return false
        } catch let error as SQLiteError where error.resultCode == .interrupt {
            return true
        }
    }

    @Test func chunksAreWritten() async throws {
        let database = try Database.temporary()
        let bytes = try await Self.files(200_000, on: database)
        try await database.writeBlob(
            in: "files", column: "body", row: 4, deadline: nil, from: Chunks(rest: bytes, size: 7_777))
        #expect(try await database.read { try $0.query("SELECT body FROM files WHERE id = 4") } == bytes)
        let end = Data("end".utf8)
        try await database.writeBlob(
            in: "files", column: "body", row: 4, at: 199_997, deadline: nil, from: Chunks(rest: end, size: 1))
        #expect(
            try await database.read { try $0.query("SELECT body FROM files WHERE id = 4") }
                == bytes.prefix(199_997) + end)
        let stream = AsyncStream<UInt8> { continuation in
            for byte in end { continuation.yield(byte) }
            continuation.finish()
        }
        try await database.writeBlob(in: "files", column: "body", row: 4, at: 199_997, deadline: nil, from: stream)
        try await database.writeBlob(
            in: "files", column: "body", row: 2, deadline: nil, from: Chunks(rest: Data(), size: 1))
    }

    @Test func afterAnErrorNothingIsWritten() async throws {
        let database = try Database.temporary()
        let bytes = try await Self.files(200_000, on: database)
        let place = SQLiteError.Subject.value(in: "files", column: "body", row: 4)
        let short = await #expect(throws: SQLiteError.self) {
            try await database.writeBlob(
                in: "files", column: "body", row: 4, deadline: nil, from: Chunks(rest: bytes.dropLast(), size: 50_000))
        }
        #expect(short?.kind == .problem(BlobProblem.incomplete(written: 199_999, size: 200_000), of: place))
        let long = await #expect(throws: SQLiteError.self) {
            try await database.writeBlob(
                in: "files", column: "body", row: 4, deadline: nil, from: Chunks(rest: bytes + [1], size: 50_000))
        }
        #expect(long?.kind == .problem(BlobProblem.outOfRange(offset: 200_000, count: 1, size: 200_000), of: place))
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await database.writeBlob(
                in: "files", column: "body", row: 4, deadline: nil,
                from: Chunks(rest: bytes, size: 60_000, failure: Failure()))
        }
        let unknown = await #expect(throws: SQLiteError.self) {
            try await database.writeBlob(
                in: "files", column: "body", row: 9, deadline: nil, from: Chunks(rest: bytes, size: 5))
        }
        #expect(unknown?.kind == .problem(BlobProblem.unknownRow, of: .value(in: "files", column: "body", row: 9)))
        #expect(
            try await database.read { try $0.query("SELECT hex(body) = hex(zeroblob(200000)) FROM files WHERE id = 4") }
                == true)
    }

    /// A source that never yields does not hold the writer beyond the deadline, nor after a cancellation.
    @Test func aSourceThatStandsStill() async throws {
        let database = try Database.temporary()
        let bytes = try await Self.files(1_000, on: database)
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(bytes.prefix(100))
        let error = await #expect(throws: SQLiteError.self) {
            try await database.writeBlob(
                in: "files", column: "body", row: 4, deadline: .milliseconds(100), from: stream)
        }
        #expect(error?.resultCode == .interrupt)
        let (other, otherContinuation) = AsyncStream.makeStream(of: Data.self)
        let task = Task {
            try await database.writeBlob(in: "files", column: "body", row: 4, deadline: nil, from: other)
        }
        otherContinuation.yield(bytes.prefix(100))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(
            try await database.read {
                try $0.query("SELECT sum(hex(body) != hex(zeroblob(1000))) FROM files WHERE id = 4")
            } == 0)
        withExtendedLifetime((continuation, otherContinuation)) {}
    }

    @Test func manyLoopsAndWritesAtOnce() async throws {
        let database = try Database.temporary()
        let bytes = try await Self.files(100_000, on: database)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    if number.isMultiple(of: 4) {
                        try await database.writeBlob(
                            in: "files", column: "body", row: 4, deadline: nil, from: Chunks(rest: bytes, size: 9_000))
                    } else {
                        var read = Data()
                        for try await chunk in database.blob(in: "files", column: "body", row: 1, chunkSize: 5_000) {
                            read += chunk
                        }
                        #expect(read == bytes)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func aDeadlineEndsTheParts() throws {
        let database = try Database.temporary()
        try database.blocking.writeWithoutTransaction {
            try $0.execute("CREATE TABLE files(id INTEGER PRIMARY KEY, body); INSERT INTO files VALUES(1, x'00')")
        }
        let error = try sqliteError {
            try database.blocking.read(deadline: .milliseconds(50)) { connection in
                try connection.withBlob(in: "files", column: "body", row: 1) { blob in
                    while true { _ = try blob.data() }
                }
            }
        }
        #expect(error.kind == .interrupted(.deadline))
    }

    #if os(Linux)
        /// In a process of its own, whose memory nothing else uses.
        @Test(.enabled(if: !Sanitizers.areInUse)) func largeValuesTakeNoMemory() throws {
            let folder = try TemporaryDirectory()
            let path = folder.file("large.db")
            let connection = try Connection(storageLocation: .onDisk(path))
            try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try connection.execute("CREATE TABLE files(id INTEGER PRIMARY KEY, body)")
            try connection.insert(into: "files", ["id": 1, "body": ZeroBlob(count: 900_000_000)])
            try connection.insert(into: "files", ["id": 2, "body": ZeroBlob(count: 1_024 * 65_536)])
            connection.close()
            let (output, code) = try TestProcess(["stream", path]).end()
            let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            #expect(code == 0 && numbers.count == 2 && numbers[0] == 900_000_000)
            #expect(numbers.last ?? .max < 16 * 1024)
        }
    #endif
}
