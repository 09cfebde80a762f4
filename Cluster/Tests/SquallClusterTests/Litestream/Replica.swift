import Foundation
import NodeProcesses
import Squall
import Testing

/// A database and its replica, in a directory of their own.
final class Replica {
    static let program = ProcessInfo.processInfo.environment["SQUALL_LITESTREAM"]
    private static let script = URL(filePath: #filePath).appendingPathComponent("../../../../Litestream/verify-restore")
        .standardized.path

    let directory: URL
    private var restores = 0

    private var live: URL { directory.appendingPathComponent("live") }
    private var lost: URL { directory.appendingPathComponent("lost") }
    private var uploads: URL { directory.appendingPathComponent("replica") }
    private var configuration: String { directory.appendingPathComponent("litestream.yml").path }
    var file: String { live.appendingPathComponent("app.db").path }

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("replica-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: live, withIntermediateDirectories: true)
        let text = """
            dbs:
              - path: \(file)
                replica:
                  type: file
                  path: \(uploads.path)
                  sync-interval: 200ms
            """
        try text.write(toFile: configuration, atomically: true, encoding: .utf8)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    // MARK: - Processes

    func replicate(_ options: [String] = []) async throws -> ChildProcess {
        try await ChildProcess(
            [try #require(Self.program), "replicate", "-config", configuration] + options, in: directory)
    }

    func write(_ options: [String] = []) async throws -> WriterProcess {
        WriterProcess(
            process: try await ChildProcess([TestNodes.program("LitestreamWriter"), file] + options, in: directory))
    }

    /// Restores the replica to a new file.
    func restoring() async throws -> (end: ChildProcess.End, errors: String, path: String) {
        restores += 1
        let path = directory.appendingPathComponent("restored-\(restores).db").path
        let process = try await ChildProcess(
            [try #require(Self.program), "restore", "-config", configuration, "-o", path, file], in: directory)
        return (try await process.wait(), try process.printedErrors(), path)
    }

    /// Restores the replica to a new file, checks it, and returns its rows.
    func restore() async throws -> [ChainRow] {
        let (end, errors, path) = try await restoring()
        #expect(end == .status(0), "\(errors)")
        return try ChainRow.all(of: path)
    }

    /// Runs `verify-restore`, and checks that it leaves no file behind.
    func verify(_ arguments: String...) async throws -> (end: ChildProcess.End, printed: String) {
        let temporary = directory.appendingPathComponent("temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        let variables = [
            "LITESTREAM=\(try #require(Self.program))", "LITESTREAM_CONFIG=\(configuration)",
            "TMPDIR=\(temporary.path)",
        ]
        let process = try await ChildProcess(["env"] + variables + [Self.script, file] + arguments, in: directory)
        let end = try await process.wait()
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
        return (end, try process.printed() + process.printedErrors())
    }

    // MARK: - The original

    /// Takes the original away, so that a restore cannot read it.
    func loseMachine() throws {
        try FileManager.default.moveItem(at: live, to: lost)
    }

    /// Kills the program, lets Litestream replicate what is left, and takes the original away.
    func loseProgram(_ writer: WriterProcess, _ litestream: ChildProcess) async throws {
        try await writer.process.end(SIGKILL)
        try await litestream.end(SIGTERM)
        try loseMachine()
    }

    func lostRows() throws -> [ChainRow] { try ChainRow.all(of: lost.appendingPathComponent("app.db").path) }

    /// The salt in the header of the write-ahead log. SQLite changes it each time that the log begins again from its start.
    func salt() throws -> Data? {
        guard let log = FileHandle(forReadingAtPath: file + "-wal") else { return nil }
        defer { try? log.close() }
        let header = try log.read(upToCount: 32) ?? Data()
        return header.count == 32 ? header[16..<24] : nil
    }

    /// Waits until the log begins again from its start.
    func hasResetLog() async throws {
        try await until { try self.salt() != nil }
        let before = try salt()
        try await until { try self.salt().map { $0 != before } ?? false }
    }

    // MARK: - The files of the replica

    /// A file of the replica: its pages are those that the transactions of a range have changed.
    struct Upload: Hashable {
        let path: URL
        let transactions: ClosedRange<Int>

        fileprivate init?(_ path: URL) {
            let numbers = path.deletingPathExtension().lastPathComponent.split(separator: "-").map {
                Int($0, radix: 16)
            }
            guard path.pathExtension == "ltx", numbers.count == 2, let first = numbers[0], let last = numbers[1],
                first <= last
            else { return nil }
            self.path = path
            transactions = first...last
        }
    }

    func files() -> Set<Upload> { Self.files(in: uploads) }

    private static func files(in directory: URL) -> Set<Upload> {
        let paths = FileManager.default.subpaths(atPath: directory.path) ?? []
        return Set(paths.compactMap { Upload(directory.appendingPathComponent($0)) })
    }

    private static func newest(in directory: URL) -> Int {
        files(in: directory).map(\.transactions.upperBound).max() ?? 0
    }

    /// Waits until the replica has a transaction that it does not have now. What is written before Litestream has seen the
    /// database for the first time is not replicated when it ends.
    func hasReplicated() async throws {
        let before = Self.newest(in: uploads)
        try await until { Self.newest(in: self.uploads) > before }
    }

    /// Waits until the replica has all that was committed before the call. Litestream makes its files one after the other
    /// beside the database. The next one may have been begun already, but not the one after it.
    func hasReplicatedAll() async throws {
        let goal = Self.newest(in: live.appendingPathComponent(".app.db-litestream")) + 2
        try await until { Self.newest(in: self.uploads) >= goal }
    }

    /// Lets each upload fail, by a file in the place of the replica's directory.
    func blockUploads() throws {
        try Data().write(to: uploads)
    }

    func unblockUploads() throws {
        try FileManager.default.removeItem(at: uploads)
    }
}

/// Waits until a condition holds. The time limit of the suite ends it otherwise.
func until(_ condition: () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(for: .milliseconds(1)) }
}

extension ChildProcess {
    /// Sends a signal, and waits for the end.
    func end(_ signal: Int32) async throws {
        send(signal)
        _ = try await wait()
    }
}
