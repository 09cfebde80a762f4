import Foundation
import NodeProcesses
import Squall
import Testing

/// The recipe of `Cluster/Litestream`, with the program that `make litestream-test` installs.
@Suite(.serialized, .enabled(if: Replica.program != nil)) struct LitestreamTests {
    @Test(arguments: 1...5) func aKilledProgramLosesNothing(round: Int) async throws {
        let replica = try Replica()
        let litestream = try await replica.replicate()
        let writer = try await replica.write()
        try await replica.hasReplicated()
        try await writer.hasWritten(more: .random(in: 1...500))
        writer.process.send(SIGKILL)
        _ = try await writer.process.wait()
        litestream.send(SIGTERM)
        _ = try await litestream.wait()
        let restored = try await replica.restore()
        try replica.checkHasAll(restored)
        #expect(try writer.acknowledged().last.map { $0.number } ?? 0 <= restored.last?.number ?? 0)
    }

    @Test(arguments: 1...3) func aLostMachineLosesTheLastSeconds(round: Int) async throws {
        let replica = try Replica()
        let litestream = try await replica.replicate()
        let writer = try await replica.write()
        try await replica.hasReplicated()
        try await Task.sleep(for: .milliseconds(.random(in: 5000...8000)))
        let killed = Int(Date().timeIntervalSince1970 * 1000)
        for process in [litestream, writer.process] { process.send(SIGKILL) }
        for process in [litestream, writer.process] { _ = try await process.wait() }
        let restored = try await replica.restore()
        let safe = try writer.acknowledged().last { $0.time < killed - Replica.mostLost }
        #expect(restored.last?.number ?? 0 >= safe?.number ?? 0)
        #expect(try restored.elementsEqual(replica.rows(replica.file).prefix(restored.count)))
    }

    @Test func checkpointsAndVacuumLoseNothing() async throws {
        let replica = try Replica()
        let litestream = try await replica.replicate()
        let writer = try await replica.write(["resets"])
        try await replica.hasReplicated()
        try await writer.hasWritten(more: 4000)
        writer.process.send(SIGKILL)
        _ = try await writer.process.wait()
        litestream.send(SIGTERM)
        _ = try await litestream.wait()
        try replica.checkHasAll(try await replica.restore())
    }

    @Test func aPauseOfLitestreamLosesNothing() async throws {
        let replica = try Replica()
        let first = try await replica.replicate()
        let writer = try await replica.write(["resets"])
        try await replica.hasReplicated()
        first.send(SIGKILL)
        _ = try await first.wait()
        try await writer.hasWritten(more: 2500)
        let second = try await replica.replicate()
        try await replica.hasReplicated()
        writer.process.send(SIGKILL)
        _ = try await writer.process.wait()
        second.send(SIGTERM)
        _ = try await second.wait()
        try replica.checkHasAll(try await replica.restore())
    }
}

/// A database and its replica.
private final class Replica {
    static let program = ProcessInfo.processInfo.environment["SQUALL_LITESTREAM"]
    /// In milliseconds.
    static let syncInterval = 200
    /// In milliseconds: the interval, that in which Litestream looks for new pages of the log, and time for the work on a
    /// machine that is busy.
    static let mostLost = syncInterval + 1000 + 2000

    struct Row: Equatable {
        let number: Int64
        let hash: Int64
    }

    let directory: URL
    var file: String { directory.appendingPathComponent("live/app.db").path }
    private var configuration: String { directory.appendingPathComponent("litestream.yml").path }
    private var restores = 0

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("replica-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory.appendingPathComponent("live"), withIntermediateDirectories: true)
        let text = """
            dbs:
              - path: \(file)
                replica:
                  type: file
                  path: \(directory.appendingPathComponent("replica").path)
                  sync-interval: \(Self.syncInterval)ms
            """
        try text.write(toFile: configuration, atomically: true, encoding: .utf8)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    func replicate() async throws -> ChildProcess {
        try await ChildProcess([try #require(Self.program), "replicate", "-config", configuration], in: directory)
    }

    /// Waits until the replica has a file that it does not have now. What is written before Litestream has seen the database for
    /// the first time is not replicated when it ends.
    func hasReplicated() async throws {
        let before = files
        while files.isSubset(of: before) { await Task.yield() }
    }

    private var files: Set<String> {
        let path = directory.appendingPathComponent("replica").path
        return Set((FileManager.default.subpaths(atPath: path) ?? []).filter { $0.hasSuffix(".ltx") })
    }

    func write(_ options: [String] = []) async throws -> WriterProcess {
        WriterProcess(
            process: try await ChildProcess([TestNodes.program("LitestreamWriter"), file] + options, in: directory))
    }

    /// Restores the replica to a new file and checks it.
    func restore() async throws -> [Row] {
        restores += 1
        let path = directory.appendingPathComponent("restored-\(restores).db").path
        let process = try await ChildProcess(
            [try #require(Self.program), "restore", "-config", configuration, "-o", path, file], in: directory)
        let end = try await process.wait()
        let errors = try process.printedErrors()
        #expect(end == .status(0), "\(errors)")
        return try rows(path)
    }

    /// Checks that the rows are those of the original file. The last one may be new: Litestream also copies a commit in whose
    /// middle the program was killed, and which the other processes do not see in the original.
    func checkHasAll(_ restored: [Row]) throws {
        let original = try rows(file)
        #expect(restored.count - original.count <= 1)
        #expect(restored.starts(with: original))
    }

    /// Returns the rows of a file, after a check of the file and of the hashes.
    func rows(_ path: String) throws -> [Row] {
        let connection = try Connection(path)
        #expect(try connection.integrityCheck() == [])
        let rows: [Row] = try connection.query("SELECT n, hash FROM chain ORDER BY n") {
            Row(number: try $0.get(0), hash: try $0.get(1))
        }
        for (row, next) in zip(rows, rows.dropFirst()) {
            #expect(next.number == row.number + 1)
            #expect(next.hash == (row.hash ^ next.number) &* 0x100_0000_01b3)
        }
        return rows
    }
}

private struct WriterProcess {
    let process: ChildProcess

    /// Returns the rows that the program has acknowledged, with the times in milliseconds.
    func acknowledged() throws -> [(number: Int64, time: Int)] {
        try process.printed().split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int64(words[0]), let time = Int(words[1]) else { return nil }
            return (number, time)
        }
    }

    /// Waits until the program has written rows after those of now.
    func hasWritten(more count: Int64) async throws {
        let now = try acknowledged().last?.number ?? 0
        while try acknowledged().last?.number ?? 0 < now + count { await Task.yield() }
    }
}
