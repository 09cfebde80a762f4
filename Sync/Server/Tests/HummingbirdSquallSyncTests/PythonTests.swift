import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// A device in Python, which knows the protocol from `PROTOCOL.md` only.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: PythonDevice.isAvailable, "apsw is not installed: make apsw"))
struct PythonTests {
    private func device(_ server: TestServer, _ folder: URL) throws -> PythonDevice {
        try PythonDevice(folder.appending(path: "device.db"), server.address)
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test func aDeviceInPythonTakesPart() async throws {
        let world = try await SyncWorld(devices: 1)
        let server = try await TestServer.start(world.hub)
        try await withFolder { folder in
            let python = try device(server, folder)
            try await world.hub.database.run("INSERT INTO lists VALUES('a', 'A', x'00ff'), ('b', 'B', 1.5)")
            try await python.run("INSERT INTO lists VALUES('c', 'C', 'ä€😀')")
            #expect(try await python.sync() == "[]")
            try await python.run("UPDATE lists SET note = -1 WHERE id = 'a'", "DELETE FROM lists WHERE id = 'b'")
            #expect(try await python.sync() == "[]")
            try await world.devices[0].now()
            let rows = try await world.hub.database.rows("lists")
            #expect(rows.count == 2)
            #expect(try await world.devices[0].database.rows("lists") == rows)
            #expect(try await python.rows("lists") == rows)
            // A conflict has both rows.
            try await world.hub.database.run("UPDATE lists SET note = 'hub' WHERE id = 'a'")
            try await python.run("UPDATE lists SET note = 'python' WHERE id = 'a'")
            let conflicts = try await python.sync()
            #expect(conflicts.contains(#""winner": "hub""#) && conflicts.contains(#""row": ["a", "A", "hub"]"#))
            #expect(try await python.rows("lists") == world.hub.database.rows("lists"))
        }
    }

    @Test func aRefusalIsAnError() async throws {
        let hub = try await SyncHub(SyncWorld.database(), version: 3) { SyncTable("lists") }
        let server = try await TestServer.start(hub)
        try await withFolder { folder in
            let python = try device(server, folder)
            let answer = try await python.sync()
            #expect(answer.contains("'refusal': 'version'") && answer.contains("'hub': 3"))
        }
    }

    private static let seeds: ClosedRange<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["SQUALL_SEED"].flatMap { UInt64($0) } ?? 1
        return first...first + (environment["SQUALL_ROUNDS"].flatMap { UInt64($0) } ?? 6) - 1
    }()

    @Test(arguments: seeds) func allAreEqualInTheEnd(_ seed: UInt64) async throws {
        var random = Numbers(seed)
        let policy: SyncLog.Policy = [.hubWins, .replicaWins, .resolve { _ in .replica }][random.below(3)]
        let world = try await SyncWorld(devices: 3, conflicts: policy)
        let wire = Wire()
        let server = try await TestServer.start(world.hub, wire: wire)
        try await withFolder { folder in
            let python = try device(server, folder)
            var marks: Set<String> = []
            for step in 0..<100 {
                let id = "\(seed)-\(step)"
                let index = random.below(5)
                if random.below(4) == 0 {
                    let faults = (0..<random.below(3)).map { _ in
                        [Wire.Fault.lost, .answerLost, .repeated][random.below(3)]
                    }
                    if index == 4 {
                        for fault in faults { wire.fail(fault) }
                        _ = try await python.sync()
                    } else if index > 0 {
                        for fault in faults { world.paths[index - 1].fail(fault) }
                        do { try await world.devices[index - 1].now() } catch is Wire.Cut {}
                    }
                    continue
                }
                let statements =
                    ["INSERT INTO marks VALUES('\(id)', \(index))"]
                    + (0...random.below(3)).map { _ in statement(&random, id) }
                if index == 4 {
                    try await python.run(statements)
                } else {
                    let database = index == 0 ? world.hub.database : world.devices[index - 1].database
                    try await database.write { connection in
                        for sql in statements { try? connection.execute(SQL(raw: sql)) }
                    }
                }
                marks.insert(id)
            }
            wire.repair()
            for path in world.paths { path.repair() }
            for _ in 0..<2 {
                for device in world.devices { try await device.now() }
                #expect(try await python.sync().hasPrefix("["))
            }
            for device in world.devices { #expect(try await device.now().sent == 0) }
            for table in ["lists", "items", "marks"] {
                let rows = try await world.hub.database.rows(table)
                #expect(try await python.rows(table) == rows)
                for device in world.devices { #expect(try await device.database.rows(table) == rows) }
            }
            let kept: [String] = try await world.hub.database.read { try $0.query("SELECT id FROM marks") }
            #expect(Set(kept) == marks)
        }
    }

    private func statement(_ random: inout Numbers, _ id: String) -> String {
        let (list, other, n) = ("l\(random.below(6))", "l\(random.below(6))", random.below(1_200))
        return switch random.below(9) {
        case 0: "INSERT INTO lists VALUES('\(list)', '\(other)', '\(id)')"
        case 1: "INSERT OR REPLACE INTO lists VALUES('\(list)', '\(list)', '\(id)')"
        case 2: "UPDATE lists SET note = '\(id)' WHERE id = '\(list)'"
        case 3: "UPDATE lists SET name = '\(id)' WHERE id = '\(list)'"
        case 4: "DELETE FROM lists WHERE id = '\(list)'"
        case 5, 6: "INSERT INTO items VALUES('\(id)' || \(n % 3), '\(list)', 'x', \(n))"
        case 7: "UPDATE items SET n = n + \(n), list = '\(other)' WHERE list = '\(list)'"
        default: "DELETE FROM items WHERE n % 5 = \(n % 5)"
        }
    }
}

/// A process that runs `squall_sync.py`, and reads a command in each line.
final class PythonDevice: Sendable {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../..").standardized

    private static var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment["PYTHONPATH"] = "\(repository.path)/.build/apsw:\(repository.path)/Sync/Python"
        return environment
    }

    static var isAvailable: Bool {
        let process = python(["-c", "import squall_sync"])
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static let commands = """
        import json, sys, urllib.error, apsw, squall_sync
        _, path, hub, schema = sys.argv
        device = squall_sync.Device(path, hub, lambda: "token-of-ada", [])
        device.connection.execute(schema)
        device = squall_sync.Device(path, hub, lambda: "token-of-ada", ["lists", "items", "marks"])
        for line in sys.stdin:
            statements = json.loads(line)
            try:
                if statements:
                    answer = "done"
                    with device.transaction() as connection:
                        for sql in statements:
                            try:
                                connection.execute(sql)
                            except apsw.ConstraintError:
                                pass
                else:
                    answer = json.dumps(device.sync(), default=str)
            except (urllib.error.HTTPError, squall_sync.Refusal) as error:
                answer = str(error)
            print(answer, flush=True)
        """

    private let database: URL
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()

    init(_ database: URL, _ hub: URL) throws {
        self.database = database
        process = Self.python(["-c", Self.commands, database.path, "\(hub)", SyncWorld.schema.text])
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { process.terminate() }

    private static func python(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.environment = environment
        return process
    }

    func run(_ statements: String...) async throws { try await run(statements) }

    func run(_ statements: [String]) async throws { #expect(try await command(statements) == "done") }

    /// Returns the conflicts as JSON, or the error.
    func sync() async throws -> String { try await command([]) }

    func rows(_ table: String) async throws -> [String] { try await Database(database.path).rows(table) }

    private func command(_ statements: [String]) async throws -> String {
        let line = try JSONEncoder().encode(statements) + Data("\n".utf8)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { [input, output] in
                input.fileHandleForWriting.write(line)
                var answer = Data()
                while answer.last != UInt8(ascii: "\n") {
                    let more = output.fileHandleForReading.availableData
                    if more.isEmpty { break }
                    answer += more
                }
                continuation.resume(returning: String(decoding: answer.dropLast(), as: UTF8.self))
            }
        }
    }
}
